// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>

#include <tc/config/machine.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/kernels/gemm_plan.hpp>
#include <tc/kernels/gemm_program.hpp>
#include <tc/kernels/gemm_text.hpp>
#include <tc/kernels/warpgroup_gemm_plan.hpp>
#include <tc/kernels/warpgroup_gemm_program.hpp>
#include <tc/trace/progress.hpp>
#include <tc/trace/trace.hpp>

#include "gemm_matrices.hpp"
#include "gemm_parameters.hpp"
#include "kernel_target.hpp"

namespace tcsim {

/// A GEMM made for a machine: plan, code and matrices.
class gemm_kernel {
 public:
  virtual ~gemm_kernel() = default;
  gemm_kernel(const gemm_kernel&) = delete;
  gemm_kernel& operator=(const gemm_kernel&) = delete;

  virtual const tc::kernels::gemm_problem& problem() const = 0;
  /// The matrix instruction, for people.
  virtual std::string instruction() const = 0;
  /// Address behind its matrices in global memory.
  virtual std::uint64_t memory_end() const = 0;

  std::string name() const { return tc::kernels::gemm_text::kernel_name(problem()); }
  /// The trace, ready to be run.
  tc::trace::trace trace() const;
  /// The trace as text; `progress` is told of its CTAs.
  void write(std::ostream& out, const tc::trace::progress_listener& progress = {}) const;

 protected:
  gemm_kernel() = default;

 private:
  virtual std::unique_ptr<tc::kernels::gemm_text> text() const = 0;
};

/// One that multiplies in the registers of a warp.
class register_gemm_kernel final : public gemm_kernel {
 public:
  /// Throws kernels::gemm_error.
  register_gemm_kernel(const tc::kernels::gemm_problem& problem, const tc::kernels::gemm_tiling& tiling, tc::isa::architecture arch,
                       const kernel_target& target, const gemm_values& values);

  const tc::kernels::gemm_problem& problem() const override { return plan_.problem; }
  std::string instruction() const override { return plan_.step.instructions.front().mnemonic; }
  std::uint64_t memory_end() const override { return plan_.memory.d + plan_.problem.d_bytes(); }

 private:
  std::unique_ptr<tc::kernels::gemm_text> text() const override;

  const tc::kernels::gemm_plan plan_;
  const tc::kernels::gemm_program program_;
  const tc::kernels::gemm_matrices matrices_;
};

/// One whose warpgroups multiply in shared memory.
class warpgroup_gemm_kernel final : public gemm_kernel {
 public:
  /// Throws kernels::gemm_error.
  warpgroup_gemm_kernel(const tc::kernels::gemm_problem& problem, const tc::kernels::warpgroup_tiling& tiling, tc::isa::architecture arch,
                        const kernel_target& target, const gemm_values& values);

  const tc::kernels::gemm_problem& problem() const override { return plan_.problem; }
  std::string instruction() const override { return "wgmma." + plan_.instruction_types(); }
  std::uint64_t memory_end() const override { return plan_.memory.d + plan_.problem.d_bytes(); }

 private:
  std::unique_ptr<tc::kernels::gemm_text> text() const override;

  const tc::kernels::warpgroup_gemm_plan plan_;
  const tc::kernels::warpgroup_gemm_program program_;
  const tc::kernels::gemm_matrices matrices_;
};

/// The architecture that a kernel is made for: the one named, or the first of the machine that its code is made for. Throws usage_error,
/// which calls the parameter `called`, if a machine does not run it or there are no kernels for it.
tc::isa::architecture gemm_architecture(const std::string& name, const kernel_target& target, const char* called);

/// Throws gemm_error if there is no such kernel for the machine, or the machine that runs it has no room for code made for another one.
/// Costs little.
void plan_gemm(const gemm_parameters& parameters, tc::isa::architecture arch, const kernel_target& target);

/// The kernel with its matrices, which begin at a place in global memory. Throws gemm_error.
std::unique_ptr<gemm_kernel> make_gemm_kernel(const gemm_parameters& parameters, tc::isa::architecture arch, const kernel_target& target,
                                              std::uint64_t memory_base = tc::kernels::gemm_tiling{}.memory_base);

}  // namespace tcsim
