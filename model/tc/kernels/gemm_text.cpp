#include "gemm_text.hpp"

#include <iterator>

#include <fmt/format.h>

namespace tc::kernels {

std::string gemm_text::kernel_name(const gemm_problem& problem) {
  return fmt::format("gemm_{}_{}x{}x{}", problem.precision.name, problem.m, problem.n, problem.k);
}

void gemm_text::append_memory(std::string& text, const gemm_problem& problem, const matrix_placement& memory,
                              std::uint32_t parameter_offset, const gemm_matrices& matrices) {
  append_arguments(text, parameter_offset, {memory.a, memory.b, memory.d});
  if (matrices.a.empty()) return;
  append_content(text, "memory", memory.a, matrices.a);
  append_content(text, "memory", memory.b, matrices.b);
  fmt::format_to(std::back_inserter(text), "memory {:#x} {} zero\n", memory.d, problem.d_bytes());
  if (!matrices.d.empty()) append_content(text, "expect", memory.d, matrices.d);
}

}  // namespace tc::kernels
