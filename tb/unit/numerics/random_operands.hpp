// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <tc/numerics/dot_product_parameters.hpp>

#include "exact_dot_product.hpp"
#include "exact_format.hpp"

namespace tc::numerics::test {

/// Random operands that meet the corners of a datapath far more often than uniform numbers do: a mixture of
///   any bits          every pattern alike: NaNs, infinities and wide exponents
///   moderate          exponents near that of 1
///   ladder            products whose exponents fall step by step past the alignment width, neighbours cancelling all or almost all
///   zeros and giants  zeros that meet the largest operands, among small products
///   near overflow     products as large as the accumulator, or as A and B, allow
///   near underflow    products around the smallest results, subnormal operands
///   ties              operands with few bits set, so that sums lie half-way between two results
///   specials          moderate ones with infinities, NaNs and zeros strewn in
/// The same seed gives the same operands.
class random_operands {
 public:
  random_operands(const dot_product_types& types, std::uint64_t seed) : types_(types), random_(seed) {}

  /// Operands of `k` products.
  dot_operands operator()(unsigned k);

 private:
  /// Where a product lies.
  struct product_place {
    int exponent = 0;
    bool negative = false;
    bool is_sparse = false;  ///< at most one mantissa bit set
  };

  dot_operands float_operands(unsigned k);
  dot_operands integer_operands(unsigned k);

  void fill_any_bits(dot_operands& operands);
  void fill_moderate(dot_operands& operands);
  void fill_ladder(dot_operands& operands);
  void fill_zeros_and_giants(dot_operands& operands);
  void fill_near(dot_operands& operands, int exponent);
  /// A few products of that exponent, and others about as far below it as an alignment reaches.
  void fill_tiny(dot_operands& operands, int largest);
  void fill_ties(dot_operands& operands);
  void strew_specials(dot_operands& operands);
  void fill_scales(dot_operands& operands, int center, int spread);

  void set_product(dot_operands& operands, std::size_t index, product_place place);
  std::uint64_t number(const exact_format& format, product_place place);
  std::uint64_t special(const exact_format& format);
  std::uint64_t any_bits(const number_format& format);

  const exact_format& a() const { return find_exact_format(types_.a.name); }
  const exact_format& b() const { return find_exact_format(types_.b.name); }
  const exact_format& accumulator() const { return find_exact_format(types_.accumulator.name); }
  int uniform(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random_); }
  bool one_in(int n) { return uniform(1, n) == 1; }

  dot_product_types types_;
  std::mt19937_64 random_;
};

/// The elements in words, the first one in the lowest bits, with one word to spare: as the datapaths take them.
std::vector<std::uint32_t> packed(const std::vector<std::uint64_t>& elements, unsigned storage_bits);

}  // namespace tc::numerics::test
