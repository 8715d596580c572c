// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <boost/json.hpp>

#include <tc/accounting/run_result.hpp>
#include <tc/config/machine.hpp>
#include <tc/kernels/gemm_problem.hpp>

#include "gemm_kernel.hpp"

namespace tcsim {

/// What a run says about one GEMM.
struct gemm_figures {
  tc::kernels::gemm_problem problem;
  std::string instruction;  ///< mnemonic of the matrix instructions
  std::uint64_t ctas = 0, cycles = 0;
  double multiply_accumulates_per_cycle = 0;
  double share_of_machine = 0;        ///< of the peak of all SMs of the machine; 0 to 1
  double share_of_sms_used = 0;       ///< of the peak of the SMs that had a CTA
  bool is_checked = false;            ///< D was compared with the product
  std::uint64_t compared = 0;         ///< elements of D that were compared: all, or samples
  std::uint64_t mismatches = 0;       ///< bytes of D that differ
  std::uint64_t undefined = 0;        ///< bytes of D that were compared and that the model did not compute
  std::uint64_t wrong_addresses = 0;  ///< that are not what the registers make
  double beyond_the_model = 0;        ///< the largest factor of excess_traffic; 0: there is none

  std::uint64_t elements() const { return std::uint64_t{problem.m} * problem.n; }  ///< of D
  std::uint64_t multiply_accumulates() const { return std::uint64_t{problem.m} * problem.n * problem.k; }
};

gemm_figures figures_of(const gemm_kernel& kernel, const tc::accounting::kernel_result& result, const tc::config::machine& machine);

/// The same for programs; `mismatches` and `undefined` only if D was compared, `outputs_compared` only if samples of it were.
boost::json::object figures_json(const gemm_figures& figures);

/// Matrix instructions that the warps of a trace execute; one of a warpgroup counts for each of its warps.
std::uint64_t matrix_instructions_of(const tc::trace::trace& trace);

}  // namespace tcsim
