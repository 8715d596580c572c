// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/study/vector_header.hpp>

namespace tc::study {

/// The matrices of one case, packed along k, in the order in which numerics::matrix_operands takes them. Several matrices (m8n8k4 of f16
/// has four) follow each other.
struct vector_case {
  std::vector<std::uint32_t> a;        ///< word w of row r at [w * rows + r]
  std::vector<std::uint32_t> b;        ///< word w of column n at [n * words + w]
  std::vector<std::uint32_t> scale_a;  ///< as a
  std::vector<std::uint32_t> scale_b;  ///< as b
  std::vector<std::uint32_t> c;        ///< element (r, n) at [n * rows + r]; of f64 two words, the low one first
  std::vector<std::uint32_t> d;        ///< as c
};

/// The operands of a case.
enum class vector_operand : std::uint8_t { a, b, scale_a, scale_b, c, d };
inline constexpr unsigned vector_operands = 6;

constexpr std::string_view name(vector_operand which) {
  constexpr std::string_view names[vector_operands] = {"A", "B", "the scales of A", "the scales of B", "C", "D"};
  return names[static_cast<unsigned>(which)];
}

/// The words of an operand.
template <typename Case>
auto& words_of(Case& values, vector_operand which) {
  switch (which) {
    case vector_operand::a:
      return values.a;
    case vector_operand::b:
      return values.b;
    case vector_operand::scale_a:
      return values.scale_a;
    case vector_operand::scale_b:
      return values.scale_b;
    case vector_operand::c:
      return values.c;
    case vector_operand::d:
      break;
  }
  return values.d;
}

/// How one operand of a case lies in memory.
struct operand_shape {
  unsigned lines = 1;                 ///< rows of A, columns of B, elements of C and D
  unsigned words_per_line = 1;        ///< words of packed elements
  bool lines_are_neighbours = false;  ///< word w of line l at [w * lines + l]; otherwise at [l * words_per_line + w]
  numerics::number_format format;

  unsigned words() const { return lines * words_per_line; }
  /// Where a word of a line of one of several matrices is.
  unsigned place(unsigned matrix, unsigned line, unsigned word) const {
    return matrix * words() + (lines_are_neighbours ? word * lines + line : line * words_per_line + word);
  }
};

/// The shape of an operand of one matrix.
operand_shape shape_of(const vector_header& header, vector_operand which);

/// A case of zeros.
vector_case make_case(const vector_header& header);

/// The packed words of a line: a row of A, a column of B, or the scales of one.
std::vector<std::uint32_t> line_of(const vector_header& header, const vector_case& values, vector_operand which, unsigned matrix,
                                   unsigned line);

/// An element of a line.
std::uint64_t element_of(const vector_header& header, const vector_case& values, vector_operand which, unsigned matrix, unsigned line,
                         unsigned index);
void set_element(const vector_header& header, vector_case& values, vector_operand which, unsigned matrix, unsigned line, unsigned index,
                 std::uint64_t bits);

}  // namespace tc::study
