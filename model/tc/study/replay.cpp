// SPDX-License-Identifier: Apache-2.0
#include "replay.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <tc/numerics/number_text.hpp>
#include <tc/study/alignment.hpp>

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

namespace {

/// Compares the outputs of one case.
class case_comparison {
 public:
  case_comparison(const vector_header& header, const case_arithmetic& arithmetic, std::size_t kept, error_statistics* errors)
      : header_(header), arithmetic_(arithmetic), kept_(kept), errors_(has_exact_sums(header) ? errors : nullptr) {}

  void compare(const vector_case& values, std::uint64_t case_index, replay_result& result) {
    computed_.d = arithmetic_(values);
    result.outputs += header_.outputs();
    if (errors_ != nullptr) add_errors(header_, arithmetic_, values, computed_.d, *errors_);
    if (computed_.d == values.d) return;
    for (unsigned matrix = 0; matrix < header_.matrices(); ++matrix)
      for (unsigned row = 0; row < header_.rows(); ++row)
        for (unsigned column = 0; column < header_.columns(); ++column) compare_output(values, case_index, {matrix, row, column}, result);
  }

 private:
  void compare_output(const vector_case& values, std::uint64_t case_index, output_position at, replay_result& result) const {
    const std::uint64_t expected = output(values, at), computed = output(computed_, at);
    if (expected == computed) return;
    ++result.mismatches;
    if (result.first.size() < kept_) result.first.push_back({case_index, at, arithmetic_.operands_of(values, at), expected, computed});
  }

  std::uint64_t output(const vector_case& values, output_position at) const {
    return element_of(header_, values, vector_operand::d, at.matrix, at.column * header_.rows() + at.row, 0);
  }

  const vector_header& header_;
  const case_arithmetic& arithmetic_;
  std::size_t kept_;
  error_statistics* errors_;
  vector_case computed_;
};

}  // namespace

replay_result replay(vector_reader& file, const case_arithmetic& arithmetic, std::size_t kept, const replay_progress& progress,
                     error_statistics* errors) {
  case_comparison comparison(file.header(), arithmetic, kept, errors);
  replay_result result;
  std::uint64_t cases = 0;
  for (vector_case values; file.next(values);) {
    comparison.compare(values, cases++, result);
    if (progress) progress(cases);
  }
  return result;
}

namespace {

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
