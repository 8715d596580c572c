// SPDX-License-Identifier: Apache-2.0
#include "fragments.hpp"

#include "number_format.hpp"

namespace tc::record {

namespace {

/// A lane and the number of an element among those of the operand that the lane holds.
struct holder {
  unsigned lane, element;
};

bool has_quad_pairs(const variant& v) { return v.instances > 1; }

/// Elements in a word, 1 also for an f64.
unsigned elements_per_word(element type) {
  const unsigned bits = format_of(type).bits;
  return bits < 32 ? 32 / bits : 1;
}

/// m8n8k4: a quad pair's eight lanes are four neighbours (index 0 to 3) and, 16 lanes on, four more, which hold rows or columns 4 to 7.
unsigned quad_pair_lane(unsigned instance, unsigned half, unsigned index) { return 16 * half + 4 * instance + index; }

/// The element of A in row `row`, or of B in column `row`, of an m8n8k4 if each lane holds all k of a row; otherwise a lane holds one k of
/// four rows.
holder quad_pair_operand(unsigned row, unsigned k, unsigned instance, bool lane_holds_row) {
  return lane_holds_row ? holder{quad_pair_lane(instance, row / 4, row % 4), k} : holder{quad_pair_lane(instance, row / 4, k), row % 4};
}

holder quad_pair_accumulator(element type, unsigned row, unsigned column, unsigned instance) {
  if (type == element::f16) return {quad_pair_lane(instance, row / 4, row % 4), column};
  const unsigned index = row % 2 + column % 4 / 2 * 2;
  return {quad_pair_lane(instance, row / 4, index), column / 4 * 4 + row % 4 / 2 * 2 + column % 2};
}

/// Words of k are dealt to four neighbouring lanes in turn; `blocks` words of a lane belong to one k, one for each 8 rows.
holder dealt_operand(const variant& v, element type, unsigned row, unsigned k) {
  const unsigned per_word = elements_per_word(type), word = k / per_word, blocks = v.m == 8 ? 1 : 2;
  const unsigned warp = row / 16, block = row % 16 / 8;
  return {32 * warp + row % 8 * 4 + word % 4, (word / 4 * blocks + block) * per_word + k % per_word};
}

holder dealt_accumulator(unsigned row, unsigned column) {
  const unsigned warp = row / 16, block = row % 16 / 8;
  return {32 * warp + row % 8 * 4 + column / 2, block * 2 + column % 2};
}

/// The place of a lane's element, the operand beginning `operand_offset` words after the lane's first.
element_place place(const variant& v, element type, holder where, unsigned operand_offset) {
  const std::size_t words_before_lanes = v.is_wgmma() ? v.b_words : 0;
  const std::size_t lane_words = (v.case_words() - words_before_lanes) / v.lanes();
  const unsigned per_word = elements_per_word(type), bits = format_of(type).bits, words_per_element = bits == 64 ? 2 : 1;
  return {words_before_lanes + where.lane * lane_words + operand_offset + where.element / per_word * words_per_element,
          where.element % per_word * bits};
}

void set(std::uint32_t* words, element_place place, element type, std::uint64_t value) {
  words[place.word] |= static_cast<std::uint32_t>(value << place.bit);
  if (format_of(type).bits == 64) words[place.word + 1] = static_cast<std::uint32_t>(value >> 32);
}

}  // namespace

element_place place_of_a(const variant& v, unsigned row, unsigned k, unsigned instance) {
  const holder where =
      has_quad_pairs(v) ? quad_pair_operand(row, k, instance, v.a_order == matrix_order::row) : dealt_operand(v, v.a, row, k);
  return place(v, v.a, where, 0);
}

element_place place_of_b(const variant& v, unsigned k, unsigned column, unsigned instance) {
  const unsigned per_word = elements_per_word(v.b);
  if (v.is_wgmma()) return {column * (v.b_words / v.n) + k / per_word, k % per_word * format_of(v.b).bits};
  const unsigned word = k / per_word;
  const holder where = has_quad_pairs(v) ? quad_pair_operand(column, k, instance, v.b_order == matrix_order::col)
                                         : holder{column * 4 + word % 4, word / 4 * per_word + k % per_word};
  return place(v, v.b, where, v.a_words);
}

element_place place_of_c(const variant& v, unsigned row, unsigned column, unsigned instance) {
  const holder where = has_quad_pairs(v) ? quad_pair_accumulator(v.c, row, column, instance) : dealt_accumulator(row, column);
  return place(v, v.c, where, v.is_wgmma() ? v.a_words : v.a_words + v.b_words);
}

void store(const variant& v, const operand_matrices& matrices, unsigned instance, std::uint32_t* case_words) {
  for (unsigned row = 0; row < v.m; ++row)
    for (unsigned k = 0; k < v.k; ++k) set(case_words, place_of_a(v, row, k, instance), v.a, matrices.a[row * v.k + k]);
  for (unsigned k = 0; k < v.k; ++k)
    for (unsigned column = 0; column < v.n; ++column)
      set(case_words, place_of_b(v, k, column, instance), v.b, matrices.b[k * v.n + column]);
  for (unsigned row = 0; row < v.m; ++row)
    for (unsigned column = 0; column < v.n; ++column)
      set(case_words, place_of_c(v, row, column, instance), v.c, matrices.c[row * v.n + column]);
}

}  // namespace tc::record
