// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/describe.hpp>
#include <gtest/gtest.h>

#include <tc/config/described_type.hpp>
#include <tc/config/parameter_loader.hpp>
#include <tc/config/validation.hpp>

/// A small set of parameters with a member of every kind.
namespace sample {

enum class rounding { nearest_even, toward_zero };
BOOST_DESCRIBE_ENUM(rounding, nearest_even, toward_zero)

struct threadgroup {
  unsigned units = 4;
  std::int8_t offset = 0;
};
BOOST_DESCRIBE_STRUCT(threadgroup, (), (units, offset))

constexpr auto describe_parameters(const threadgroup*) {
  return std::array{tc::config::parameter_note{"units", "dot-product units", "units that work side by side", "design"},
                    tc::config::parameter_note{"offset", "lanes", "first lane", "design"}};
}

inline void validate(const threadgroup& t, const std::string& path) {
  tc::config::require(t.units > 0, tc::config::member_path(path, "units"), "must be positive");
}

struct tensor_core {
  std::vector<threadgroup> threadgroups{{4, 0}, {4, 4}};
  rounding mode = rounding::nearest_even;
  std::optional<double> scale;
  std::array<int, 2> shape{8, 8};
};
BOOST_DESCRIBE_STRUCT(tensor_core, (), (threadgroups, mode, scale, shape))

constexpr auto describe_parameters(const tensor_core*) {
  using tc::config::parameter_note;
  return std::array{parameter_note{"threadgroups", "", "the threadgroups", "design"}, parameter_note{"mode", "", "rounding", "PTX ISA"},
                    parameter_note{"scale", "ratio", "factor of the result", "design"},
                    parameter_note{"shape", "elements", "rows and columns", "PTX ISA"}};
}

inline void validate(const tensor_core& t, const std::string& path) {
  unsigned units = 0;
  for (const auto& group : t.threadgroups) units += group.units;
  tc::config::require(units <= 32, path, "more than 32 units in all");
}

struct named {
  std::string name = "unnamed";
};
BOOST_DESCRIBE_STRUCT(named, (), (name))

struct machine : named {
  bool ideal_fetch = true;
  double clock_mhz = 1000.0;
  std::uint64_t memory_bytes = 1;
  std::int64_t bias = 0;
  tensor_core tensor;
  std::map<std::string, threadgroup> pipes{{"FFMA", {16, 0}}};
  std::map<std::string, unsigned> latency_cycles{{"HMMA.884", 8}};
};
BOOST_DESCRIBE_STRUCT(machine, (named), (ideal_fetch, clock_mhz, memory_bytes, bias, tensor, pipes, latency_cycles))

constexpr auto describe_parameters(const machine*) {
  using tc::config::parameter_note;
  return std::array{parameter_note{"name", "", "what messages call it", "design"},
                    parameter_note{"ideal_fetch", "", "no instruction-cache misses", "design"},
                    parameter_note{"clock_mhz", "MHz", "clock", "datasheet"},
                    parameter_note{"memory_bytes", "bytes", "global memory", "datasheet"},
                    parameter_note{"bias", "units", "a signed number", "design"},
                    parameter_note{"tensor", "", "the tensor core", ""},
                    parameter_note{"pipes", "", "other pipes, by opcode", "design"},
                    parameter_note{"latency_cycles", "cycles", "latency, by opcode", "measured"}};
}

}  // namespace sample

/// A machine from the text of one file called "m.json", then assignments.
inline sample::machine machine_from(const std::string& text, const std::vector<std::string>& assignments = {}) {
  return tc::config::make_parameters<sample::machine>({tc::config::json_document::parse(text, "m.json")}, assignments);
}

/// What the config_error that `action` throws says; an empty string (and a failure) if it throws none.
template <class Action>
std::string error_of(Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const tc::config::config_error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no config_error";
  return "";
}

inline std::string file_error(const std::string& text) {
  return error_of([&] { machine_from(text); });
}

inline std::string set_error(const std::string& assignment) {
  return error_of([&] { machine_from("{}", {assignment}); });
}
