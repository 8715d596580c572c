// SPDX-License-Identifier: Apache-2.0
#include "case_errors.hpp"

#include <cmath>

namespace tc::study {

namespace {

using numerics::number_format;

/// The exact value of an output.
struct exact_output {
  exact_accumulator sum;
  double magnitudes = 0;  ///< of all that is added
  bool is_finite = true;
};

exact_output exact_of(const dot_operands& operands, const numerics::dot_product_types& types, unsigned k) {
  exact_output result;
  if (!numerics::is_finite(operands.c, types.accumulator)) return {{}, 0, false};
  result.sum.add(operands.c, types.accumulator);
  result.magnitudes = std::abs(numerics::value_of(operands.c, types.accumulator));
  for (unsigned i = 0; i < k; ++i) {
    const std::uint64_t a = numerics::packed_element(operands.a.data(), i, types.a);
    const std::uint64_t b = numerics::packed_element(operands.b.data(), i, types.b);
    if (!numerics::is_finite(a, types.a) || !numerics::is_finite(b, types.b)) return {{}, 0, false};
    result.sum.add_product(a, types.a, b, types.b);
    result.magnitudes += std::abs(numerics::value_of(a, types.a) * numerics::value_of(b, types.b));
  }
  return result;
}

}  // namespace

bool has_exact_sums(const vector_header& header) {
  const numerics::dot_product_types& types = header.operation.types;
  return types.a.is_floating_point() && !types.scaling;
}

void add_errors(const vector_header& header, const case_arithmetic& arithmetic, const vector_case& values,
                const std::vector<std::uint32_t>& computed, error_statistics& errors) {
  const numerics::dot_product_types& types = header.operation.types;
  const unsigned outputs = header.rows() * header.columns(), words = shape_of(header, vector_operand::d).words();
  for (unsigned matrix = 0; matrix < header.matrices(); ++matrix)
    for (unsigned output = 0; output < outputs; ++output) {
      const output_position at{matrix, output % header.rows(), output / header.rows()};
      const exact_output exact = exact_of(arithmetic.operands_of(values, at), types, header.operation.k);
      if (!exact.is_finite) continue;
      const std::uint32_t* const element = computed.data() + std::size_t{matrix} * words + std::size_t{output} * (words / outputs);
      errors.add(numerics::packed_element(element, 0, types.accumulator), types.accumulator, exact.sum, exact.magnitudes);
    }
}

}  // namespace tc::study
