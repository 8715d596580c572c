#include <tc/study/case_arithmetic.hpp>

namespace tc::study {
namespace {

using numerics::number_format;
using row = std::vector<std::uint32_t>;

row converted(const row& packed, unsigned elements, const number_format& from, const number_format& to) {
  row result(numerics::words_for(elements, to));
  for (unsigned i = 0; i < elements; ++i) {
    const double value = numerics::value_of(numerics::packed_element(packed.data(), i, from), from);
    numerics::set_packed_element(result.data(), i, to, numerics::encode(value, to));
  }
  return result;
}

}  // namespace

case_arithmetic::case_arithmetic(const vector_header& header, const numerics::dot_product& unit) : header_(header), unit_(unit) {}

std::vector<std::uint32_t> case_arithmetic::operator()(const vector_case& values) const {
  vector_case result;
  result.d.resize(header_.matrices() * shape_of(header_, vector_operand::d).words());
  for (unsigned matrix = 0; matrix < header_.matrices(); ++matrix) {
    std::vector<row> b, scale_b;
    for (unsigned n = 0; n < header_.columns(); ++n) {
      b.push_back(line(values, vector_operand::b, matrix, n));
      scale_b.push_back(line(values, vector_operand::scale_b, matrix, n));
    }
    for (unsigned m = 0; m < header_.rows(); ++m) {
      const row a = line(values, vector_operand::a, matrix, m), scale_a = line(values, vector_operand::scale_a, matrix, m);
      for (unsigned n = 0; n < header_.columns(); ++n) {
        const std::uint64_t d =
            unit_(a.data(), b[n].data(), scale_a.data(), scale_b[n].data(), header_.operation.k, addend(values, {matrix, m, n}));
        set_element(header_, result, vector_operand::d, matrix, n * header_.rows() + m, 0, d);
      }
    }
  }
  return result.d;
}

dot_operands case_arithmetic::operands_of(const vector_case& values, output_position at) const {
  return {line(values, vector_operand::a, at.matrix, at.row), line(values, vector_operand::b, at.matrix, at.column),
          line(values, vector_operand::scale_a, at.matrix, at.row), line(values, vector_operand::scale_b, at.matrix, at.column),
          addend(values, at)};
}

std::vector<std::uint32_t> case_arithmetic::line(const vector_case& values, vector_operand which, unsigned matrix, unsigned line) const {
  row packed = line_of(header_, values, which, matrix, line);
  const auto& types = header_.operation.types;
  if (which == vector_operand::a && types.a != unit_.types().a) return converted(packed, header_.operation.k, types.a, unit_.types().a);
  if (which == vector_operand::b && types.b != unit_.types().b) return converted(packed, header_.operation.k, types.b, unit_.types().b);
  return packed;
}

std::uint64_t case_arithmetic::addend(const vector_case& values, output_position at) const {
  const std::uint64_t bits = element_of(header_, values, vector_operand::c, at.matrix, at.column * header_.rows() + at.row, 0);
  const number_format &from = header_.operation.c, &to = unit_.types().accumulator;
  return from == to ? bits : numerics::encode(numerics::value_of(bits, from), to);
}

}  // namespace tc::study
