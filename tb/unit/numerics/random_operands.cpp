// SPDX-License-Identifier: Apache-2.0
#include "random_operands.hpp"

#include <algorithm>

namespace tc::numerics::test {

dot_operands random_operands::operator()(unsigned k) {
  return types_.operation == dot_product_operation::float_sum ? float_operands(k) : integer_operands(k);
}

dot_operands random_operands::float_operands(unsigned k) {
  dot_operands operands;
  operands.a.resize(k);
  operands.b.resize(k);
  const exact_format& sum = accumulator();
  const int smallest = 1 - sum.bias, result_bits = static_cast<int>(sum.mantissa_bits);
  if (types_.scaling) {
    const int spread = one_in(4) ? 40 : 3;
    fill_scales(operands, one_in(8) ? (smallest - uniform(0, result_bits)) / 2 : uniform(-spread, spread), spread);
  }
  switch (uniform(0, 8)) {
    case 0:
      fill_any_bits(operands);
      break;
    case 1:
      fill_moderate(operands);
      break;
    case 2:
      fill_ladder(operands);
      break;
    case 3:
      fill_zeros_and_giants(operands);
      break;
    case 4:
      fill_near(operands, one_in(2) ? sum.bias - uniform(0, 4) : 2 * sum.bias);
      break;
    case 5:
      fill_near(operands, smallest - uniform(0, result_bits + 4));
      break;
    case 7:
      fill_tiny(operands, smallest - uniform(0, result_bits + 2));
      break;
    case 6:
      fill_ties(operands);
      break;
    default:
      fill_moderate(operands);
      strew_specials(operands);
  }
  return operands;
}

dot_operands random_operands::integer_operands(unsigned k) {
  dot_operands operands;
  const bool is_extreme = one_in(4);
  for (auto* const row : {&operands.a, &operands.b}) {
    const number_format& format = row == &operands.a ? types_.a : types_.b;
    const std::uint64_t largest_code = (std::uint64_t{1} << format.storage_bits) - 1;
    for (unsigned i = 0; i < k; ++i) {
      const std::uint64_t half = largest_code / 2 + (one_in(2) ? 1 : 0);
      row->push_back(is_extreme ? (one_in(2) ? half : largest_code) : any_bits(format));
    }
  }
  const std::uint64_t limit = one_in(2) ? 0x7fffffff : 0x80000000;
  const auto offset = static_cast<std::uint64_t>(uniform(-3000, 3000));
  operands.c = one_in(2) ? any_bits(types_.accumulator) : (limit + offset) & 0xffffffff;
  return operands;
}

void random_operands::fill_any_bits(dot_operands& operands) {
  for (auto& x : operands.a) x = any_bits(types_.a);
  for (auto& x : operands.b) x = any_bits(types_.b);
  operands.c = any_bits(types_.accumulator);
}

void random_operands::fill_moderate(dot_operands& operands) {
  const int spread = uniform(0, 6);
  for (std::size_t i = 0; i < operands.a.size(); ++i) set_product(operands, i, {uniform(-spread, spread), one_in(2)});
  operands.c = one_in(4) ? 0 : number(accumulator(), {uniform(-spread, spread + 3), one_in(2)});
}

void random_operands::fill_ladder(dot_operands& operands) {
  const int step = uniform(1, 6), top = uniform(0, 20);
  int exponent = top;
  for (std::size_t i = 0; i < operands.a.size(); ++i) {
    if (i > 0 && one_in(2)) {
      const std::uint64_t lowest_bit = std::uint64_t{1} << a().ignored_low_bits;
      operands.a[i] = operands.a[i - 1] ^ a().pattern(true, 0, 0) ^ (one_in(2) ? lowest_bit : 0);
      operands.b[i] = operands.b[i - 1];
      if (one_in(2)) continue;
      std::swap(operands.a[i], operands.a[static_cast<std::size_t>(uniform(0, static_cast<int>(i)))]);
    } else {
      set_product(operands, i, {exponent, one_in(2), one_in(2)});
    }
    exponent -= uniform(0, step);
  }
  operands.c = number(accumulator(), {uniform(exponent - 8, top + 8), one_in(2), one_in(2)});
}

void random_operands::fill_zeros_and_giants(dot_operands& operands) {
  const int far = 2 * (a().bias + b().bias);
  const int common = uniform(-30, 5);
  for (std::size_t i = 0; i < operands.a.size(); ++i) {
    set_product(operands, i, {one_in(3) ? far : common + uniform(-3, 3), one_in(2)});
    if (one_in(2)) (one_in(2) ? operands.a : operands.b)[i] = a().pattern(one_in(2), 0, 0);
  }
  for (std::size_t i = 0; i < operands.b.size(); ++i)
    if (one_in(4)) operands.b[i] = b().pattern(one_in(2), 0, 0);
  operands.c = one_in(2) ? accumulator().pattern(one_in(2), 0, 0) : number(accumulator(), {common, one_in(2)});
}

void random_operands::fill_near(dot_operands& operands, int exponent) {
  const bool has_one_sign = one_in(2);
  for (std::size_t i = 0; i < operands.a.size(); ++i) {
    set_product(operands, i, {exponent + uniform(-3, 3), !has_one_sign && one_in(2), one_in(4)});
    if (one_in(4)) operands.a[i] = a().pattern(one_in(2), 0, 0);
  }
  operands.c = one_in(3) ? 0 : number(accumulator(), {exponent + uniform(-3, 3), one_in(2), one_in(4)});
}

void random_operands::fill_tiny(dot_operands& operands, int largest) {
  const int depth = uniform(8, 40);
  for (std::size_t i = 0; i < operands.a.size(); ++i) {
    if (i == 0 || one_in(4)) set_product(operands, i, {i == 0 || one_in(2) ? largest : largest - depth + uniform(-2, 2), one_in(2), true});
  }
  if (one_in(4)) operands.c = accumulator().pattern(one_in(2), 0, static_cast<std::uint64_t>(uniform(0, 2)));
}

void random_operands::fill_ties(dot_operands& operands) {
  const int width = static_cast<int>(accumulator().mantissa_bits) + 3;
  const int top = uniform(-8, 8);
  for (std::size_t i = 0; i < operands.a.size(); ++i) {
    set_product(operands, i, {top - (one_in(2) ? width - uniform(0, 4) : uniform(0, width)), one_in(2), true});
    if (one_in(2)) operands.a[i] = a().pattern(false, 0, 0);
  }
  operands.c = number(accumulator(), {top, one_in(2), one_in(2)});
}

void random_operands::strew_specials(dot_operands& operands) {
  const int n = static_cast<int>(operands.a.size()) * uniform(1, 3);
  for (auto& x : operands.a)
    if (one_in(n)) x = special(a());
  for (auto& x : operands.b)
    if (one_in(n)) x = special(b());
  if (one_in(3)) operands.c = special(accumulator());
  for (auto* const scales : {&operands.scale_a, &operands.scale_b})
    for (auto& x : *scales)
      if (one_in(12)) x = special(find_exact_format(types_.scaling->format.name));
}

void random_operands::fill_scales(dot_operands& operands, int center, int spread) {
  const exact_format& format = find_exact_format(types_.scaling->format.name);
  const std::size_t blocks = (operands.a.size() + types_.scaling->block_length - 1) / types_.scaling->block_length;
  for (auto* const scales : {&operands.scale_a, &operands.scale_b}) {
    for (std::size_t i = 0; i < blocks; ++i) scales->push_back(number(format, {center + uniform(-spread, spread)}));
    // A format without signs ignores the bit above its exponent.
    for (auto& x : *scales)
      if (format.exponent_bits + format.mantissa_bits < 8 && one_in(4)) x |= 0x80;
  }
}

void random_operands::set_product(dot_operands& operands, std::size_t index, product_place place) {
  const int of_a = place.exponent / 2 + uniform(-2, 2);
  operands.a[index] = number(a(), {of_a, place.negative != one_in(2), place.is_sparse});
  const exact_operand chosen = decoded(operands.a[index], a());
  operands.b[index] = number(b(), {place.exponent - chosen.exponent, chosen.negative != place.negative, place.is_sparse});
}

/// A finite number with that exponent, or with the nearest one that the format has.
std::uint64_t random_operands::number(const exact_format& format, product_place place) {
  const int last_field = static_cast<int>(format.largest_exponent_field()) - (format.has_infinity() ? 1 : 0);
  const int field = std::clamp(place.exponent + format.bias, 0, last_field);
  std::uint64_t mantissa = random_() & format.largest_mantissa();
  if (place.is_sparse) mantissa &= std::uint64_t{1} << uniform(0, static_cast<int>(format.mantissa_bits));
  std::uint64_t pattern = format.pattern(place.negative, static_cast<std::uint64_t>(field), mantissa);
  if (decoded(pattern, format).is_nan()) pattern -= std::uint64_t{1} << format.ignored_low_bits;
  const std::uint64_t ignored = random_() & ((std::uint64_t{1} << format.ignored_low_bits) - 1);
  return pattern | ignored;
}

/// Zero, infinity or NaN of either sign, as far as the format has them.
std::uint64_t random_operands::special(const exact_format& format) {
  const std::uint64_t mantissas[] = {0, format.largest_mantissa(), random_() & format.largest_mantissa()};
  const std::uint64_t field = one_in(3) ? 0 : format.largest_exponent_field();
  return format.pattern(one_in(2), field, field == 0 ? 0 : mantissas[uniform(0, 2)]);
}

std::uint64_t random_operands::any_bits(const number_format& format) {
  const exact_format* const described = format.is_floating_point() ? &find_exact_format(format.name) : nullptr;
  const unsigned bits = described == nullptr
                            ? format.storage_bits
                            : described->sign_bits + described->exponent_bits + described->mantissa_bits + described->ignored_low_bits;
  return random_() >> (64 - bits);
}

std::vector<std::uint32_t> packed(const std::vector<std::uint64_t>& elements, unsigned storage_bits) {
  std::vector<std::uint32_t> words(elements.size() * storage_bits / 32 + 2, 0);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (unsigned bit = 0; bit < storage_bits; ++bit) {
      const std::size_t position = i * storage_bits + bit;
      words[position / 32] |= static_cast<std::uint32_t>(elements[i] >> bit & 1) << (position % 32);
    }
  }
  return words;
}

}  // namespace tc::numerics::test
