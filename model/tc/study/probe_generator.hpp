// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>

#include <tc/study/probe_unit.hpp>

namespace tc::study {

/// What is thought of a datapath, so that experiments can be aimed at its edges.
struct datapath_guess {
  unsigned alignment_fraction_bits = 24;
  unsigned kept_fraction_bits = 23;
  unsigned products_per_term = 1;
  unsigned alignment_floor = 7;
  unsigned group_length = 16;
};

datapath_guess guess_from(const numerics::dot_product_parameters& parameters);

/// Draws dot products that tell datapaths apart: few products or many, sums that cancel, terms at the edge of the alignment and of the last
/// kept bit, addends just below a power of two, subnormals, zeros beside large operands. The same seed gives the same dots everywhere.
class dot_generator {
 public:
  dot_generator(const numerics::dot_product_types& types, std::uint64_t seed) : types_(types), random_(seed) {}

  /// A dot product of `length` finite elements.
  dot_inputs finite(unsigned length, const datapath_guess& guess);
  /// A dot product of any bit patterns, infinities and NaN among them where the formats have them.
  dot_inputs any_bits(unsigned length);

 private:
  /// Exponents that the elements of a row are drawn from.
  struct window {
    int low, high;
  };

  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint64_t>(bound)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool one_in(int n) { return below(n) == 0; }

  dot_inputs zeros(unsigned length);
  void draw_scales(dot_inputs& dot);
  window draw_window(const numerics::number_format& format);
  std::uint64_t element(const numerics::number_format& format, const window& exponents);
  void draw_products(dot_inputs& dot, unsigned count);
  void cancel_some(dot_inputs& dot);
  void put_zeros_beside_large(dot_inputs& dot);
  void put_equal_products(dot_inputs& dot, const datapath_guess& guess);
  void put_growing_sum(dot_inputs& dot);
  void put_swamped_products(dot_inputs& dot, const datapath_guess& guess);
  bool put_power(dot_inputs& dot, unsigned position, int exponent, bool negative);
  void put_tiny_products(dot_inputs& dot, const datapath_guess& guess);
  void draw_addend(dot_inputs& dot, const datapath_guess& guess);
  std::uint64_t cancelling_addend(const dot_inputs& dot);
  unsigned position(const dot_inputs& dot);

  numerics::dot_product_types types_;
  std::mt19937_64 random_;
};

}  // namespace tc::study
