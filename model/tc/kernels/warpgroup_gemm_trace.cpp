#include "warpgroup_gemm_trace.hpp"

#include <iterator>

#include <fmt/format.h>

#include <tc/trace/lanes.hpp>

namespace tc::kernels {

warpgroup_gemm_trace::warpgroup_gemm_trace(const warpgroup_gemm_plan& plan, const warpgroup_gemm_program& program,
                                           const gemm_matrices& matrices)
    : gemm_text(plan.grid_x(), plan.grid_y(), plan.warps()), plan_(plan), program_(program), matrices_(matrices) {}

void warpgroup_gemm_trace::append_header(std::string& text) const {
  auto out = std::back_inserter(text);
  fmt::format_to(out, "tcsim-trace 1\narch {}\nkernel {}\ngrid {} {} 1\nblock {} 1 1\nregisters {}\nshared {}\n", isa::name(plan_.arch),
                 kernel_name(plan_.problem), plan_.grid_x(), plan_.grid_y(), plan_.warps() * trace::warp_lanes, plan_.registers,
                 plan_.shared_bytes);
  append_tensor_map(text, plan_.a_map, plan_.memory.a, plan_.problem.m, plan_.tiling.m);
  append_tensor_map(text, plan_.b_map, plan_.memory.b, plan_.problem.n, plan_.tiling.n);
  append_memory(text, plan_.problem, plan_.memory, isa::info(plan_.arch).parameter_offset, matrices_);
}

/// Elements of k are the inner dimension; their bits are copied as they are, whatever they mean.
void warpgroup_gemm_trace::append_tensor_map(std::string& text, std::uint64_t address, std::uint64_t matrix, unsigned rows,
                                             unsigned stage_rows) const {
  const gemm_problem& problem = plan_.problem;
  fmt::format_to(std::back_inserter(text), "tensor-map {:#x} tiled u{} base {:#x} sizes {} {} strides {} box {} {} swizzle 128B\n", address,
                 problem.element_bits(), matrix, problem.k, rows, problem.row_bytes(), plan_.tiling.k, stage_rows);
}

}  // namespace tc::kernels
