// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include <tc/numerics/number_format.hpp>

#include "shared_tile.hpp"
#include "tensor_arrays.hpp"

namespace tc::tensor_programs {

enum class matrix_kind : std::uint8_t { f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4 };

constexpr bool is_scaled(matrix_kind kind) { return kind >= matrix_kind::mxf8f6f4; }
constexpr bool is_of_nibbles(matrix_kind kind) { return kind >= matrix_kind::mxf4; }
/// Kinds whose elements of 4 and 6 bits have a byte each.
constexpr bool is_of_bytes(matrix_kind kind) { return kind == matrix_kind::f8f6f4 || kind == matrix_kind::mxf8f6f4; }
/// Bits from an element of A or B to the next; those of a row of A make 256.
constexpr unsigned element_bits(matrix_kind kind) {
  return kind == matrix_kind::tf32 ? 32 : kind == matrix_kind::f16 ? 16 : is_of_nibbles(kind) ? 4 : 8;
}

/// Which columns of B are zero, and where the others begin (PTX ISA, "Zero-column mask descriptor").
struct column_mask {
  std::array<unsigned, 4> start_counts{};
  std::array<bool, 4> begins_with_one{};
  bool is_there = false;
  unsigned skip_span = 0, use_span = 0, shift = 0;

  std::uint64_t bits() const;
  /// Of a column of N, of which each part of D has `width`.
  bool is_zero(unsigned column, unsigned width) const;
};

/// tcgen05.mma of one CTA as the PTX ISA describes it.
struct matrix_instruction {
  matrix_kind kind = matrix_kind::f16;
  bool is_stationary = false;  ///< .ws
  bool is_sparse = false;
  unsigned m = 128, n = 8;
  numerics::number_format a_format = numerics::f16, b_format = numerics::f16, d_format = numerics::f32;
  bool negates_a = false, negates_b = false, saturates = false;

  std::optional<cell> tensor_a{};  ///< otherwise A is in shared memory
  shared_tile a{}, b{};
  cell d{};
  unsigned metadata = 0;                                ///< column
  unsigned scale_a = 0, scale_b = 0;                    ///< columns
  unsigned scale_a_id = 0, scale_b_id = 0, scales = 0;  ///< scales of a row
  bool has_float_scales = false;                        ///< ue4m3, not ue8m0

  std::optional<std::array<std::uint32_t, 4>> disabled_lanes{};
  std::optional<column_mask> zero_columns{};
  bool shifts_a = false, reads_d = false;
  unsigned scale_input_d = 0;
  std::string collector{};  ///< ".collector::a::fill"; changes no value

  unsigned stored_k() const { return 256 / element_bits(kind); }
  unsigned k() const { return is_sparse ? 2 * stored_k() : stored_k(); }
  unsigned first_column_of_b() const { return zero_columns ? zero_columns->shift : 0; }
  unsigned width_of_d() const { return is_stationary ? n * m / lanes : n; }  ///< in columns
  unsigned width_of_metadata() const { return element_bits(kind) <= 8 ? 2 : 1; }
  bool writes(unsigned lane) const { return !disabled_lanes || (disabled_lanes->at(lane / 32) >> lane % 32 & 1) == 0; }

  cell place_of_d(unsigned row, unsigned column) const;
  footprint touched() const;
  std::string text() const;
};

void multiply(const matrix_instruction& mma, tensor_arrays& arrays);

}  // namespace tc::tensor_programs
