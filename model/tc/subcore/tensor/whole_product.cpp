// SPDX-License-Identifier: Apache-2.0
#include "whole_product.hpp"

#include <algorithm>

#include <tc/isa/warp_lanes.hpp>
#include <tc/links/matrix_shape.hpp>
#include <tc/subcore/tensor/product_layout.hpp>

namespace tc::subcore {

namespace {

/// The columns of D that lane t of a threadgroup holds: 2t and 2t + 1.
constexpr unsigned columns_per_lane = 2;

/// Where the buffers have the lanes of a register: lane t of threadgroup g of the range is `lane` * t + `group` * g after the first.
struct strides {
  unsigned lane, group;
};

/// Calls `visit(lane of the warp, distance from the first lane's word)` for the lanes of some octets.
template <class Visit>
void for_each_lane(const links::octet_range& octets, const strides& step, const Visit& visit) {
  for (unsigned g = 0; g < octets.threadgroups(); ++g) {
    const unsigned first = octets.threadgroup(g) * links::lanes_per_threadgroup;
    for (unsigned t = 0; t < links::lanes_per_threadgroup; ++t) visit(first + t, t * step.lane + g * step.group);
  }
}

/// Puts the lanes of some octets where the buffers have them.
void spread(const warp::lane_vector& from, const links::octet_range& octets, std::uint32_t* to, const strides& step) {
  if (step.group != 1 || !is_transposable(octets))
    return for_each_lane(octets, step, [&](unsigned lane, unsigned at) { to[at] = from[lane]; });
  for (unsigned g = 0; g < octets.threadgroups(); g += 4)
    warp::store_rows(warp::transposed(threadgroup_block(octets, g).load(from)), to + g, step.lane);
}

/// The same of pairs of f16, with the high halves `next` words after the low ones.
void spread_halves(const warp::lane_vector& from, const links::octet_range& octets, std::uint32_t* to, const strides& step, unsigned next) {
  if (!is_transposable(octets))
    return for_each_lane(octets, step, [&](unsigned lane, unsigned at) {
      to[at] = from[lane] & warp::half_mask;
      to[at + next] = from[lane] >> warp::half_bits;
    });
  for (unsigned g = 0; g < octets.threadgroups(); g += 4) {
    const warp::four_by_four rows = warp::transposed(threadgroup_block(octets, g).load(from));
    warp::store_rows({rows[0] & warp::half_mask, rows[1] & warp::half_mask, rows[2] & warp::half_mask, rows[3] & warp::half_mask}, to + g,
                     step.lane);
    warp::store_rows({rows[0] >> warp::half_bits, rows[1] >> warp::half_bits, rows[2] >> warp::half_bits, rows[3] >> warp::half_bits},
                     to + g + next, step.lane);
  }
}

/// The way back of spread().
void gather(const std::uint32_t* from, const strides& step, const links::octet_range& octets, warp::lane_vector& to) {
  if (step.group != 1 || !is_transposable(octets))
    return for_each_lane(octets, step, [&](unsigned lane, unsigned at) { to[lane] = from[at]; });
  for (unsigned g = 0; g < octets.threadgroups(); g += 4)
    threadgroup_block(octets, g).store(warp::transposed(warp::load_rows(from + g, step.lane)), to);
}

/// Whether these are all lanes of a warp.
bool is_whole_warp(const links::octet_range& octets) { return octets.count == links::octets_per_warp; }

/// The way back of spread_halves().
void gather_halves(const std::uint32_t* from, const strides& step, unsigned next, const links::octet_range& octets, warp::lane_vector& to) {
  if (!is_transposable(octets))
    return for_each_lane(octets, step, [&](unsigned lane, unsigned at) { to[lane] = from[at] | from[at + next] << warp::half_bits; });
  for (unsigned g = 0; g < octets.threadgroups(); g += 4) {
    const warp::four_by_four low = warp::load_rows(from + g, step.lane), high = warp::load_rows(from + g + next, step.lane);
    const auto pair = [&](unsigned t) { return low[t] | high[t] << warp::half_bits; };
    threadgroup_block(octets, g).store(warp::transposed({pair(0), pair(1), pair(2), pair(3)}), to);
  }
}

}  // namespace

whole_product::whole_product(const isa::mma_operation& mma)
    : product_layout(mma, mma.m / links::threadgroups_per_warp, mma.n),
      a_registers_(mma.a_registers()),
      b_registers_(mma.b_registers()),
      accumulator_registers_(mma.d_registers()),
      column_tiles_(mma.n / isa::matrix_tile_lines),
      element_words_(isa::bits(mma.d) == 64 ? 2 : 1) {
  for (unsigned r = 0; r < a_registers_; ++r) a_places_[r] = a_place_of(r);
  for (unsigned r = 0; r < accumulator_registers_; ++r) accumulator_places_[r] = accumulator_place_of(r);
  if (element_words_ != 1) return;
  a_rows_ = row_pairs(a_places_.data(), a_registers_);
  if (!packs_accumulators()) accumulator_rows_ = row_pairs(accumulator_places_.data(), accumulator_registers_);
}

std::vector<whole_product::row_pair> whole_product::row_pairs(const place* places, unsigned count) const {
  std::vector<row_pair> pairs;
  for (unsigned r = 0; r < count; ++r) {
    const auto is_below = [&](const place& other) { return other.words == places[r].words && other.row_blocks == 1; };
    if (places[r].row_blocks != 0) continue;
    const place* const below = std::find_if(places, places + count, is_below);
    const unsigned word = places[r].in(all_rows(), links::threadgroups_per_warp);
    pairs.push_back({r, static_cast<unsigned>(below - places), below == places + count ? 1U : 2U, word});
  }
  return pairs;
}

/// With two rows, even elements hold row g and odd ones row g + 8; each register holds four words of its row, in the order of the lanes, or
/// the low or high words of four f64.
whole_product::place whole_product::a_place_of(unsigned reg) const {
  const unsigned element = reg / element_words_, rows = rows_per_threadgroup();
  return {element / rows * links::lanes_per_threadgroup * element_words_ + reg % element_words_, element % rows, 0};
}

/// An element of one of a lane's two columns in a tile of eight, the low or high word of an f64, or two f16 of a row.
whole_product::place whole_product::accumulator_place_of(unsigned reg) const {
  const unsigned element = packs_accumulators() ? reg * columns_per_lane : reg / element_words_;
  const unsigned block = element / columns_per_lane, rows = rows_per_threadgroup();
  const unsigned column = block / rows * isa::matrix_tile_lines + element % columns_per_lane;
  return {column * element_words_, block % rows * element_words_, reg % element_words_};
}

unsigned whole_product::adder_passes() const { return b_registers_ / column_tiles_; }

links::product_shape whole_product::shape_of(const links::octet_range& octets) const {
  return {1, octets.threadgroups() * rows_per_threadgroup(), columns_per_threadgroup(), mma().k};
}

unsigned whole_product::operand_bits_used() const {
  constexpr unsigned register_bits = isa::register_bits * warp::lanes_per_warp;
  return (a_registers_ + b_registers_ + mma().c_registers()) * register_bits;
}

std::uint32_t whole_product::lanes_reached_by_b(std::uint32_t lanes) const { return lanes == 0 ? 0 : isa::all_warp_lanes; }

unsigned whole_product::b_words(const links::octet_range&) const { return b_registers_ * warp::lanes_per_warp; }
unsigned whole_product::first_b_word(const links::octet_range&) const { return 0; }

void whole_product::pack_b(registers b, std::uint32_t* columns) const {
  const unsigned tile_registers = b_registers_ / column_tiles_;
  for (unsigned tile = 0; tile < column_tiles_; ++tile, b += tile_registers, columns += tile_registers * warp::lanes_per_warp)
    pack_tile(b, tile_registers, columns);
}

/// Lanes 4n to 4n + 3 hold four words of column n in each register, or the low or high words of four f64.
void whole_product::pack_tile(registers b, unsigned count, std::uint32_t* columns) const {
  const unsigned column_words = count * links::lanes_per_threadgroup;
  for (unsigned r = 0; r < count; r += element_words_, columns += element_words_ * links::lanes_per_threadgroup) {
    const std::uint32_t* lanes = b[r]->data();
    std::uint32_t* column = columns;
    if (element_words_ == 1) {
      for (unsigned n = 0; n < isa::matrix_tile_lines; ++n, lanes += links::lanes_per_threadgroup, column += column_words)
        warp::store_four(column, warp::load_four(lanes));
      continue;
    }
    const std::uint32_t* high_lanes = b[r + 1]->data();
    for (unsigned n = 0; n < isa::matrix_tile_lines;
         ++n, lanes += links::lanes_per_threadgroup, high_lanes += links::lanes_per_threadgroup, column += column_words) {
      const warp::four_words low = warp::load_four(lanes), high = warp::load_four(high_lanes);
      warp::store_four(column, __builtin_shufflevector(low, high, 0, 4, 1, 5));
      warp::store_four(column + links::lanes_per_threadgroup, __builtin_shufflevector(low, high, 2, 6, 3, 7));
    }
  }
}

void whole_product::spread_whole(registers from, const std::vector<row_pair>& rows, std::uint32_t* to, unsigned pitch) const {
  for (const row_pair& pair : rows) {
    const std::uint32_t* const parts[] = {from[pair.first]->data(), pair.count == 2 ? from[pair.second]->data() : nullptr};
    transposition_.to_rows(parts, pair.count, to + pair.word, pitch);
  }
}

void whole_product::gather_whole(const std::uint32_t* from, unsigned pitch, const std::vector<row_pair>& rows,
                                 warp::lane_vector* const* to) const {
  for (const row_pair& pair : rows) {
    std::uint32_t* const parts[] = {to[pair.first]->data(), pair.count == 2 ? to[pair.second]->data() : nullptr};
    transposition_.from_rows(from + pair.word, pitch, parts, pair.count);
  }
}

void whole_product::load_a(registers a, const links::octet_range& octets, std::uint32_t* words) const {
  const unsigned groups = octets.threadgroups(), all_rows = groups * rows_per_threadgroup();
  const strides step{element_words_ * all_rows, 1};
  if (!a_rows_.empty() && is_whole_warp(octets)) return spread_whole(a, a_rows_, words, step.lane);
  for (unsigned r = 0; r < a_registers_; ++r) spread(*a[r], octets, words + a_places_[r].in(all_rows, groups), step);
}

void whole_product::load_c(registers c, const links::octet_range& octets, std::uint32_t* values) const {
  const unsigned groups = octets.threadgroups(), all_rows = groups * rows_per_threadgroup();
  const strides step{columns_per_lane * all_rows * element_words_, element_words_};
  if (!accumulator_rows_.empty() && is_whole_warp(octets)) return spread_whole(c, accumulator_rows_, values, step.lane);
  for (unsigned r = 0; r < accumulator_registers_; ++r) {
    std::uint32_t* const first = values + accumulator_places_[r].in(all_rows, groups);
    if (packs_accumulators())
      spread_halves(*c[r], octets, first, step, all_rows);
    else
      spread(*c[r], octets, first, step);
  }
}

void whole_product::store_d(const std::uint32_t* values, const links::octet_range& octets, warp::lane_vector* const* d) const {
  const unsigned groups = octets.threadgroups(), all_rows = groups * rows_per_threadgroup();
  const strides step{columns_per_lane * all_rows * element_words_, element_words_};
  if (!accumulator_rows_.empty() && is_whole_warp(octets)) return gather_whole(values, step.lane, accumulator_rows_, d);
  for (unsigned r = 0; r < accumulator_registers_; ++r) {
    const std::uint32_t* const first = values + accumulator_places_[r].in(all_rows, groups);
    if (packs_accumulators())
      gather_halves(first, step, all_rows, octets, *d[r]);
    else
      gather(first, step, octets, *d[r]);
  }
}

}  // namespace tc::subcore
