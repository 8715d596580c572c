// SPDX-License-Identifier: Apache-2.0
#include "warpgroup_fragment.hpp"

#include <algorithm>
#include <cstddef>

#include <tc/links/matrix_shape.hpp>
#include <tc/links/warpgroup_transfer.hpp>
#include <tc/warp/four_words.hpp>

namespace tc::subcore {

namespace {

constexpr unsigned rows_per_group = 8;    // rows g and g + 8 are those of threadgroup g
constexpr unsigned columns_per_tile = 8;  // of an accumulator fragment, two of which a lane holds

/// The sign bits of the elements in a word.
std::uint32_t sign_bits(isa::element_type type) {
  switch (isa::bits(type)) {
    case 8:
      return 0x80808080u;
    case 16:
      return 0x80008000u;
    default:
      return 0x80000000u;
  }
}

/// Places of the elements of an accumulator register.
struct register_places {
  unsigned first;  ///< that of lane 0
  bool holds_two;  ///< f16: an element of the next column is in the high half
};

register_places places_of(const isa::wgmma_operation& operation, unsigned index) {
  const bool is_half = isa::bits(operation.mma.d) == warp::half_bits;
  const unsigned registers_per_tile = is_half ? 2 : 4, part = index % registers_per_tile;
  const unsigned column = index / registers_per_tile * columns_per_tile + (is_half ? 0 : part % 2);
  const unsigned row = (is_half ? part : part / 2) * rows_per_group;
  return {column * links::rows_per_warp + row, is_half};
}

/// From the first lane of a threadgroup's columns to the next lane's, of two columns each.
constexpr unsigned accumulator_pitch = 2 * links::rows_per_warp;

/// The lanes of four threadgroups, of each a row.
warp::four_by_four lanes_of(const warp::lane_vector& from, unsigned first_group) {
  return warp::load_rows(&from[std::size_t{first_group} * links::lanes_per_threadgroup], links::lanes_per_threadgroup);
}

warp::four_by_four with_each(const warp::four_by_four& rows, std::uint32_t sign) {
  return {rows[0] ^ sign, rows[1] ^ sign, rows[2] ^ sign, rows[3] ^ sign};
}

warp::four_by_four low_halves(const warp::four_by_four& rows) {
  return {rows[0] & warp::half_mask, rows[1] & warp::half_mask, rows[2] & warp::half_mask, rows[3] & warp::half_mask};
}

warp::four_by_four high_halves(const warp::four_by_four& rows) {
  return {rows[0] >> warp::half_bits, rows[1] >> warp::half_bits, rows[2] >> warp::half_bits, rows[3] >> warp::half_bits};
}

}  // namespace

void load_a(const links::warp_instruction& instruction, const isa::wgmma_operation& operation, std::uint32_t* words) {
  const std::uint32_t sign = operation.negate_a ? sign_bits(operation.mma.a) : 0;
  for (unsigned s = 0; s < operation.a_registers.size(); ++s) {
    const warp::lane_vector& from = instruction.operand(s, 0);
    std::uint32_t* const first = words + s / 2 * links::lanes_per_threadgroup * links::rows_per_warp + s % 2 * rows_per_group;
    for (unsigned g = 0; g < rows_per_group; g += 4)
      warp::store_rows(with_each(warp::transposed(lanes_of(from, g)), sign), first + g, links::rows_per_warp);
  }
}

void load_a(const std::uint32_t* rows, const isa::wgmma_operation& operation, std::uint32_t* words) {
  const std::uint32_t sign = operation.negate_a ? sign_bits(operation.mma.a) : 0;
  for (unsigned r = 0; r < links::rows_per_warp; r += 4)
    for (unsigned w = 0; w < links::warpgroup_k_words; w += 4)
      warp::store_rows(
          with_each(warp::transposed(warp::load_rows(rows + r * links::warpgroup_k_words + w, links::warpgroup_k_words)), sign),
          words + w * links::rows_per_warp + r, links::rows_per_warp);
}

void load_b(const std::uint32_t* columns, const isa::wgmma_operation& operation, std::uint32_t* words) {
  const std::uint32_t sign = operation.negate_b ? sign_bits(operation.mma.b) : 0;
  std::transform(columns, columns + std::size_t{operation.mma.n} * links::warpgroup_k_words, words,
                 [sign](std::uint32_t w) { return w ^ sign; });
}

void load_sums(const isa::wgmma_operation& operation, unsigned index, const warp::lane_vector& from, std::uint32_t* sums) {
  const register_places places = places_of(operation, index);
  for (unsigned g = 0; g < rows_per_group; g += 4) {
    std::uint32_t* const first = sums + places.first + g;
    const warp::four_by_four columns = warp::transposed(lanes_of(from, g));
    warp::store_rows(places.holds_two ? low_halves(columns) : columns, first, accumulator_pitch);
    if (places.holds_two) warp::store_rows(high_halves(columns), first + links::rows_per_warp, accumulator_pitch);
  }
}

void store_sums(const isa::wgmma_operation& operation, unsigned index, const std::uint32_t* sums, warp::lane_vector& to) {
  const register_places places = places_of(operation, index);
  for (unsigned g = 0; g < rows_per_group; g += 4) {
    const std::uint32_t* const first = sums + places.first + g;
    warp::four_by_four columns = warp::load_rows(first, accumulator_pitch);
    if (places.holds_two) {
      const warp::four_by_four low = low_halves(columns), high = warp::load_rows(first + links::rows_per_warp, accumulator_pitch);
      columns = {low[0] | high[0] << warp::half_bits, low[1] | high[1] << warp::half_bits, low[2] | high[2] << warp::half_bits,
                 low[3] | high[3] << warp::half_bits};
    }
    warp::store_rows(warp::transposed(columns), &to[std::size_t{g} * links::lanes_per_threadgroup], links::lanes_per_threadgroup);
  }
}

}  // namespace tc::subcore
