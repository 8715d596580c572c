// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "error_parameters.hpp"
#include "parameter_workload.hpp"

namespace tcsim {

/// The error of a machine's dot products, as of `tcsim error`. Nothing is simulated.
class error_workload final : public parameter_workload<error_workload, error_parameters> {
 public:
  static constexpr const char* kind_name = "error";
  using parameter_workload::parameter_workload;

  std::vector<std::string> arguments() const override;

  void check_valid(const tc::config::machine& machine) const;
  workload_outcome run_valid(const tc::config::machine& machine) const;

 private:
  tc::study::studied_datapath datapath_of(const tc::config::machine& machine) const;
};

}  // namespace tcsim
