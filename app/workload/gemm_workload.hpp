// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gemm_parameters.hpp"
#include "parameter_workload.hpp"

namespace tcsim {

/// A matrix product, as of `tcsim gemm`.
class gemm_workload final : public parameter_workload<gemm_workload, gemm_parameters> {
 public:
  static constexpr bool makes_code = true;
  static constexpr bool takes_time = true;
  static constexpr const char* kind_name = "gemm";
  using parameter_workload::parameter_workload;

  std::vector<std::string> arguments() const override;

  void check_valid(const tc::config::machine& machine) const;
  workload_outcome run_valid(const tc::config::machine& machine) const;
};

}  // namespace tcsim
