// SPDX-License-Identifier: Apache-2.0
#include "mismatch_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/numerics/number_text.hpp>
#include <tc/study/alignment.hpp>

namespace tc::study {
namespace {

using numerics::number_format;

/// Longest rows that are shown element by element.
constexpr unsigned most_elements_shown = 64;

std::string element_text(const std::vector<std::uint32_t>& row, unsigned index, const number_format& format) {
  return numerics::value_text(numerics::packed_element(row.data(), index, format), format);
}

std::string place_text(const replay_mismatch& mismatch, const vector_header& header) {
  std::string text = fmt::format("case {}", mismatch.case_index);
  if (header.kind == vector_kind::dots) return text;
  if (header.matrices() > 1) text += fmt::format(", matrix {}", mismatch.at.matrix);
  return text + fmt::format(", row {}, column {}", mismatch.at.row, mismatch.at.column);
}

/// A and B side by side, k downwards.
std::string factors_text(const dot_operands& operands, const vector_operation& operation, const std::string& blanks) {
  if (operation.k > most_elements_shown) {  // b1: words of bits
    std::string text;
    for (std::size_t i = 0; i < operands.a.size(); ++i)
      text += fmt::format("{}word {}: A {:#010x}, B {:#010x}\n", blanks, i, operands.a[i], operands.b[i]);
    return text;
  }
  std::vector<std::string> a;
  std::size_t width = 1;
  for (unsigned i = 0; i < operation.k; ++i) {
    a.push_back(element_text(operands.a, i, operation.types.a));
    width = std::max(width, a.back().size());
  }
  std::string text = fmt::format("{}{:>3}  {:<{}}  {}\n", blanks, "k", "A", width, "B");
  for (unsigned i = 0; i < operation.k; ++i)
    text += fmt::format("{}{:>3}  {:<{}}  {}\n", blanks, i, a[i], width, element_text(operands.b, i, operation.types.b));
  return text;
}

std::string scales_text(const std::vector<std::uint32_t>& scales, unsigned count, const number_format& format) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + element_text(scales, i, format);
  return text;
}

}  // namespace

std::string text_of(const replay_mismatch& mismatch, const vector_header& header, const numerics::dot_product& unit, unsigned indent) {
  const vector_operation& operation = header.operation;
  const dot_operands& operands = mismatch.operands;
  const std::string blanks(indent, ' '), inner = blanks + "  ";
  std::string text = blanks + place_text(mismatch, header) + "\n" + factors_text(operands, operation, inner);
  if (header.scales() > 0) {
    const number_format& format = operation.types.scaling->format;
    text += fmt::format("{}scales of A  {}\n", inner, scales_text(operands.scale_a, header.scales(), format));
    text += fmt::format("{}scales of B  {}\n", inner, scales_text(operands.scale_b, header.scales(), format));
  }
  const number_format& accumulator = operation.types.accumulator;
  text += fmt::format("{}C         {}\n", inner, numerics::value_text(operands.c, accumulator));
  text += fmt::format("{}expected  {}\n", inner, numerics::value_text(mismatch.expected, accumulator));
  text += fmt::format("{}computed  {}\n", inner, numerics::value_text(mismatch.computed, accumulator));
  return text + text_of(explain(unit, operands, operation.k), unit, indent + 2);
}

}  // namespace tc::study
