// SPDX-License-Identifier: Apache-2.0
#include "register_product.hpp"

#include <array>
#include <stdexcept>

#include <tc/config/make_dot_product.hpp>
#include <tc/isa/element_type.hpp>
#include <tc/isa/fragment_layout.hpp>
#include <tc/isa/product_operation.hpp>

namespace tc::execution {

namespace {

constexpr unsigned most_words = 512;  // of an operand: 16 x 8 f64 of C, 16 x 16 f64 of A

numerics::dot_product dot_product_for(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic) {
  return config::make_dot_product({isa::format_of(mma.a), isa::format_of(mma.b), isa::format_of(mma.d), isa::product_operation_of(mma)},
                                  arithmetic);
}

/// Takes the signs of f64, which are in their upper words.
void apply_sign(const register_product::operand_sign& sign, std::uint32_t* words, unsigned rows, unsigned row_words, bool by_column) {
  constexpr std::uint32_t sign_bit = 0x80000000;
  if (!sign.absolute && !sign.negated) return;
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned w = 1; w < row_words; w += 2) {
      std::uint32_t& word = words[by_column ? row * row_words + w : w * rows + row];
      if (sign.absolute) word &= ~sign_bit;
      if (sign.negated) word ^= sign_bit;
    }
}

}  // namespace

register_product::register_product(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic)
    : mma_(mma), product_(dot_product_for(mma, arithmetic)), has_halves_(isa::bits(mma.d) == warp::half_bits) {
  const unsigned k_words = mma.k * isa::bits(mma.a) / 32;
  a_ = places_of({mma, isa::fragment::a}, 1, mma.m, false);
  b_ = places_of({mma, isa::fragment::b}, k_words, 1, true);
  const isa::fragment_layout accumulators(mma, isa::fragment::d);
  const unsigned words = accumulators.registers_per_element();
  const auto place = [&](unsigned lane, unsigned reg, unsigned element) {
    const isa::matrix_position at = accumulators.position(lane, reg, element);
    return static_cast<std::uint16_t>((at.column * mma.m + at.row) * words + reg % words);
  };
  for (unsigned reg = 0; reg < accumulators.registers(); ++reg)
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
      accumulators_.push_back(place(lane, reg, 0));
      if (has_halves_) upper_accumulators_.push_back(place(lane, reg, 1));
    }
  numerics::matrix_operands shape{mma.m, mma.n, mma.k, nullptr, nullptr, nullptr, nullptr};
  method_ = product_.method_for(shape);
}

/// Word w of row r of A is at w * m + r, that of column n of B at n * words + w.
register_product::word_places register_product::places_of(const isa::fragment_layout& layout, unsigned row_pitch, unsigned word_pitch,
                                                          bool by_column) {
  word_places places;
  const unsigned words_per_element = layout.registers_per_element();
  for (unsigned reg = 0; reg < layout.registers(); ++reg)
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
      const isa::matrix_position at = layout.position(lane, reg, 0);
      const unsigned row = by_column ? at.column : at.row, k = by_column ? at.row : at.column;
      const unsigned word = k / layout.elements_per_register() * words_per_element + reg % words_per_element;
      places.push_back(static_cast<std::uint16_t>(row * row_pitch + word * word_pitch));
    }
  return places;
}

bool register_product::is_for(const isa::mma_operation& mma) const {
  const isa::mma_operation& own = mma_;
  return own.m == mma.m && own.n == mma.n && own.k == mma.k && own.a == mma.a && own.b == mma.b && own.c == mma.c && own.d == mma.d &&
         own.saturate == mma.saturate && own.combine == mma.combine && own.instances == mma.instances;
}

void register_product::load_accumulators(const warp::lane_vector* from, std::uint32_t* words) const {
  const std::uint32_t* const values = from->data();
  for (std::size_t i = 0; i < accumulators_.size(); ++i) {
    words[accumulators_[i]] = has_halves_ ? values[i] & warp::half_mask : values[i];
    if (has_halves_) words[upper_accumulators_[i]] = values[i] >> warp::half_bits;
  }
}

void register_product::store_accumulators(const std::uint32_t* words, warp::lane_vector* to) const {
  std::uint32_t* const values = to->data();
  for (std::size_t i = 0; i < accumulators_.size(); ++i)
    values[i] = words[accumulators_[i]] | (has_halves_ ? words[upper_accumulators_[i]] << warp::half_bits : 0);
}

void register_product::multiply(const warp::lane_vector* a, const warp::lane_vector* b, const warp::lane_vector* c, warp::lane_vector* d,
                                const operand_sign (&signs)[3]) const {
  std::array<std::uint32_t, most_words> a_words, b_words, c_words;
  for (std::size_t i = 0; i < a_.size(); ++i) a_words[a_[i]] = a->data()[i];
  for (std::size_t i = 0; i < b_.size(); ++i) b_words[b_[i]] = b->data()[i];
  load_accumulators(c, c_words.data());
  if (mma_.a == isa::element_type::f64) {
    const unsigned k_words = mma_.k * 2U;
    apply_sign(signs[0], a_words.data(), mma_.m, k_words, false);
    apply_sign(signs[1], b_words.data(), mma_.n, k_words, true);
    apply_sign(signs[2], c_words.data(), mma_.m * mma_.n, 2, true);
  }
  const numerics::matrix_operands operands{mma_.m, mma_.n, mma_.k, a_words.data(), b_words.data(), c_words.data(), c_words.data()};
  product_.multiply(operands, method_);
  store_accumulators(c_words.data(), d);
}

}  // namespace tc::execution
