// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <tc/numerics/number_text.hpp>
#include <tc/study/alignment.hpp>

namespace tc::study {
namespace {

using numerics::number_format;
using numerics::rounding_mode;
using numerics::summation;

constexpr std::string_view sign_of(bool negative) { return negative ? "-" : "+"; }

/// A fixed-point number in hexadecimal, its point after the integer part: 0x600 with 10 fraction bits is "1.800".
std::string fixed_point(std::uint64_t significand, unsigned fraction_bits) {
  const unsigned digits = (fraction_bits + 3) / 4, padding = 4 * digits - fraction_bits;
  const std::uint64_t fraction = (significand & ((std::uint64_t{1} << fraction_bits) - 1)) << padding;
  return digits == 0 ? fmt::format("{:x}", significand) : fmt::format("{:x}.{:0{}x}", significand >> fraction_bits, fraction, digits);
}

std::string label_of(const aligned_term& term) {
  if (term.is_addend) return "C";
  if (term.count == 1) return fmt::format("A[{}] x B[{}]", term.first, term.first);
  return fmt::format("sum of A x B, k {} to {}", term.first, term.first + term.count - 1);
}

/// What truncation took away, for the table.
std::string loss_of(const aligned_term& term) {
  if (term.lost == 0) return "";
  return fmt::format("{:.6g}", std::ldexp(static_cast<double>(term.lost), term.exponent - static_cast<int>(term.fraction_bits)));
}

std::string rounding_text(const numerics::rounding_rule& rule, const number_format& format) {
  const unsigned kept = std::min(rule.kept_fraction_bits, format.fraction_bits);
  return fmt::format("{} to {} with {} fraction bits", rule.mode == rounding_mode::toward_zero ? "toward zero" : "to nearest even",
                     format.name, kept);
}

/// What the terms are aligned to: the largest exponent, unless all are smaller than any alignment.
std::string alignment_text(const aligned_group& group) {
  const auto reaches = [&](const aligned_term& term) { return term.counts && term.exponent >= group.smallest_alignment; };
  if (std::any_of(group.terms.begin(), group.terms.end(), reaches)) return fmt::format("largest exponent {}", group.largest_exponent);
  return fmt::format("no exponent reaches {}, the smallest that terms are aligned to", group.smallest_alignment);
}

/// Lines of text, all indented alike.
class line_writer {
 public:
  explicit line_writer(unsigned indent) : indent_(indent) {}

  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    std::string text = std::string(indent_, ' ') + fmt::format(format, std::forward<Arguments>(arguments)...);
    text.erase(text.find_last_not_of(' ') + 1);
    text_ += text + '\n';
  }
  std::string text() const { return text_; }

 private:
  unsigned indent_;
  std::string text_;
};

void write_terms(line_writer& out, const aligned_group& group) {
  std::size_t width = 0;
  for (const aligned_term& term : group.terms) width = std::max(width, label_of(term).size());
  const std::string unit = fmt::format("x 2^{}", group.last_bit);
  out.line("  {:<{}}  {:>8}  {:<18}  {:>18}  {}", "term", width, "exponent", "significand (hex)", unit + " (hex)", "cut off");
  for (const aligned_term& term : group.terms) {
    const std::string exponent = term.counts ? fmt::format("{}", term.exponent) : "none";
    out.line("  {:<{}}  {:>8}  {:<18}  {:>18}  {}", label_of(term), width, exponent,
             std::string(sign_of(term.negative)) + fixed_point(term.significand, term.fraction_bits),
             fmt::format("{}{:x}", sign_of(term.negative), term.kept), loss_of(term));
  }
}

void write_group(line_writer& out, const aligned_group& group, std::size_t index, const numerics::dot_product& unit) {
  const number_format& accumulator = unit.types().accumulator;
  if (group.skips_pairs)
    out.line("group {}: {} products, converted to f16, from k {} on: two, then not the next two, and so on", index, group.count,
             group.first);
  else
    out.line("group {}: k {} to {}", index, group.first, group.first + group.count - 1);
  if (group.is_special) {
    out.line("  an operand is infinite or no number: the result is {}", numerics::value_text(group.result, accumulator));
    return;
  }
  out.line("  {}, {} alignment fraction bits: terms are cut to multiples of 2^{}", alignment_text(group),
           unit.parameters().alignment_fraction_bits, group.last_bit);
  write_terms(out, group);
  const auto magnitude = static_cast<std::uint64_t>(std::abs(group.sum));
  out.line("  exact sum {}{:x} (hex) x 2^{} = {:.17g}", sign_of(group.sum < 0), magnitude, group.last_bit,
           std::ldexp(static_cast<double>(group.sum), group.last_bit));
  out.line("  rounded {}: {}", rounding_text(group.rounding, accumulator), numerics::value_text(group.result, accumulator));
}

}  // namespace

std::string text_of(const alignment& explained, const numerics::dot_product& unit, unsigned indent) {
  line_writer out(indent);
  for (std::size_t i = 0; i < explained.groups.size(); ++i) write_group(out, explained.groups[i], i, unit);
  const auto& parameters = unit.parameters();
  const std::string result = numerics::value_text(explained.result, unit.types().accumulator);
  if (explained.groups.empty() || unit.types().operation != numerics::dot_product_operation::float_sum) {
    out.line("no common alignment: the result is {}", result);
  } else if (parameters.order == summation::paired_groups) {
    out.line("groups T without addend, then (C + (T0 + T1)) + (T2 + T3) and so on: {}", result);
  } else if (parameters.addend == numerics::addend_position::after_sum) {
    out.line("C added to the sum, rounded to nearest even: {}", result);
  }
  return out.text();
}

}  // namespace tc::study
