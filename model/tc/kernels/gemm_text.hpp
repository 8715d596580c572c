// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tc/kernels/gemm_problem.hpp>
#include <tc/kernels/kernel_text.hpp>
#include <tc/trace/kernel_header.hpp>

namespace tc::kernels {

/// The contents of a GEMM's matrices, packed, the first element in the lowest bits of a byte. Without contents of A, a trace gives memory
/// none: the kernel works on what is there.
struct gemm_matrices {
  std::vector<std::uint8_t> a;             ///< row after row
  std::vector<std::uint8_t> b;             ///< column after column
  std::vector<std::uint8_t> d;             ///< what the kernel must compute, row after row; empty: nothing is expected
  std::vector<trace::byte_range> samples;  ///< of D, which is then only these bytes one sample behind the other; empty: D is whole
};

/// The trace of a GEMM kernel.
class gemm_text : public kernel_text {
 public:
  /// The name that traces give the kernel: "gemm_mixed_128x128x128".
  static std::string kernel_name(const gemm_problem& problem);

 protected:
  using kernel_text::kernel_text;

  /// Appends the header's lines about constant and global memory: addresses of A, B and D as the kernel's arguments, A, B, and what D is
  /// to be in the end.
  static void append_memory(header_lines& header, const gemm_problem& problem, const matrix_placement& memory,
                            std::uint32_t parameter_offset, const gemm_matrices& matrices);
};

}  // namespace tc::kernels
