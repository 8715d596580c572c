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
#include <tc/trace/trace.hpp>

#include "gemm_matrices.hpp"

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
  /// The trace as text.
  void write(std::ostream& out) const;

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
                       const tc::config::machine& machine, const gemm_values& values);

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
                        const tc::config::machine& machine, const gemm_values& values);

  const tc::kernels::gemm_problem& problem() const override { return plan_.problem; }
  std::string instruction() const override { return "wgmma." + plan_.instruction_types(); }
  std::uint64_t memory_end() const override { return plan_.memory.d + plan_.problem.d_bytes(); }

 private:
  std::unique_ptr<tc::kernels::gemm_text> text() const override;

  const tc::kernels::warpgroup_gemm_plan plan_;
  const tc::kernels::warpgroup_gemm_program program_;
  const tc::kernels::gemm_matrices matrices_;
};

}  // namespace tcsim
