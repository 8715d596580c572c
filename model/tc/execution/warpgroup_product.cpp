// SPDX-License-Identifier: Apache-2.0
#include "warpgroup_product.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <tc/config/make_dot_product.hpp>
#include <tc/isa/element_type.hpp>

namespace tc::execution {

namespace {

constexpr unsigned warp_rows = 16, k_words = 8, rows_per_register = 8, columns_per_tile = 8, lanes_of_row = 4;

numerics::dot_product warpgroup_dot_product(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic) {
  using operation = numerics::dot_product_operation;
  const operation integers = mma.saturate ? operation::integer_saturate : operation::integer_wrap;
  const operation how = isa::format_of(mma.a).is_floating_point() ? operation::float_sum : integers;
  return config::make_dot_product({isa::format_of(mma.a), isa::format_of(mma.b), isa::format_of(mma.d), how}, arithmetic,
                                  config::operand_source::shared_memory);
}

/// Calls visit(lane, register, row, column) for what a warp holds of D: tiles of 16 rows and 8 columns, as those of m16n8 (PTX ISA, wgmma).
/// Two f16 of a row share a register.
template <class Visit>
void for_each_accumulator(const isa::mma_operation& mma, Visit visit) {
  const bool is_half = isa::bits(mma.d) == warp::half_bits;
  const unsigned per_tile = is_half ? 2 : 4;
  for (unsigned tile = 0; tile < mma.n / columns_per_tile; ++tile)
    for (unsigned part = 0; part < per_tile; ++part)
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
        const unsigned row = lane / lanes_of_row + (is_half ? part : part / 2) * rows_per_register;
        const unsigned column = tile * columns_per_tile + lane % lanes_of_row * 2 + (is_half ? 0 : part % 2);
        visit(lane, tile * per_tile + part, row, column);
      }
}

}  // namespace

warpgroup_product::warpgroup_product(const warpgroup_operands& operands, const config::arithmetic_parameters& arithmetic)
    : operands_(operands), product_(warpgroup_dot_product(operands.matrices.mma, arithmetic)) {
  const isa::mma_operation& mma = operands.matrices.mma;
  method_ = product_.method_for({warp_rows, mma.n, mma.k, nullptr, nullptr, nullptr, nullptr});
}

/// Rows of A, or columns of B, from shared memory to words that are zero: word w of row r at w * rows + r, or of column n at n * 8 + w.
std::optional<std::uint32_t> warpgroup_product::load(const isa::shared_matrix& matrix, unsigned first_row, unsigned rows, bool by_column,
                                                     const values& from, std::uint32_t* words) const {
  const unsigned bytes = matrix.element_bytes(), per_word = 4 / bytes;
  const bool is_along_k = (by_column ? operands_.matrices.b_major : operands_.matrices.a_major) == isa::matrix_major::k;
  for (unsigned core = 0; core < matrix.core_matrices(); ++core)
    for (unsigned line = 0; line < isa::shared_matrix::core_lines; ++line) {
      const std::uint32_t address = matrix.unit_address(core, line);
      const isa::matrix_place place = matrix.unit_place(core, line);
      if (std::uint64_t{address} + isa::shared_matrix::unit_bytes > from.shared_bytes) return address;
      for (unsigned e = 0; e < isa::shared_matrix::unit_bytes / bytes; ++e) {
        const unsigned row = place.row + (is_along_k ? 0 : e), k = place.k + (is_along_k ? e : 0);
        if (row < first_row || row >= first_row + rows) continue;
        std::uint32_t element = 0;
        std::memcpy(&element, from.shared + address + e * bytes, bytes);
        const unsigned w = k / per_word, r = row - first_row;
        words[by_column ? r * k_words + w : w * rows + r] |= element << (8 * bytes * (k % per_word));
      }
    }
  return std::nullopt;
}

std::optional<std::uint32_t> warpgroup_product::multiply(const values& from, const warp::lane_vector* c, warp::lane_vector* d) const {
  isa::wgmma_operation matrices = operands_.matrices;
  const isa::mma_operation& mma = matrices.mma;
  matrices.a = from.a;
  matrices.b = from.b;
  std::array<std::uint32_t, warp_rows * k_words> a{};
  std::vector<std::uint32_t> b(std::size_t{mma.n} * k_words), sums(std::size_t{mma.n} * warp_rows);
  if (matrices.a_in_registers) {
    for (unsigned reg = 0; reg < a_register_count; ++reg)
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
        a[(reg / 2 * lanes_of_row + lane % lanes_of_row) * warp_rows + lane / lanes_of_row + reg % 2 * rows_per_register] =
            from.a_registers[reg][lane];
  } else if (const auto missing = load(isa::shared_a(matrices), from.warp * warp_rows, warp_rows, false, from, a.data())) {
    return missing;
  }
  if (const auto missing = load(isa::shared_b(matrices), 0, mma.n, true, from, b.data())) return missing;
  const bool is_half = isa::bits(mma.d) == warp::half_bits;
  if (from.accumulate)
    for_each_accumulator(mma, [&](unsigned lane, unsigned reg, unsigned row, unsigned column) {
      const std::uint32_t word = c[reg][lane];
      sums[column * warp_rows + row] = is_half ? word & warp::half_mask : word;
      if (is_half) sums[(column + 1) * warp_rows + row] = word >> warp::half_bits;
    });
  product_.multiply({warp_rows, mma.n, mma.k, a.data(), b.data(), sums.data(), sums.data()}, method_);
  for_each_accumulator(mma, [&](unsigned lane, unsigned reg, unsigned row, unsigned column) {
    const std::uint32_t low = sums[column * warp_rows + row];
    d[reg][lane] = is_half ? low | sums[(column + 1) * warp_rows + row] << warp::half_bits : low;
  });
  return std::nullopt;
}

}  // namespace tc::execution
