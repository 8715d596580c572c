#pragma once

#include <cstdint>
#include <ostream>

#include <tc/config/machine.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/kernels/gemm_plan.hpp>
#include <tc/kernels/gemm_program.hpp>
#include <tc/kernels/gemm_trace.hpp>
#include <tc/trace/trace.hpp>

namespace tcsim {

/// What the matrices of a GEMM hold.
struct gemm_values {
  std::uint64_t seed = 1;
  bool with_product = true;  ///< the trace says which product it expects
};

/// A GEMM made for a machine: plan, code and matrices.
class gemm_kernel {
 public:
  /// Throws kernels::gemm_error.
  gemm_kernel(const tc::kernels::gemm_problem& problem, const tc::kernels::gemm_tiling& tiling, tc::isa::architecture arch,
              const tc::config::machine& machine, const gemm_values& values);
  gemm_kernel(const gemm_kernel&) = delete;
  gemm_kernel& operator=(const gemm_kernel&) = delete;

  const tc::kernels::gemm_plan& plan() const { return plan_; }
  std::string name() const { return tc::kernels::gemm_trace::kernel_name(plan_.problem); }

  /// The trace, ready to be run.
  tc::trace::trace trace() const;
  /// The trace as text.
  void write(std::ostream& out) const;

 private:
  const tc::kernels::gemm_plan plan_;
  const tc::kernels::gemm_program program_;
  const tc::kernels::gemm_matrices matrices_;
};

}  // namespace tcsim
