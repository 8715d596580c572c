// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <boost/json.hpp>

#include <tc/accounting/run_result.hpp>
#include <tc/kernels/convolution_traffic.hpp>

#include "convolution_kernel.hpp"

namespace tcsim {

/// What a run says about one convolution.
struct convolution_figures {
  std::string title;  ///< "shift"
  std::uint64_t multiply_accumulates = 0;
  tc::kernels::convolution_traffic traffic;
  std::uint64_t cycles = 0;
  bool is_checked = false;       ///< the output was compared
  std::uint64_t mismatches = 0;  ///< bytes of it that differ
};

convolution_figures figures_of(const convolution_kernel& kernel, const tc::accounting::kernel_result& result);

/// The same for programs; `mismatches` only if the output was compared.
boost::json::object figures_json(const convolution_figures& figures);

}  // namespace tcsim
