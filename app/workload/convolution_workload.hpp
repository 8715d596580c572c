// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "convolution_parameters.hpp"
#include "parameter_workload.hpp"

namespace tcsim {

/// A convolution by one method, as of `tcsim conv`.
class convolution_workload final : public parameter_workload<convolution_workload, convolution_parameters> {
 public:
  static constexpr const char* kind_name = "conv";
  using parameter_workload::parameter_workload;

  std::vector<std::string> arguments() const override;

  void check_valid(const tc::config::machine& machine) const;
  workload_outcome run_valid(const tc::config::machine& machine) const;
};

}  // namespace tcsim
