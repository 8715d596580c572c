// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tc/numerics/dot_product.hpp>
#include <tc/study/case_arithmetic.hpp>

namespace tc::study {

/// One term of a fused sum: (-1)^negative x significand x 2^(exponent - fraction_bits).
struct aligned_term {
  bool is_addend = false;
  unsigned first = 0, count = 1;  ///< elements whose products the term is; unused by the addend
  bool negative = false;
  int exponent = 0;  ///< before normalization: the sum of the exponent fields, subnormals with the minimum exponent
  std::uint64_t significand = 0;
  unsigned fraction_bits = 0;
  bool counts = false;     ///< whether its exponent takes part in the alignment
  std::uint64_t kept = 0;  ///< the significand truncated to a multiple of the group's last bit, in units of it
  std::uint64_t lost = 0;  ///< what truncation took from the significand
};

/// One group of a fused sum.
struct aligned_group {
  unsigned first = 0, count = 0;  ///< elements
  bool skips_pairs = false;       ///< the elements are every other pair: first, first + 1, first + 4, first + 5, ...
  std::uint64_t addend = 0, result = 0;
  bool is_special = false;  ///< an infinity or a NaN decides; there are no terms
  std::vector<aligned_term> terms;
  int smallest_alignment = 0;  ///< terms are aligned to no smaller exponent
  int largest_exponent = 0;    ///< of the terms that count, or smallest_alignment if that is larger
  int last_bit = 0;            ///< every term is truncated to a multiple of 2^last_bit
  std::int64_t sum = 0;        ///< exact sum of the truncated terms, in units of 2^last_bit
  numerics::rounding_rule rounding;
};

/// How a dot product comes about, group by group. Only fused sums and sums of paired groups have a common alignment; of others `groups` is
/// empty.
struct alignment {
  std::vector<aligned_group> groups;
  std::uint64_t result = 0;
};

/// Takes a dot product of k elements apart. The results are those of `unit`.
alignment explain(const numerics::dot_product& unit, const dot_operands& operands, unsigned k);

/// The explanation as lines of text, each with `indent` blanks in front: for each group its terms with sign, exponent, significand before
/// and after truncation, the largest exponent, the exact sum and the rounded result.
std::string text_of(const alignment& explained, const numerics::dot_product& unit, unsigned indent = 0);

}  // namespace tc::study
