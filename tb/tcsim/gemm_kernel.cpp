#include "gemm_kernel.hpp"

#include <istream>

#include "gemm_matrices.hpp"

namespace tcsim {

namespace kernels = tc::kernels;

gemm_kernel::gemm_kernel(const kernels::gemm_problem& problem, const kernels::gemm_tiling& tiling, tc::isa::architecture arch,
                         const tc::config::machine& machine, const gemm_values& values)
    : plan_(kernels::make_gemm_plan(problem, tiling, arch, machine)),
      program_(plan_, machine),
      matrices_(make_gemm_matrices(plan_, machine.sm.sub_core.tensor_core, values.seed, values.with_product)) {}

tc::trace::trace gemm_kernel::trace() const {
  kernels::gemm_trace text(plan_, program_, matrices_);
  std::istream in(&text);
  return tc::trace::trace::read(in, name());
}

void gemm_kernel::write(std::ostream& out) const {
  kernels::gemm_trace text(plan_, program_, matrices_);
  out << &text;
}

}  // namespace tcsim
