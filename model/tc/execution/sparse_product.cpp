// SPDX-License-Identifier: Apache-2.0
#include "sparse_product.hpp"

#include <array>

#include <tc/config/make_dot_product.hpp>
#include <tc/isa/element_type.hpp>
#include <tc/isa/fragment_layout.hpp>
#include <tc/isa/product_operation.hpp>

namespace tc::execution {

namespace {

constexpr unsigned word_bits = 32, group_units = 4, chosen_units = 2, index_bits = 2, lanes_of_group = 4, upper_row = 8;

/// A matrix of bits with words as rows, as a fragment's registers have them.
class line_words {
 public:
  line_words(const isa::fragment_layout& layout, const warp::lane_vector* registers, unsigned element_bits, bool by_column, unsigned k)
      : words_(k * element_bits / word_bits), values_(std::size_t{by_column ? layout.columns() : layout.rows()} * words_) {
    for (unsigned reg = 0; reg < layout.registers(); ++reg)
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
        const isa::matrix_position at = layout.position(lane, reg, 0);
        const unsigned line = by_column ? at.column : at.row, first = by_column ? at.row : at.column;
        values_[line * words_ + first * element_bits / word_bits] = registers[reg][lane];
      }
  }

  const std::uint32_t* line(unsigned number) const { return &values_[std::size_t{number} * words_]; }

 private:
  unsigned words_;
  std::vector<std::uint32_t> values_;
};

std::uint32_t unit_of(const std::uint32_t* words, unsigned unit, unsigned bits) {
  return words[unit * bits / word_bits] >> unit * bits % word_bits & ((1U << bits) - 1);
}

isa::mma_operation stored_operation(isa::mma_operation mma) {
  mma.k = static_cast<std::uint16_t>(mma.k / 2);
  return mma;
}

numerics::dot_product unit_for(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic) {
  return config::make_dot_product({isa::format_of(mma.a), isa::format_of(mma.b), isa::format_of(mma.d), isa::product_operation_of(mma)},
                                  arithmetic);
}

}  // namespace

/// Metadata are about units of 16 bits, or of 8 bits where elements have 8 or 4: a tf32 is two units, and two s4 are one.
sparse_product::sparse_product(const sparse_operands& operands, const config::arithmetic_parameters& arithmetic)
    : operands_(operands),
      stored_(stored_operation(operands.mma)),
      unit_bits_(isa::bits(operands.mma.a) > 8 ? 16 : 8),
      product_(unit_for(operands.mma, arithmetic)),
      method_(product_.method_for({1, stored_.n, stored_.k, nullptr, nullptr, nullptr, nullptr})) {}

/// The unit of a row of B's length that unit number `stored` of a row of A stands for. A lane has 32 bits of metadata: with 16 bits of each
/// row the lower half is about row g, the upper one about row g + 8; with 32 or 64 bits (8-bit units) each lane is about one row, and the
/// odd ones about the upper rows; a row of 32 bits of 16-bit units is in two lanes.
unsigned sparse_product::chosen_unit(const warp::lane_vector& metadata, unsigned row, unsigned stored) const {
  const unsigned units = operands_.mma.k * isa::bits(operands_.mma.a) / unit_bits_;
  const bool is_upper = row >= upper_row;
  const unsigned first_lane = row % upper_row * lanes_of_group;
  unsigned lane = 0, bit = 0;
  if (unit_bits_ == 16) {
    constexpr unsigned units_of_lane = 8;  // that are there, of each of two rows
    const unsigned lanes = units / 16;     // that have metadata
    lane = operands_.selector * lanes + stored / units_of_lane;
    bit = stored % units_of_lane * index_bits + (is_upper ? 16 : 0);
  } else {
    constexpr unsigned units_of_lane = 16;
    lane = operands_.selector * chosen_units + stored / units_of_lane * 2 + (is_upper ? 1 : 0);
    bit = stored % units_of_lane * index_bits;
  }
  const std::uint32_t index = metadata[first_lane + lane % lanes_of_group] >> bit & ((1U << index_bits) - 1);
  return stored / chosen_units * group_units + index;
}

void sparse_product::multiply(const warp::lane_vector* a, const warp::lane_vector* b, const warp::lane_vector* c,
                              const warp::lane_vector& metadata, warp::lane_vector* d) const {
  const isa::mma_operation& mma = operands_.mma;
  const unsigned element_bits = isa::bits(mma.a), units = stored_.k * element_bits / unit_bits_, row_words = stored_.k * element_bits / 32;
  const line_words a_rows({stored_, isa::fragment::a}, a, element_bits, false, stored_.k);
  const line_words b_columns({mma, isa::fragment::b}, b, element_bits, true, mma.k);
  const isa::fragment_layout accumulators(mma, isa::fragment::d);
  const unsigned sum_bits = isa::bits(mma.d);
  std::vector<std::uint32_t> gathered(std::size_t{mma.n} * row_words), sums(mma.n);
  std::vector<warp::lane_vector> result(accumulators.registers());
  for (unsigned row = 0; row < mma.m; ++row) {
    std::fill(gathered.begin(), gathered.end(), 0);
    for (unsigned stored = 0; stored < units; ++stored) {
      const unsigned unit = chosen_unit(metadata, row, stored), at = stored * unit_bits_;
      for (unsigned column = 0; column < mma.n; ++column)
        gathered[column * row_words + at / word_bits] |= unit_of(b_columns.line(column), unit, unit_bits_) << at % word_bits;
    }
    std::vector<isa::fragment_element> places(mma.n);
    for (unsigned column = 0; column < mma.n; ++column) {
      places[column] = *accumulators.holder(row, column);
      const std::uint32_t word = c[places[column].reg][places[column].lane] >> places[column].element * sum_bits % word_bits;
      sums[column] = sum_bits == 16 ? word & warp::half_mask : word;
    }
    product_.multiply({1, mma.n, stored_.k, a_rows.line(row), gathered.data(), sums.data(), sums.data()}, method_);
    for (unsigned column = 0; column < mma.n; ++column)
      result[places[column].reg][places[column].lane] |= sums[column] << places[column].element * sum_bits % word_bits;
  }
  for (unsigned reg = 0; reg < accumulators.registers(); ++reg) d[reg] = result[reg];
}

}  // namespace tc::execution
