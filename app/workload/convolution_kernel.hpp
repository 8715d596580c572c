// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include <boost/json.hpp>

#include <tc/accounting/run_result.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/kernels/convolution_plan.hpp>
#include <tc/kernels/convolution_program.hpp>
#include <tc/kernels/convolution_trace.hpp>
#include <tc/kernels/convolution_traffic.hpp>
#include <tc/trace/progress.hpp>
#include <tc/trace/trace.hpp>

#include "kernel_target.hpp"

namespace tcsim {

/// The architecture whose code kernels of convolutions are.
inline constexpr auto convolution_architecture = tc::isa::architecture::sm_100;

/// The plan of a convolution's code. Throws kernels::convolution_error, also if the machine that runs it has no room for code made for
/// another one.
tc::kernels::convolution_plan plan_convolution(const tc::kernels::convolution_problem& problem,
                                               const tc::kernels::convolution_options& options, tc::isa::architecture arch,
                                               const kernel_target& target);

/// A convolution made for a machine: plan, code and tensors.
class convolution_kernel {
 public:
  /// `tensors` must outlive the kernel. Throws kernels::convolution_error.
  convolution_kernel(const tc::kernels::convolution_problem& problem, const tc::kernels::convolution_options& options,
                     tc::isa::architecture arch, const kernel_target& target, const tc::kernels::convolution_tensors& tensors)
      : plan_(plan_convolution(problem, options, arch, target)), program_(plan_), tensors_(tensors) {}
  convolution_kernel(const convolution_kernel&) = delete;
  convolution_kernel& operator=(const convolution_kernel&) = delete;

  const tc::kernels::convolution_plan& plan() const { return plan_; }
  std::string name() const { return tc::kernels::convolution_trace::kernel_name(plan_); }
  /// The trace, ready to be run.
  tc::trace::trace trace() const;
  /// The trace as text.
  void write(std::ostream& out, const tc::trace::progress_listener& progress = {}) const;

 private:
  const tc::kernels::convolution_plan plan_;
  const tc::kernels::convolution_program program_;
  const tc::kernels::convolution_tensors& tensors_;
};

/// What a run says about one convolution.
struct convolution_figures {
  std::string title;  ///< "shift"
  std::uint64_t multiply_accumulates = 0;
  tc::kernels::convolution_traffic traffic;
  std::uint64_t cycles = 0;
  bool is_checked = false;            ///< the output was compared
  std::uint64_t mismatches = 0;       ///< bytes of it that differ
  std::uint64_t undefined = 0;        ///< bytes of it that the model did not compute
  std::uint64_t wrong_addresses = 0;  ///< that are not what the registers make
};

convolution_figures figures_of(const convolution_kernel& kernel, const tc::accounting::kernel_result& result);

/// The same for programs; `mismatches` and `undefined` only if the output was compared.
boost::json::object figures_json(const convolution_figures& figures);

}  // namespace tcsim
