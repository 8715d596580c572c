// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <tc/isa/matrix_shapes.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::links {

/// Registers of a lane that hold A, B, and C or D, of any operation the tensor cores compute.
using isa::max_a_registers, isa::max_accumulator_registers, isa::max_b_registers;

/// Words of the operands and the result of any operation.
using a_words = std::array<std::uint32_t, max_a_registers * warp::lanes_per_warp>;
using b_words = std::array<std::uint32_t, max_b_registers * warp::lanes_per_warp>;
using accumulator_words = std::array<std::uint32_t, max_accumulator_registers * warp::lanes_per_warp>;

/// Threadgroups of a warp: threadgroup g is the lanes 4g to 4g + 3.
inline constexpr unsigned threadgroups_per_warp = 8, lanes_per_threadgroup = 4;

/// A bit for each lane.
constexpr std::uint32_t lanes_of_threadgroup(unsigned g) { return 0xfu << (g * lanes_per_threadgroup); }

/// Octets of a warp: octet X is the threadgroups X and X + 4 (Raihan et al., ISPASS 2019, table II).
inline constexpr unsigned octets_per_warp = 4;

/// Neighbouring octets, as one tensor core has them.
struct octet_range {
  unsigned first = 0, count = octets_per_warp;

  unsigned threadgroups() const { return 2 * count; }
  /// Threadgroup `i` of the range: the lower ones of the octets, then the upper ones.
  unsigned threadgroup(unsigned i) const { return i < count ? first + i : first + octets_per_warp + i - count; }
  unsigned first_lane() const { return first * lanes_per_threadgroup; }

  /// Copies the lanes of these octets.
  void copy_lanes(const warp::lane_vector& from, warp::lane_vector& to) const {
    constexpr unsigned upper = octets_per_warp * lanes_per_threadgroup;
    std::copy_n(&from[first_lane()], count * lanes_per_threadgroup, &to[first_lane()]);
    std::copy_n(&from[first_lane() + upper], count * lanes_per_threadgroup, &to[first_lane() + upper]);
  }
};

/// The octets of tensor core `index` of `count`.
inline octet_range octets_of(unsigned index, unsigned count) {
  const unsigned each = octets_per_warp / count;
  return {index * each, each};
}

/// Products of one shape that dot-product units compute at once, each with its operands after those of the one before.
struct product_shape {
  unsigned products = 1;  ///< independent ones
  unsigned rows = 0, columns = 0, k = 0;

  friend bool operator==(const product_shape& x, const product_shape& y) {
    return x.products == y.products && x.rows == y.rows && x.columns == y.columns && x.k == y.k;
  }
};

}  // namespace tc::links
