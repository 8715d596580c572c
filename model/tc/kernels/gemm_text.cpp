// SPDX-License-Identifier: Apache-2.0
#include "gemm_text.hpp"

#include <fmt/format.h>

namespace tc::kernels {

std::string gemm_text::kernel_name(const gemm_problem& problem) {
  return fmt::format("gemm_{}_{}x{}x{}", problem.precision.name, problem.m, problem.n, problem.k);
}

void gemm_text::append_memory(header_lines& header, const gemm_problem& problem, const matrix_placement& memory,
                              std::uint32_t parameter_offset, const gemm_matrices& matrices) {
  header.add_arguments(parameter_offset, {memory.a, memory.b, memory.d});
  if (matrices.a.empty()) return;
  header.add_content("memory", memory.a, matrices.a);
  header.add_content("memory", memory.b, matrices.b);
  header.add(fmt::format("memory {:#x} {} zero", memory.d, problem.d_bytes()));
  if (matrices.samples.empty())
    header.add_content("expect", memory.d, matrices.d);
  else
    header.add_samples(memory.d, problem.d_bytes(), matrices.samples, matrices.d);
}

}  // namespace tc::kernels
