// SPDX-License-Identifier: Apache-2.0
#include "vector_case.hpp"

#include <algorithm>

namespace tc::study {
namespace {

constexpr vector_operand all_operands[] = {vector_operand::a,       vector_operand::b, vector_operand::scale_a,
                                           vector_operand::scale_b, vector_operand::c, vector_operand::d};

operand_shape line_shape(unsigned lines, unsigned elements, const numerics::number_format& format, bool lines_are_neighbours) {
  return {lines, numerics::words_for(elements, format), lines_are_neighbours, format};
}

/// The word of a line that an element is in, and its number among the elements of that word; an element of f64 is two words.
struct packed_place {
  unsigned word, element;
};

packed_place place_in_line(unsigned index, const numerics::number_format& format) {
  if (format.storage_bits > 32) return {index * format.storage_bits / 32, 0};
  return {index / format.elements_per_word(), index % format.elements_per_word()};
}

}  // namespace

operand_shape shape_of(const vector_header& header, vector_operand which) {
  const auto& types = header.operation.types;
  switch (which) {
    case vector_operand::a:
      return line_shape(header.rows(), header.operation.k, types.a, true);
    case vector_operand::b:
      return line_shape(header.columns(), header.operation.k, types.b, false);
    case vector_operand::scale_a:
      return line_shape(header.rows(), header.scales(), types.scaling ? types.scaling->format : numerics::ue8m0, true);
    case vector_operand::scale_b:
      return line_shape(header.columns(), header.scales(), types.scaling ? types.scaling->format : numerics::ue8m0, false);
    case vector_operand::c:
      return line_shape(header.rows() * header.columns(), 1, header.operation.c, false);
    case vector_operand::d:
      break;
  }
  return line_shape(header.rows() * header.columns(), 1, types.accumulator, false);
}

vector_case make_case(const vector_header& header) {
  vector_case values;
  for (const vector_operand which : all_operands) words_of(values, which).assign(header.matrices() * shape_of(header, which).words(), 0);
  return values;
}

std::vector<std::uint32_t> line_of(const vector_header& header, const vector_case& values, vector_operand which, unsigned matrix,
                                   unsigned line) {
  const operand_shape shape = shape_of(header, which);
  std::vector<std::uint32_t> words(shape.words_per_line);
  for (unsigned w = 0; w < shape.words_per_line; ++w) words[w] = words_of(values, which)[shape.place(matrix, line, w)];
  return words;
}

std::uint64_t element_of(const vector_header& header, const vector_case& values, vector_operand which, unsigned matrix, unsigned line,
                         unsigned index) {
  const auto words = line_of(header, values, which, matrix, line);
  return numerics::packed_element(words.data(), index, shape_of(header, which).format);
}

void set_element(const vector_header& header, vector_case& values, vector_operand which, unsigned matrix, unsigned line, unsigned index,
                 std::uint64_t bits) {
  const operand_shape shape = shape_of(header, which);
  const packed_place at = place_in_line(index, shape.format);
  std::uint32_t words[2] = {words_of(values, which)[shape.place(matrix, line, at.word)], 0};
  numerics::set_packed_element(words, at.element, shape.format, bits);
  for (unsigned i = 0; i < std::max(1U, shape.format.storage_bits / 32); ++i)
    words_of(values, which)[shape.place(matrix, line, at.word + i)] = words[i];
}

}  // namespace tc::study
