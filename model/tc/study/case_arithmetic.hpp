#pragma once

#include <cstdint>
#include <vector>

#include <tc/numerics/dot_product.hpp>
#include <tc/study/vector_case.hpp>

namespace tc::study {

/// One output of a case as a dot product: packed rows in the formats of the unit that computes it.
struct dot_operands {
  std::vector<std::uint32_t> a, b, scale_a, scale_b;
  std::uint64_t c = 0;
};

/// Which output of a case.
struct output_position {
  unsigned matrix = 0, row = 0, column = 0;
};

/// Computes D of the cases of a file. The unit may take wider formats of A, B and C than the file has, as tensor cores that convert before
/// they multiply do; the conversion is exact.
class case_arithmetic {
 public:
  case_arithmetic(const vector_header& header, const numerics::dot_product& unit);

  const numerics::dot_product& unit() const { return unit_; }

  /// D of a case from its other operands, in the layout of vector_case::d.
  std::vector<std::uint32_t> operator()(const vector_case& values) const;

  /// What the unit is given for one output.
  dot_operands operands_of(const vector_case& values, output_position at) const;

 private:
  /// A line of a case for the unit.
  std::vector<std::uint32_t> line(const vector_case& values, vector_operand which, unsigned matrix, unsigned line) const;
  std::uint64_t addend(const vector_case& values, output_position at) const;

  vector_header header_;
  numerics::dot_product unit_;
};

}  // namespace tc::study
