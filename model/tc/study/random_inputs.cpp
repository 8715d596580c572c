// SPDX-License-Identifier: Apache-2.0
#include "random_inputs.hpp"

#include <algorithm>

namespace tc::study {

using numerics::number_format;

vector_case random_inputs::next() {
  vector_case values = make_case(header_);
  const auto how = static_cast<mixture>(cases_++ % mixtures);
  fill(values, vector_operand::a, header_.operation.k, how);
  fill(values, vector_operand::b, header_.operation.k, how);
  fill(values, vector_operand::c, 1, how);
  if (header_.scales() > 0) {
    fill_scales(values, vector_operand::scale_a, how);
    fill_scales(values, vector_operand::scale_b, how);
  }
  if (how == mixture::cancelling)
    for (unsigned matrix = 0; matrix < header_.matrices(); ++matrix) make_cancelling(values, matrix);
  return values;
}

void random_inputs::fill(vector_case& values, vector_operand which, unsigned elements, mixture how) {
  for (unsigned matrix = 0; matrix < header_.matrices(); ++matrix)
    for (unsigned line = 0; line < shape_of(header_, which).lines; ++line) fill_line(values, which, matrix, line, elements, how);
}

void random_inputs::fill_line(vector_case& values, vector_operand which, unsigned matrix, unsigned line, unsigned elements, mixture how) {
  const number_format format = shape_of(header_, which).format;
  const bool is_addend = which == vector_operand::c;
  const bool is_row_of_zeros = how == mixture::tiny && which == vector_operand::a && one_in(4);
  if (is_row_of_zeros) return;
  for (unsigned i = 0; i < elements; ++i) {
    const std::uint64_t bits = format.is_floating_point() ? element(format, how, is_addend) : integer(format, how, is_addend);
    set_element(header_, values, which, matrix, line, i, bits);
  }
}

void random_inputs::fill_scales(vector_case& values, vector_operand which, mixture how) {
  const operand_shape shape = shape_of(header_, which);
  const int spread = how == mixture::different || how == mixture::huge ? 20 : 3;
  for (unsigned line = 0; line < shape.lines; ++line)
    for (unsigned i = 0; i < header_.scales(); ++i) {
      const bool any_bits = how == mixture::anything || one_in(50);
      const std::uint64_t bits = any_bits ? random_() & shape.format.storage_mask() : number(shape.format, -spread, spread);
      set_element(header_, values, which, 0, line, i, bits);
    }
}

void random_inputs::make_cancelling(vector_case& values, unsigned matrix) {
  const number_format& format = header_.operation.types.a;
  if (!format.is_floating_point()) return;
  const std::uint64_t sign = format.sign_bit() << format.ignored_bits;
  for (unsigned row = 0; row < header_.rows(); ++row)
    for (unsigned i = 0; i + 1 < header_.operation.k; i += 2) {
      const std::uint64_t bits = element_of(header_, values, vector_operand::a, matrix, row, i);
      set_element(header_, values, vector_operand::a, matrix, row, i + 1, bits ^ sign);
    }
  for (unsigned column = 0; column < header_.columns(); ++column)
    for (unsigned i = 0; i + 1 < header_.operation.k; i += 2) {
      const std::uint64_t bits = element_of(header_, values, vector_operand::b, matrix, column, i);
      const bool is_equal = i % 4 == 0;  // otherwise the neighbour
      const std::uint64_t step = std::uint64_t{1} << header_.operation.types.b.ignored_bits;
      set_element(header_, values, vector_operand::b, matrix, column, i + 1, is_equal ? bits : bits ^ step);
    }
}

std::uint64_t random_inputs::element(const number_format& format, mixture how, bool is_addend) {
  if (how == mixture::anything || one_in(200)) return random_() & format.storage_mask();
  if (one_in(30)) return 0;
  const int smallest = format.minimum_exponent();
  const int largest = numerics::unpack(format.largest_number() << format.ignored_bits, format).exponent;
  switch (how) {
    case mixture::different:
      return number(format, std::max(smallest, -20), std::min(largest, 20));
    case mixture::far_addend:
      return is_addend ? number(format, -30, 30) : number(format, -3, 3);
    case mixture::cancelling:
      return is_addend ? number(format, -25, 0) : number(format, -6, 6);
    case mixture::tiny:
      return number(format, smallest - 3, smallest + 1);
    case mixture::huge:
      return number(format, largest - 2, largest);
    default:
      return number(format, -2, 2);
  }
}

std::uint64_t random_inputs::integer(const number_format& format, mixture how, bool is_addend) {
  const std::uint64_t bits = random_() & format.storage_mask();
  if (how == mixture::similar) return is_addend ? bits & 0xff : bits & 3 & format.storage_mask();
  const bool is_extreme = how == mixture::huge || how == mixture::far_addend;
  if (!is_extreme) return bits;
  const bool is_signed = format.kind == numerics::encoding::twos_complement;
  const std::uint64_t largest = is_signed ? format.storage_mask() >> 1 : format.storage_mask();
  const std::uint64_t near = random_() & (is_addend ? 0xfff : 0);
  return one_in(2) ? largest - near : (is_signed ? largest + 1 : 0) + near;
}

std::uint64_t random_inputs::number(const number_format& format, int low, int high) {
  const int field = std::max(between(low, high) + format.bias, 0);  // 0: a subnormal number, if the format has these
  const std::uint64_t fraction = random_() & format.fraction_mask();
  const std::uint64_t magnitude = static_cast<std::uint64_t>(field) << format.fraction_bits | fraction;
  const std::uint64_t sign = one_in(2) ? format.sign_bit() : 0;
  return (std::min(magnitude, format.largest_number()) | sign) << format.ignored_bits;
}

}  // namespace tc::study
