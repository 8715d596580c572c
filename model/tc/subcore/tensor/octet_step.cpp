// SPDX-License-Identifier: Apache-2.0
#include "octet_step.hpp"

#include <algorithm>
#include <array>

#include <tc/numerics/number_format.hpp>
#include <tc/subcore/tensor/product_layout.hpp>

namespace tc::subcore {

namespace {

/// Threadgroups of an octet.
constexpr unsigned octet_threadgroups = 2;

/// From a lane of the lower threadgroup of an octet to that of the upper one.
constexpr unsigned upper_lanes = links::octets_per_warp * links::lanes_per_threadgroup;

/// Registers and words of B that an octet takes in a step: the tile that one threadgroup holds.
constexpr unsigned tile_registers = 2, tile_words = tile_registers * links::lanes_per_threadgroup;

/// The four lines of a tile, rows of A or columns of B: a word of each of them, and the other.
using tile_lines = std::array<warp::four_words, tile_registers>;

using eight_halves [[gnu::vector_size(16)]] = std::uint16_t;

/// From the two registers of four lanes.
tile_lines lines_of_tile(warp::four_words first, warp::four_words second, bool lane_holds_line) {
  if (lane_holds_line) return {first, second};
  const auto low = reinterpret_cast<eight_halves>(first), high = reinterpret_cast<eight_halves>(second);  // lines 0 and 1, 2 and 3
  return {reinterpret_cast<warp::four_words>(__builtin_shufflevector(low, high, 0, 2, 1, 3, 8, 10, 9, 11)),
          reinterpret_cast<warp::four_words>(__builtin_shufflevector(low, high, 4, 6, 5, 7, 12, 14, 13, 15))};
}

/// The first, or the last, two words of two vectors.
warp::four_words first_pairs(warp::four_words x, warp::four_words y) { return __builtin_shufflevector(x, y, 0, 1, 4, 5); }
warp::four_words last_pairs(warp::four_words x, warp::four_words y) { return __builtin_shufflevector(x, y, 2, 3, 6, 7); }

/// Calls visit(octet) for so many octets. Most often they are those of a warp, for which the compiler unrolls the loop.
template <class Visit>
void for_each_octet(unsigned count, const Visit& visit) {
  if (count == links::octets_per_warp) {
    for (unsigned octet = 0; octet < links::octets_per_warp; ++octet) visit(octet);
  } else {
    for (unsigned octet = 0; octet < count; ++octet) visit(octet);
  }
}

std::uint32_t f32_of_f16(std::uint32_t half) {
  return static_cast<std::uint32_t>(numerics::encode(numerics::value_of(half, numerics::f16), numerics::f32));
}

}  // namespace

octet_step::octet_step(const isa::mma_operation& mma) : octet_step(mma, isa::work_of_hmma_884(mma.d, 0, mma.step, 0)) {}

octet_step::octet_step(const isa::mma_operation& mma, const isa::hmma_884_work& work)
    : product_layout(mma, work.rows, work.columns), work_(work) {}

unsigned octet_step::rows_of_octet() const { return octet_threadgroups * rows_per_threadgroup(); }

links::product_shape octet_step::shape_of(const links::octet_range& octets) const {
  return {octets.count, rows_of_octet(), columns_per_threadgroup(), mma().k};
}

unsigned octet_step::operand_bits_used() const {
  const unsigned rows = work_.rows * links::threadgroups_per_warp, columns = work_.columns * links::octets_per_warp;
  return (rows + columns) * work_.ks * isa::bits(mma().a) + links::threadgroups_per_warp * outputs_per_threadgroup() * isa::bits(mma().c);
}

/// Those of the octet, if they are the threadgroup's whose B the step takes.
std::uint32_t octet_step::lanes_reached_by_b(std::uint32_t lanes) const {
  std::uint32_t reached = 0;
  for (unsigned octet = 0; octet < links::octets_per_warp; ++octet) {
    if ((lanes & links::lanes_of_threadgroup(octet + work_.b_threadgroup)) != 0)
      reached |= links::lanes_of_threadgroup(octet) | links::lanes_of_threadgroup(octet + links::octets_per_warp);
  }
  return reached;
}

unsigned octet_step::b_words(const links::octet_range& octets) const { return octets.count * tile_words; }
unsigned octet_step::first_b_word(const links::octet_range& octets) const { return octets.first * tile_words; }

void octet_step::pack_b(registers b, std::uint32_t* columns) const {
  const unsigned first_lane = work_.b_threadgroup * links::lanes_per_threadgroup;
  const std::uint32_t *const first = &(*b[0])[first_lane], *const second = &(*b[1])[first_lane];
  const bool lane_holds_line = mma().b_column;
  for (unsigned octet = 0; octet < links::octets_per_warp; ++octet) {
    const unsigned lane = octet * links::lanes_per_threadgroup;
    const tile_lines lines = lines_of_tile(warp::load_four(first + lane), warp::load_four(second + lane), lane_holds_line);
    std::uint32_t* const tile = columns + octet * tile_words;
    warp::store_four(tile, __builtin_shufflevector(lines[0], lines[1], 0, 4, 1, 5));
    warp::store_four(tile + links::lanes_per_threadgroup, __builtin_shufflevector(lines[0], lines[1], 2, 6, 3, 7));
  }
}

/// `rows_of(lower, upper, words)` takes from a word of four rows of each of the two threadgroups those that the step multiplies; they fill
/// so many words.
template <class Rows>
void octet_step::put_rows(registers a, const links::octet_range& octets, std::uint32_t* words, unsigned rows, const Rows& rows_of) const {
  const std::uint32_t *const first = &(*a[0])[octets.first_lane()], *const second = &(*a[1])[octets.first_lane()];
  const bool lane_holds_line = !mma().a_column;
  for_each_octet(octets.count, [=](unsigned octet) {
    const unsigned lane = octet * links::lanes_per_threadgroup, upper_lane = lane + upper_lanes;
    const tile_lines lower = lines_of_tile(warp::load_four(first + lane), warp::load_four(second + lane), lane_holds_line);
    const tile_lines upper = lines_of_tile(warp::load_four(first + upper_lane), warp::load_four(second + upper_lane), lane_holds_line);
    for (unsigned word = 0; word < tile_registers; ++word)
      rows_of(lower[word], upper[word], words + (octet * tile_registers + word) * rows);
  });
}

void octet_step::load_a(registers a, const links::octet_range& octets, std::uint32_t* words) const {
  const unsigned rows = rows_of_octet();
  if (rows_per_threadgroup() == links::lanes_per_threadgroup)
    return put_rows(a, octets, words, rows, [](warp::four_words lower, warp::four_words upper, std::uint32_t* to) {
      warp::store_four(to, lower);
      warp::store_four(to + links::lanes_per_threadgroup, upper);
    });
  if (work_.first_row == 0)
    return put_rows(a, octets, words, rows, [](warp::four_words lower, warp::four_words upper, std::uint32_t* to) {
      warp::store_four(to, first_pairs(lower, upper));
    });
  put_rows(a, octets, words, rows,
           [](warp::four_words lower, warp::four_words upper, std::uint32_t* to) { warp::store_four(to, last_pairs(lower, upper)); });
}

/// Place of the first sum of threadgroup `i` of the range.
unsigned octet_step::first_sum_of(const links::octet_range& octets, unsigned i) const {
  const unsigned octet = i % octets.count, first_row = i / octets.count * rows_per_threadgroup();
  return octet * rows_of_octet() * columns_per_threadgroup() + first_row;
}

/// Calls `visit(register, first lane of the octet, place in the sums)` for the registers of C and D. A register of the pair has four rows
/// of a column, and of the next in the high half, where sums are f16; else of the four rows of the octet the elements of two columns, the
/// second two columns on.
template <class Visit>
void octet_step::for_each_accumulator(const links::octet_range& octets, const Visit& visit) const {
  const unsigned to_next_register = rows_of_octet() * (packs_accumulators() ? 2 : 1), sums = rows_of_octet() * columns_per_threadgroup();
  const unsigned first_lane = octets.first_lane();
  for_each_octet(octets.count, [&](unsigned octet) {
    for (unsigned reg = 0; reg < tile_registers; ++reg)
      visit(reg, first_lane + octet * links::lanes_per_threadgroup, octet * sums + reg * to_next_register);
  });
}

void octet_step::load_c(registers c, const links::octet_range& octets, std::uint32_t* values) const {
  if (mma().c != mma().d) return load_widened_c(c, octets, values);
  const unsigned rows = rows_of_octet();
  if (!packs_accumulators())
    return for_each_accumulator(octets, [&](unsigned reg, unsigned lane, unsigned at) {
      const warp::four_words lower = warp::load_four(&(*c[reg])[lane]), upper = warp::load_four(&(*c[reg])[lane + upper_lanes]);
      warp::store_four(values + at, first_pairs(lower, upper));
      warp::store_four(values + at + 2 * rows, last_pairs(lower, upper));
    });
  for_each_accumulator(octets, [&](unsigned reg, unsigned lane, unsigned at) {
    const warp::four_words lower = warp::load_four(&(*c[reg])[lane]), upper = warp::load_four(&(*c[reg])[lane + upper_lanes]);
    std::uint32_t *const first = values + at, *const next_column = first + rows;
    warp::store_four(first, lower & warp::half_mask);
    warp::store_four(first + links::lanes_per_threadgroup, upper & warp::half_mask);
    warp::store_four(next_column, lower >> warp::half_bits);
    warp::store_four(next_column + links::lanes_per_threadgroup, upper >> warp::half_bits);
  });
}

/// C in f16 where D is f32: a lane holds four columns of one row, of which the step takes its two (PTX ISA, mma.m8n8k4).
void octet_step::load_widened_c(registers c, const links::octet_range& octets, std::uint32_t* values) const {
  for (unsigned i = 0; i < octets.threadgroups(); ++i) {
    std::uint32_t* const sums = values + first_sum_of(octets, i);
    for (unsigned row = 0; row < rows_per_threadgroup(); ++row) {
      const unsigned lane = octets.threadgroup(i) * links::lanes_per_threadgroup + work_.first_row + row;
      for (unsigned column = 0; column < columns_per_threadgroup(); ++column) {
        const std::uint32_t half = (*c[column / 2])[lane] >> (column % 2 * warp::half_bits) & warp::half_mask;
        sums[column * rows_of_octet() + row] = f32_of_f16(half);
      }
    }
  }
}

void octet_step::store_d(const std::uint32_t* values, const links::octet_range& octets, warp::lane_vector* const* d) const {
  const unsigned rows = rows_of_octet();
  if (!packs_accumulators())
    return for_each_accumulator(octets, [&](unsigned reg, unsigned lane, unsigned at) {
      const warp::four_words column = warp::load_four(values + at), other_column = warp::load_four(values + at + 2 * rows);
      warp::store_four(&(*d[reg])[lane], first_pairs(column, other_column));
      warp::store_four(&(*d[reg])[lane + upper_lanes], last_pairs(column, other_column));
    });
  for_each_accumulator(octets, [&](unsigned reg, unsigned lane, unsigned at) {
    const std::uint32_t *const first = values + at, *const next_column = first + rows;
    warp::store_four(&(*d[reg])[lane], warp::load_four(first) | warp::load_four(next_column) << warp::half_bits);
    warp::store_four(&(*d[reg])[lane + upper_lanes], warp::load_four(first + links::lanes_per_threadgroup) |
                                                         warp::load_four(next_column + links::lanes_per_threadgroup) << warp::half_bits);
  });
}

}  // namespace tc::subcore
