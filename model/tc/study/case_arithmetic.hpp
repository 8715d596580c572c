// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/numerics/matrix_product.hpp>
#include <tc/study/vector_case.hpp>

namespace tc::study {

/// One output of a case as a dot product: packed rows, and the addend in the format of the accumulator.
struct dot_operands {
  std::vector<std::uint32_t> a, b, scale_a, scale_b;
  std::uint64_t c = 0;
};

/// Which output of a case.
struct output_position {
  unsigned matrix = 0, row = 0, column = 0;
};

/// The unit of a machine's tensor cores that computes an operation. Throws std::invalid_argument, naming the configuration key, if there is
/// none.
numerics::dot_product make_unit(const vector_operation& operation, const config::arithmetic_parameters& arithmetic);

/// Computes D of the cases of a file.
class case_arithmetic {
 public:
  /// `unit` takes the types of the file's operation.
  case_arithmetic(const vector_header& header, const numerics::dot_product& unit);

  const numerics::dot_product& unit() const { return product_.unit(); }

  /// D of a case from its other operands, in the layout of vector_case::d.
  std::vector<std::uint32_t> operator()(const vector_case& values) const;

  /// What the unit is given for one output.
  dot_operands operands_of(const vector_case& values, output_position at) const;

 private:
  /// C in the format of the accumulator: an f16 that an f32 accumulator takes is converted, exactly.
  std::uint64_t widened(std::uint64_t c) const;

  vector_header header_;
  numerics::matrix_product product_;
};

}  // namespace tc::study
