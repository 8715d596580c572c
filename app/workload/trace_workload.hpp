// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/describe/class.hpp>

#include <tc/config/parameter_type.hpp>
#include <tc/config/validation.hpp>

#include "parameter_workload.hpp"

namespace tcsim {

/// Traces and launches to run one after the other on one machine, as the options of `tcsim run` describe it.
struct trace_parameters {
  std::vector<std::string> files{};
  bool data = true;
  std::optional<std::uint64_t> max_cycles{};
};
BOOST_DESCRIBE_STRUCT(trace_parameters, (), (files, data, max_cycles))

inline constexpr auto describe_parameters(const trace_parameters*) {
  using tc::config::parameter_note;
  return std::array{
      parameter_note{"files", "",
                     "traces (text, .xz, .gz or packed) and launches (folders or .tar): kernels that run one after the other, memory kept",
                     ""},
      parameter_note{"data", "", "compute values and compare the results; false: count cycles only", ""},
      parameter_note{"max_cycles", "cycles", "give up at this cycle; null: never", ""},
  };
}

/// Throws config_error.
inline void validate(const trace_parameters& parameters, const std::string& path) {
  tc::config::require(!parameters.files.empty(), tc::config::member_path(path, "files"), "is empty: name at least one trace");
}

/// Traces from files, as of `tcsim run`.
class trace_workload final : public parameter_workload<trace_workload, trace_parameters> {
 public:
  static constexpr bool makes_code = false;
  static constexpr bool takes_time = true;
  static constexpr const char* kind_name = "trace";
  using parameter_workload::parameter_workload;

  std::string content_code() const override;
  std::vector<std::string> arguments() const override;
  /// `beside`, or else an example that comes with tcsim.
  static std::filesystem::path find_file(const std::filesystem::path& beside, const std::filesystem::path& name);

  void check_valid(const tc::config::machine& machine) const;
  workload_outcome run_valid(const tc::config::machine& machine) const;
};

}  // namespace tcsim
