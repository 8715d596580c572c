// SPDX-License-Identifier: Apache-2.0
#include "case_arithmetic.hpp"

#include <algorithm>

#include <tc/config/make_dot_product.hpp>

namespace tc::study {

numerics::dot_product make_unit(const vector_operation& operation, const config::arithmetic_parameters& arithmetic) {
  const bool from_registers = operation.family == instruction_family::mma_sync;
  return config::make_dot_product(operation.types, arithmetic,
                                  from_registers ? config::operand_source::registers : config::operand_source::shared_memory);
}

case_arithmetic::case_arithmetic(const vector_header& header, const numerics::dot_product& unit) : header_(header), product_(unit) {}

std::vector<std::uint32_t> case_arithmetic::operator()(const vector_case& values) const {
  std::vector<std::uint32_t> d = values.c;
  if (header_.operation.c != header_.operation.types.accumulator)
    std::transform(d.begin(), d.end(), d.begin(), [this](std::uint32_t c) { return static_cast<std::uint32_t>(widened(c)); });
  const auto words = [this](vector_operand which) { return std::size_t{shape_of(header_, which).words()}; };
  const std::size_t a = words(vector_operand::a), b = words(vector_operand::b), outputs = words(vector_operand::d);
  for (unsigned matrix = 0; matrix < header_.matrices(); ++matrix) {
    std::uint32_t* const tile = d.data() + matrix * outputs;
    numerics::matrix_operands operands{
        header_.rows(), header_.columns(), header_.operation.k, values.a.data() + matrix * a, values.b.data() + matrix * b, tile, tile};
    if (header_.scales() > 0) {  // no operation with scales has several matrices
      operands.scale_a = values.scale_a.data();
      operands.scale_b = values.scale_b.data();
    }
    product_(operands);
  }
  return d;
}

dot_operands case_arithmetic::operands_of(const vector_case& values, output_position at) const {
  return {line_of(header_, values, vector_operand::a, at.matrix, at.row), line_of(header_, values, vector_operand::b, at.matrix, at.column),
          line_of(header_, values, vector_operand::scale_a, at.matrix, at.row),
          line_of(header_, values, vector_operand::scale_b, at.matrix, at.column),
          widened(element_of(header_, values, vector_operand::c, at.matrix, at.column * header_.rows() + at.row, 0))};
}

std::uint64_t case_arithmetic::widened(std::uint64_t c) const {
  const auto &from = header_.operation.c, &to = header_.operation.types.accumulator;
  return from == to ? c : numerics::encode(numerics::value_of(c, from), to);
}

}  // namespace tc::study
