#include "octet_step.hpp"

#include <algorithm>
#include <array>

#include <tc/numerics/number_format.hpp>
#include <tc/subcore/tensor/lane_transposition.hpp>

namespace tc::subcore {

namespace {

constexpr unsigned half_bits = 16;
constexpr std::uint32_t half_mask = 0xffff;

/// Threadgroups of an octet.
constexpr unsigned octet_threadgroups = 2;

/// From a lane of the lower threadgroup of an octet to that of the upper one.
constexpr unsigned upper_lanes = octets_per_warp * lanes_per_threadgroup;

/// Registers and words of B that an octet takes in a step: the tile that one threadgroup holds.
constexpr unsigned tile_registers = 2, tile_words = tile_registers * lanes_per_threadgroup;

/// The four lines of a tile, rows of A or columns of B: a word of each of them, and the other.
using tile_lines = std::array<four_words, tile_registers>;

using eight_halves [[gnu::vector_size(16)]] = std::uint16_t;

/// From the two registers of four lanes.
tile_lines lines_of_tile(four_words first, four_words second, bool lane_holds_line) {
  if (lane_holds_line) return {first, second};
  const auto low = reinterpret_cast<eight_halves>(first), high = reinterpret_cast<eight_halves>(second);  // lines 0 and 1, 2 and 3
  return {reinterpret_cast<four_words>(__builtin_shufflevector(low, high, 0, 2, 1, 3, 8, 10, 9, 11)),
          reinterpret_cast<four_words>(__builtin_shufflevector(low, high, 4, 6, 5, 7, 12, 14, 13, 15))};
}

/// The first, or the last, two words of two vectors.
four_words first_pairs(four_words x, four_words y) { return __builtin_shufflevector(x, y, 0, 1, 4, 5); }
four_words last_pairs(four_words x, four_words y) { return __builtin_shufflevector(x, y, 2, 3, 6, 7); }

std::uint32_t f32_of_f16(std::uint32_t half) {
  return static_cast<std::uint32_t>(numerics::encode(numerics::value_of(half, numerics::f16), numerics::f32));
}

}  // namespace

octet_step::octet_step(const isa::mma_operation& mma) : octet_step(mma, isa::work_of_hmma_884(mma.d, 0, mma.step, 0)) {}

octet_step::octet_step(const isa::mma_operation& mma, const isa::hmma_884_work& work)
    : product_layout(mma, work.rows, work.columns), work_(work) {}

unsigned octet_step::rows_of_octet() const { return octet_threadgroups * rows_per_threadgroup(); }

product_shape octet_step::shape_of(const octet_range& octets) const {
  return {octets.count, rows_of_octet(), columns_per_threadgroup(), mma().k};
}

unsigned octet_step::operand_bits_used() const {
  const unsigned rows = work_.rows * threadgroups_per_warp, columns = work_.columns * octets_per_warp;
  return (rows + columns) * work_.ks * isa::bits(mma().a) + threadgroups_per_warp * outputs_per_threadgroup() * isa::bits(mma().c);
}

/// Those of the octet, if they are the threadgroup's whose B the step takes.
std::uint32_t octet_step::lanes_reached_by_b(std::uint32_t lanes) const {
  std::uint32_t reached = 0;
  for (unsigned octet = 0; octet < octets_per_warp; ++octet) {
    if ((lanes & lanes_of_threadgroup(octet + work_.b_threadgroup)) != 0)
      reached |= lanes_of_threadgroup(octet) | lanes_of_threadgroup(octet + octets_per_warp);
  }
  return reached;
}

unsigned octet_step::b_words(const octet_range& served) const { return served.count * tile_words; }
unsigned octet_step::first_b_word(const octet_range& served) const { return served.first * tile_words; }

void octet_step::pack_b(registers b, std::uint32_t* words) const {
  for (unsigned octet = 0; octet < octets_per_warp; ++octet) {
    const unsigned lane = (octet + work_.b_threadgroup) * lanes_per_threadgroup;
    for (unsigned r = 0; r < tile_registers; ++r) words = std::copy_n(&(*b[r])[lane], lanes_per_threadgroup, words);
  }
}

void octet_step::unpack_b(const std::uint32_t* words, const octet_range& served, const octet_range& octets, std::uint32_t* columns) const {
  const std::uint32_t* tile = words + (octets.first - served.first) * tile_words;
  for (unsigned octet = 0; octet < octets.count; ++octet, tile += tile_words, columns += tile_words) {
    const tile_lines lines = lines_of_tile(load_four(tile), load_four(tile + lanes_per_threadgroup), mma().b_column);
    store_four(columns, __builtin_shufflevector(lines[0], lines[1], 0, 4, 1, 5));
    store_four(columns + lanes_per_threadgroup, __builtin_shufflevector(lines[0], lines[1], 2, 6, 3, 7));
  }
}

void octet_step::load_a(registers a, const octet_range& octets, std::uint32_t* words) const {
  const auto lines_of = [&](unsigned threadgroup) {
    const unsigned lane = threadgroup * lanes_per_threadgroup;
    return lines_of_tile(load_four(&(*a[0])[lane]), load_four(&(*a[1])[lane]), !mma().a_column);
  };
  for (unsigned octet = 0; octet < octets.count; ++octet) {
    const tile_lines lower = lines_of(octets.first + octet), upper = lines_of(octets.first + octet + octets_per_warp);
    for (unsigned word = 0; word < tile_registers; ++word, words += rows_of_octet()) {
      if (rows_per_threadgroup() == lanes_per_threadgroup) {
        store_four(words, lower[word]);
        store_four(words + lanes_per_threadgroup, upper[word]);
      } else {
        store_four(words, work_.first_row == 0 ? first_pairs(lower[word], upper[word]) : last_pairs(lower[word], upper[word]));
      }
    }
  }
}

/// Place of the first sum of threadgroup `i` of the range.
unsigned octet_step::first_sum_of(const octet_range& octets, unsigned i) const {
  const unsigned octet = i % octets.count, first_row = i / octets.count * rows_per_threadgroup();
  return octet * rows_of_octet() * columns_per_threadgroup() + first_row;
}

/// Calls `visit(register, first lane of the octet, place in the sums)` for the registers of C and D. A register of the pair has four rows
/// of a column, and of the next in the high half, where sums are f16; else of the four rows of the octet the elements of two columns, the
/// second two columns on.
template <class Visit>
void octet_step::for_each_accumulator(const octet_range& octets, const Visit& visit) const {
  const unsigned columns_apart = packs_accumulators() ? 2 : 1;
  for (unsigned octet = 0; octet < octets.count; ++octet) {
    const unsigned lane = (octets.first + octet) * lanes_per_threadgroup;
    const unsigned first = octet * rows_of_octet() * columns_per_threadgroup();
    for (unsigned reg = 0; reg < tile_registers; ++reg) visit(reg, lane, first + reg * columns_apart * rows_of_octet());
  }
}

void octet_step::load_c(registers c, const octet_range& octets, std::uint32_t* values) const {
  if (mma().c != mma().d) return load_widened_c(c, octets, values);
  for_each_accumulator(octets, [&](unsigned reg, unsigned lane, unsigned at) {
    const four_words lower = load_four(&(*c[reg])[lane]), upper = load_four(&(*c[reg])[lane + upper_lanes]);
    std::uint32_t* const first = values + at;
    if (packs_accumulators()) {
      std::uint32_t* const next_column = first + rows_of_octet();
      store_four(first, lower & half_mask);
      store_four(first + lanes_per_threadgroup, upper & half_mask);
      store_four(next_column, lower >> half_bits);
      store_four(next_column + lanes_per_threadgroup, upper >> half_bits);
    } else {
      store_four(first, first_pairs(lower, upper));
      store_four(first + 2 * rows_of_octet(), last_pairs(lower, upper));
    }
  });
}

/// C in f16 where D is f32: a lane holds four columns of one row, of which the step takes its two (PTX ISA, mma.m8n8k4).
void octet_step::load_widened_c(registers c, const octet_range& octets, std::uint32_t* values) const {
  for (unsigned i = 0; i < octets.threadgroups(); ++i) {
    std::uint32_t* const sums = values + first_sum_of(octets, i);
    for (unsigned row = 0; row < rows_per_threadgroup(); ++row) {
      const unsigned lane = octets.threadgroup(i) * lanes_per_threadgroup + work_.first_row + row;
      for (unsigned column = 0; column < columns_per_threadgroup(); ++column) {
        const std::uint32_t half = (*c[column / 2])[lane] >> (column % 2 * half_bits) & half_mask;
        sums[column * rows_of_octet() + row] = f32_of_f16(half);
      }
    }
  }
}

void octet_step::store_d(const std::uint32_t* values, const octet_range& octets, lane_vector* d) const {
  for_each_accumulator(octets, [&](unsigned reg, unsigned lane, unsigned at) {
    const std::uint32_t* const first = values + at;
    four_words lower, upper;
    if (packs_accumulators()) {
      const std::uint32_t* const next_column = first + rows_of_octet();
      lower = load_four(first) | load_four(next_column) << half_bits;
      upper = load_four(first + lanes_per_threadgroup) | load_four(next_column + lanes_per_threadgroup) << half_bits;
    } else {
      const four_words column = load_four(first), other_column = load_four(first + 2 * rows_of_octet());
      lower = first_pairs(column, other_column);
      upper = last_pairs(column, other_column);
    }
    store_four(&d[reg][lane], lower);
    store_four(&d[reg][lane + upper_lanes], upper);
  });
}

}  // namespace tc::subcore
