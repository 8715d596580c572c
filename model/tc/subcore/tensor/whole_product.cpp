#include "whole_product.hpp"

#include <algorithm>

#include <tc/subcore/links/matrix_limits.hpp>

namespace tc::subcore {

namespace {

/// The columns of D that lane t of a threadgroup holds: 2t and 2t + 1.
constexpr unsigned columns_per_lane = 2;

constexpr unsigned half_bits = 16;
constexpr std::uint32_t half_mask = 0xffff;

/// Where the buffers have the lanes of a register: lane t of threadgroup g of the range is `lane` * t + `group` * g after the first.
struct strides {
  unsigned lane, group;
};

/// Calls `visit(lane of the warp, distance from the first lane's word)` for the lanes of some octets.
template <class Visit>
void for_each_lane(const octet_range& octets, const strides& step, const Visit& visit) {
  for (unsigned g = 0; g < octets.threadgroups(); ++g) {
    const unsigned first = octets.threadgroup(g) * lanes_per_threadgroup;
    for (unsigned t = 0; t < lanes_per_threadgroup; ++t) visit(first + t, t * step.lane + g * step.group);
  }
}

}  // namespace

/// What a register of C or D holds: an element of one of a lane's two columns, the low or high word of an f64, or two f16 of a row.
struct whole_product::accumulator_place {
  unsigned first;  ///< place of lane 0 of the first threadgroup
  strides step;
};

whole_product::whole_product(const isa::mma_operation& mma)
    : product_layout(mma, mma.m / threadgroups_per_warp, mma.n),
      a_registers_(mma.a_registers()),
      b_registers_(mma.b_registers()),
      accumulator_registers_(mma.d_registers()),
      element_words_(isa::bits(mma.d) == 64 ? 2 : 1) {}

product_shape whole_product::shape_of(const octet_range& octets) const {
  return {1, octets.threadgroups() * rows_per_threadgroup(), columns_per_threadgroup(), mma().k};
}

unsigned whole_product::operand_bits_used() const {
  constexpr unsigned register_bits = 32 * lanes_per_warp;
  return (a_registers_ + b_registers_ + mma().c_registers()) * register_bits;
}

std::uint32_t whole_product::lanes_reached_by_b(std::uint32_t lanes) const {
  constexpr std::uint32_t all_lanes = 0xffffffff;
  return lanes == 0 ? 0 : all_lanes;
}

unsigned whole_product::b_words(const octet_range&) const { return b_registers_ * lanes_per_warp; }
unsigned whole_product::first_b_word(const octet_range&) const { return 0; }

void whole_product::pack_b(registers b, std::uint32_t* words) const {
  for (unsigned r = 0; r < b_registers_; ++r) words = std::copy(b[r]->begin(), b[r]->end(), words);
}

/// Lanes 4n to 4n + 3 hold four words of column n in each register, or the low or high words of four f64.
void whole_product::unpack_b(const std::uint32_t* words, const octet_range&, const octet_range&, std::uint32_t* columns) const {
  for (unsigned n = 0; n < matrix_columns; ++n) {
    for (unsigned r = 0; r < b_registers_; r += element_words_) {
      const std::uint32_t* const lanes = words + r * lanes_per_warp + n * lanes_per_threadgroup;
      if (element_words_ == 1) {
        columns = std::copy_n(lanes, lanes_per_threadgroup, columns);
        continue;
      }
      for (unsigned t = 0; t < lanes_per_threadgroup; ++t) {
        *columns++ = lanes[t];
        *columns++ = lanes[lanes_per_warp + t];
      }
    }
  }
}

/// With two rows, even elements hold row g and odd ones row g + 8; each register holds four words of its row, in the order of the lanes, or
/// the low or high words of four f64.
void whole_product::load_a(registers a, const octet_range& octets, std::uint32_t* words) const {
  const unsigned groups = octets.threadgroups(), rows = rows_per_threadgroup(), all_rows = groups * rows;
  for (unsigned r = 0; r < a_registers_; ++r) {
    const unsigned element = r / element_words_;
    const unsigned word = element / rows * lanes_per_threadgroup * element_words_ + r % element_words_;
    std::uint32_t* const first = words + word * all_rows + element % rows * groups;
    const lane_vector& from = *a[r];
    for_each_lane(octets, {element_words_ * all_rows, 1}, [&](unsigned lane, unsigned at) { first[at] = from[lane]; });
  }
}

whole_product::accumulator_place whole_product::place_of(unsigned reg, unsigned groups) const {
  const unsigned all_rows = groups * rows_per_threadgroup();
  const unsigned element = packs_accumulators() ? reg * columns_per_lane : reg / element_words_;
  const unsigned row = element / columns_per_lane, column = element % columns_per_lane, word = reg % element_words_;
  return {(column * all_rows + row * groups) * element_words_ + word, {columns_per_lane * all_rows * element_words_, element_words_}};
}

void whole_product::load_c(registers c, const octet_range& octets, std::uint32_t* values) const {
  const unsigned next_column = octets.threadgroups() * rows_per_threadgroup();
  for (unsigned r = 0; r < accumulator_registers_; ++r) {
    const accumulator_place place = place_of(r, octets.threadgroups());
    std::uint32_t* const first = values + place.first;
    const lane_vector& from = *c[r];
    if (packs_accumulators()) {
      for_each_lane(octets, place.step, [&](unsigned lane, unsigned at) {
        first[at] = from[lane] & half_mask;
        first[at + next_column] = from[lane] >> half_bits;
      });
    } else {
      for_each_lane(octets, place.step, [&](unsigned lane, unsigned at) { first[at] = from[lane]; });
    }
  }
}

void whole_product::store_d(const std::uint32_t* values, const octet_range& octets, lane_vector* d) const {
  const unsigned next_column = octets.threadgroups() * rows_per_threadgroup();
  for (unsigned r = 0; r < accumulator_registers_; ++r) {
    const accumulator_place place = place_of(r, octets.threadgroups());
    const std::uint32_t* const first = values + place.first;
    lane_vector& to = d[r];
    if (packs_accumulators()) {
      for_each_lane(octets, place.step, [&](unsigned lane, unsigned at) { to[lane] = first[at] | first[at + next_column] << half_bits; });
    } else {
      for_each_lane(octets, place.step, [&](unsigned lane, unsigned at) { to[lane] = first[at]; });
    }
  }
}

}  // namespace tc::subcore
