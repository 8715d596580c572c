// SPDX-License-Identifier: Apache-2.0
#include "warpgroup_gemm_trace.hpp"

#include <fmt/format.h>

namespace tc::kernels {

warpgroup_gemm_trace::warpgroup_gemm_trace(const warpgroup_gemm_plan& plan, const warpgroup_gemm_program& program,
                                           const gemm_matrices& matrices)
    : gemm_text(plan.grid_x(), plan.grid_y(), plan.warps()), plan_(plan), program_(program), matrices_(matrices) {}

void warpgroup_gemm_trace::append_header(header_lines& header) const {
  append_launch(header, isa::name(plan_.arch), kernel_name(plan_.problem), plan_.registers, plan_.shared_bytes);
  append_tensor_map(header, plan_.a_map, plan_.memory.a, plan_.problem.m, plan_.tiling.m);
  append_tensor_map(header, plan_.b_map, plan_.memory.b, plan_.problem.n, plan_.tiling.n);
  append_memory(header, plan_.problem, plan_.memory, isa::info(plan_.arch).parameter_offset, matrices_);
}

/// Elements of k are the inner dimension; their bits are copied as they are, whatever they mean.
void warpgroup_gemm_trace::append_tensor_map(header_lines& header, std::uint64_t address, std::uint64_t matrix, unsigned rows,
                                             unsigned stage_rows) const {
  const gemm_problem& problem = plan_.problem;
  header.add(fmt::format("tensor-map {:#x} tiled u{} base {:#x} sizes {} {} strides {} box {} {} swizzle 128B", address,
                         problem.element_bits(), matrix, problem.k, rows, problem.row_bytes(), plan_.tiling.k, stage_rows));
}

}  // namespace tc::kernels
