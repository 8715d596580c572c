// SPDX-License-Identifier: Apache-2.0
#include "quad_pair_product.hpp"

#include <tc/config/make_dot_product.hpp>
#include <tc/isa/element_type.hpp>
#include <tc/isa/fragment_layout.hpp>
#include <tc/isa/product_operation.hpp>
#include <tc/lanes/float_arithmetic.hpp>

namespace tc::execution {

namespace {

constexpr unsigned halves_of_word = 2;

numerics::dot_product quad_pair_unit(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic) {
  return config::make_dot_product({isa::format_of(mma.a), isa::format_of(mma.b), isa::format_of(mma.d), isa::product_operation_of(mma)},
                                  arithmetic);
}

}  // namespace

quad_pair_product::quad_pair_product(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic)
    : mma_(mma), unit_(quad_pair_unit(mma, arithmetic)) {
  const isa::fragment_layout d(mma, isa::fragment::d), c(mma, isa::fragment::c);
  for (unsigned reg = 0; reg < d.registers(); ++reg)
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
      for (unsigned half = 0; half < d.elements_per_register(); ++half) {
        const isa::matrix_position at = d.position(lane, reg, half);
        const isa::fragment_element from = *c.holder(at.row, at.column, at.matrix);
        const unsigned first = at.matrix * lines_of_matrix;
        outputs_.push_back(
            {{static_cast<std::uint8_t>(lane), static_cast<std::uint8_t>(reg), static_cast<std::uint8_t>(half)},
             {static_cast<std::uint8_t>(from.lane), static_cast<std::uint8_t>(from.reg), static_cast<std::uint8_t>(from.element)},
             static_cast<std::uint8_t>(first + at.row),
             static_cast<std::uint8_t>(first + at.column)});
      }
}

/// The rows of A, or the columns of B, of all four matrices.
quad_pair_product::line_words quad_pair_product::lines_of(bool is_a, const warp::lane_vector* registers) const {
  const isa::fragment_layout layout(mma_, is_a ? isa::fragment::a : isa::fragment::b);
  line_words words{};
  for (unsigned reg = 0; reg < layout.registers(); ++reg)
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
      for (unsigned half = 0; half < halves_of_word; ++half) {
        const isa::matrix_position at = layout.position(lane, reg, half);
        const unsigned line = at.matrix * lines_of_matrix + (is_a ? at.row : at.column), k = is_a ? at.column : at.row;
        const std::uint32_t element = registers[reg][lane] >> half * warp::half_bits & warp::half_mask;
        words[line][k / halves_of_word] |= element << k % halves_of_word * warp::half_bits;
      }
  return words;
}

/// An element of C as one of D: an f16 is an f32 too.
std::uint64_t quad_pair_product::addend(const place& at, const warp::lane_vector* c) const {
  const std::uint32_t word = c[at.reg][at.lane];
  if (mma_.c == isa::element_type::f32) return word;
  const std::uint32_t element = word >> at.half * warp::half_bits & warp::half_mask;
  if (mma_.d == isa::element_type::f16) return element;
  const lanes::float_arithmetic arithmetic({}, numerics::f32);
  return arithmetic.round(arithmetic.operand(element, numerics::f16));
}

void quad_pair_product::multiply(const warp::lane_vector* a, const warp::lane_vector* b, const warp::lane_vector* c,
                                 warp::lane_vector* d) const {
  const line_words rows = lines_of(true, a), columns = lines_of(false, b);
  std::vector<std::uint64_t> values;
  values.reserve(outputs_.size());
  for (const output& each : outputs_)
    values.push_back(unit_(rows[each.row].data(), columns[each.column].data(), mma_.k, addend(each.c, c)));
  const bool has_halves = mma_.d == isa::element_type::f16;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const place& at = outputs_[i].d;
    std::uint32_t& word = d[at.reg][at.lane];
    const auto value = static_cast<std::uint32_t>(values[i]);
    if (!has_halves)
      word = value;
    else
      word = (word & ~(warp::half_mask << at.half * warp::half_bits)) | value << at.half * warp::half_bits;
  }
}

}  // namespace tc::execution
