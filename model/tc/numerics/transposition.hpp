// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/numerics/instruction_set.hpp>
#include <tc/numerics/kernel_sets.hpp>
#include <tc/numerics/simd/kernels.hpp>

namespace tc::numerics {

/// Transposes matrices of words with four columns. They come in parts of eight rows, one row after the other; their transposes have four
/// rows, `pitch` words apart.
class transposition {
 public:
  static constexpr unsigned part_rows = simd::transposed_part_rows;

  explicit transposition(instruction_set set = chosen_instruction_set()) : kernels_(numerics::kernels_of(set)) {}

  /// One part, or two.
  void to_rows(const std::uint32_t* const* parts, unsigned count, std::uint32_t* rows, unsigned pitch) const {
    kernels_.to_rows(parts, count, rows, pitch);
  }
  /// The way back.
  void from_rows(const std::uint32_t* rows, unsigned pitch, std::uint32_t* const* parts, unsigned count) const {
    kernels_.from_rows(rows, pitch, parts, count);
  }

 private:
  const simd::kernel_set& kernels_;
};

}  // namespace tc::numerics
