// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "parameter_workload.hpp"
#include "trace_parameters.hpp"

namespace tcsim {

/// Traces from files, as of `tcsim run`.
class trace_workload final : public parameter_workload<trace_workload, trace_parameters> {
 public:
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
