#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tc/config/machine.hpp>
#include <tc/device/run_result.hpp>
#include <tc/kernels/gemm_problem.hpp>

#include "gemm_kernel.hpp"

namespace tcsim {

/// What a run says about one GEMM.
struct gemm_figures {
  tc::kernels::gemm_problem problem;
  std::string instruction;  ///< mnemonic of the matrix instructions
  std::uint64_t ctas = 0, cycles = 0;
  double multiply_accumulates_per_cycle = 0;
  double share_of_machine = 0;   ///< of the peak of all SMs of the machine; 0 to 1
  double share_of_sms_used = 0;  ///< of the peak of the SMs that had a CTA
  bool is_checked = false;       ///< D was compared with the product
  std::uint64_t mismatches = 0;  ///< bytes of D that differ
};

gemm_figures figures_of(const gemm_kernel& kernel, const tc::device::kernel_result& result, const tc::config::machine& machine);

/// A table with a row for each GEMM.
std::string table_of(const std::vector<gemm_figures>& figures);

/// The same as comma-separated values, for plots.
std::string csv_of(const std::vector<gemm_figures>& figures);

}  // namespace tcsim
