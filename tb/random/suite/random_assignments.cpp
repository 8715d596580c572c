// SPDX-License-Identifier: Apache-2.0
#include "random_assignments.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <tc/config/config_error.hpp>
#include <tc/config/parameter_path.hpp>
#include <tc/config/parameter_writer.hpp>
#include <tc/config/presets.hpp>

namespace tcsim::random_programs {

namespace config = tc::config;
namespace json = boost::json;
using tc::tensor_programs::random_numbers;

namespace {

/// Parameters, or records of them, that stay as they are.
constexpr std::array<std::string_view, 17> kept{
    "name",
    "architectures",
    "clock_mhz",
    "sms",
    "units",
    "energy",
    "sm.sub_cores",
    "sm.max_warps",
    "sm.sub_core.issue.hazards",
    "sm.sub_core.register_file.warp_registers",
    "sm.sub_core.operand_fetch.collector_units",
    "sm.sub_core.tensor_core.b_buffer.per_octet",
    "sm.sub_core.tensor_core.arithmetic",
    "sm.shared_memory.bytes",
    "sm.tensor_memory.columns",
    "sm.warpgroup.operand_tiles",
    "sm.tensor_engine.operand_tiles",
};

/// Parameters that are one of several texts.
struct text_choices {
  std::string_view path;
  std::vector<std::string_view> texts;
};
const std::vector<text_choices>& choices() {
  static const std::vector<text_choices> all{
      {"sm.sub_core.issue.policy", {"greedy_then_youngest", "greedy_then_oldest", "loose_round_robin"}},
      {"sm.sub_core.register_file.mapping", {"register_modulo", "register_plus_warp_modulo"}},
      {"sm.tensor_memory.banks", {"sectors_of_2", "banks_8x64", "banks_4x128"}},
  };
  return all;
}

/// A number near another one, or far below it. Zero mostly says that there is no such thing, and stays.
std::uint64_t other_number(std::string_view name, std::uint64_t value, random_numbers& random) {
  const bool is_time = name.find("cycles") != std::string_view::npos || name.find("stages") != std::string_view::npos;
  if (value == 0) return is_time && name.find("per_cycle") == std::string_view::npos ? random.below(6) : 0;
  switch (random.below(is_time ? 6 : 4)) {
    case 0:
      return std::max<std::uint64_t>(1, value / 2);
    case 1:
      return 2 * value;
    case 2:
      return 1;
    case 3:
      return value + 1;
    default:
      return random.below(static_cast<unsigned>(std::min<std::uint64_t>(2 * value + 4, 5000)));
  }
}

/// Goes through all parameters, and proposes another value for `percent` of them.
class proposer {
 public:
  proposer(random_numbers& random, unsigned percent) : random_(random), percent_(percent) {}

  void propose(const json::value& value, const std::string& path, std::string_view name) {
    if (std::find(kept.begin(), kept.end(), path) != kept.end()) return;
    if (value.is_object()) {
      for (const auto& member : value.as_object())
        propose(member.value(), config::member_path(path, std::string_view(member.key())), std::string_view(member.key()));
    } else if (random_.chance(percent_)) {
      propose_leaf(value, path, name);
    }
  }

  std::vector<std::string> assignments;

 private:
  void propose_leaf(const json::value& value, const std::string& path, std::string_view name) {
    if (value.is_bool()) {
      assign(path, value.as_bool() ? "false" : "true");
    } else if (value.is_number() && !value.is_double()) {
      // A table of latencies has opcodes for names.
      const bool is_latency = path.find("opcode_latency_cycles") != std::string::npos;
      assign(path, std::to_string(other_number(is_latency ? "cycles" : name, value.to_number<std::uint64_t>(), random_)));
    } else {
      for (const text_choices& row : choices())
        if (row.path == path) assign(path, row.texts[random_.below(static_cast<unsigned>(row.texts.size()))]);
    }
  }

  void assign(const std::string& path, std::string_view value) { assignments.push_back(fmt::format("{}={}", path, value)); }

  random_numbers& random_;
  unsigned percent_;
};

bool is_legal(const std::string& configuration, const std::vector<std::string>& assignments) {
  try {
    config::load_configuration(configuration, assignments);
    return true;
  } catch (const config::config_error&) {
    return false;
  }
}

/// The assignments that are legal together: all, or those of both halves that are.
std::vector<std::string> legal_part(const std::string& configuration, const std::vector<std::string>& before,
                                    const std::vector<std::string>& proposed) {
  std::vector<std::string> all = before;
  all.insert(all.end(), proposed.begin(), proposed.end());
  if (is_legal(configuration, all)) return all;
  if (proposed.size() == 1) return before;
  const auto middle = proposed.begin() + static_cast<std::ptrdiff_t>(proposed.size() / 2);
  return legal_part(configuration, legal_part(configuration, before, {proposed.begin(), middle}), {middle, proposed.end()});
}

}  // namespace

json::value parameters_of(const std::string& configuration) { return config::to_json(config::load_configuration(configuration)); }

std::vector<std::string> random_assignments(const std::string& configuration, const json::value& parameters, random_numbers& random) {
  static constexpr std::array<unsigned, 5> percents{0, 2, 6, 20, 50};
  proposer all(random, random.pick(percents));
  all.propose(parameters, "", "");
  std::vector<std::string> assignments{"sm.sub_core.issue.hazards=interlock", fmt::format("sms={}", random.between(1, 4))};
  if (random.chance(25)) assignments.push_back(fmt::format("sm.sub_core.operand_fetch.collector_units={}", random.between(1, 8)));
  return all.assignments.empty() ? assignments : legal_part(configuration, assignments, all.assignments);
}

}  // namespace tcsim::random_programs
