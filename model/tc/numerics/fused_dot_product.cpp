// SPDX-License-Identifier: Apache-2.0
#include "fused_dot_product.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <tc/numerics/accumulator.hpp>
#include <tc/numerics/datapath_rules.hpp>
#include <tc/numerics/special_terms.hpp>
#include <tc/numerics/term_aligner.hpp>

namespace tc::numerics {

namespace {

/// Elements `first` to `first + count - 1` of a packed row, then zeros; bits above an element may be anything.
template <unsigned StorageBits, std::size_t Length>
void extract(const std::uint32_t* row, unsigned first, unsigned count, std::array<std::uint32_t, Length>& elements) {
  constexpr unsigned per_word = 32 / StorageBits;
  if (first % per_word == 0 && count == Length) {  // whole words, a loop of constant length
    for (unsigned i = 0; i < Length; ++i) elements[i] = row[first / per_word + i / per_word] >> (i % per_word * StorageBits);
    return;
  }
  for (unsigned i = 0; i < count; ++i) elements[i] = row[(first + i) / per_word] >> ((first + i) % per_word * StorageBits);
  std::fill(elements.begin() + count, elements.end(), 0);
}

template <std::size_t Length>
void extract(const std::uint32_t* row, unsigned first, unsigned count, unsigned storage_bits, std::array<std::uint32_t, Length>& elements) {
  switch (storage_bits) {
    case 4:
      return extract<4>(row, first, count, elements);
    case 8:
      return extract<8>(row, first, count, elements);
    case 16:
      return extract<16>(row, first, count, elements);
    default:
      return extract<32>(row, first, count, elements);
  }
}

}  // namespace

fused_dot_product::fused_dot_product(const dot_product_types& types, const dot_product_parameters& parameters)
    : a_(types.a), b_(types.b), accumulator_(types.accumulator), parameters_(parameters) {
  check_unscaled(types, parameters);
  check_product_width(types, 32);
  for (const number_format& format : {a_, b_})
    require(format.storage_bits >= 4, fmt::format("elements of '{}' are smaller than 4 bits", format.name));
}

std::uint64_t fused_dot_product::operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const {
  for (unsigned first = 0; first < k; first += parameters_.group_length)
    c = add_group(a, b, first, std::min(parameters_.group_length, k - first), c);
  return c;
}

std::uint64_t fused_dot_product::add_group(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count,
                                           std::uint64_t c) const {
  return sum_group(a, b, first, count, unpack_addend(c, accumulator_, parameters_));
}

std::uint64_t fused_dot_product::group_sum(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count) const {
  constexpr unpacked_number no_addend{number_class::zero, false, out_of_alignment, 0};
  return sum_group(a, b, first, count, no_addend);
}

std::uint64_t fused_dot_product::sum_group(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count,
                                           const unpacked_number& addend) const {
  if (count <= 4) return add_padded_group<4>(a, b, first, count, addend);
  if (count <= 8) return add_padded_group<8>(a, b, first, count, addend);
  if (count <= 16) return add_padded_group<16>(a, b, first, count, addend);
  if (count <= 32) return add_padded_group<32>(a, b, first, count, addend);
  return add_padded_group<maximum_group_length>(a, b, first, count, addend);
}

template <unsigned Length>
std::uint64_t fused_dot_product::add_padded_group(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count,
                                                  const unpacked_number& addend) const {
  unpacked_group<Length> group_a, group_b;
  unpack_group(a, first, count, a_, group_a);
  unpack_group(b, first, count, b_, group_b);
  if (group_a.has_special || group_b.has_special || !is_finite(addend.category)) return special_sum(a, b, first, count, addend);
  return fused_sum(group_a, group_b, addend);
}

template <unsigned Length>
void fused_dot_product::unpack_group(const std::uint32_t* row, unsigned first, unsigned count, const number_format& format,
                                     unpacked_group<Length>& group) {
  std::array<std::uint32_t, Length> stored;
  extract(row, first, count, format.storage_bits, stored);

  const auto magnitude_mask = static_cast<std::int32_t>(format.magnitude_mask()),
             fraction_mask = static_cast<std::int32_t>(format.fraction_mask());
  const auto hidden_bit = fraction_mask + 1, first_special = static_cast<std::int32_t>(format.first_special());
  const unsigned ignored_bits = format.ignored_bits, fraction_bits = format.fraction_bits,
                 sign_position = format.exponent_bits + fraction_bits;
  const int bias = format.bias;
  std::int32_t specials = 0;
  for (unsigned i = 0; i < Length; ++i) {
    const std::uint32_t pattern = stored[i] >> ignored_bits;
    const std::int32_t magnitude = static_cast<std::int32_t>(pattern) & magnitude_mask;
    const std::int32_t subnormal = magnitude < hidden_bit ? -1 : 0;
    group.exponent[i] = (magnitude >> fraction_bits) - subnormal - bias;
    group.significand[i] = static_cast<std::uint32_t>((magnitude & fraction_mask) | (hidden_bit & ~subnormal));
    group.negative[i] = (pattern >> sign_position) & 1;
    specials |= magnitude >= first_special ? -1 : 0;
  }
  group.has_special = specials != 0;
}

template <unsigned Length>
std::uint64_t fused_dot_product::fused_sum(const unpacked_group<Length>& a, const unpacked_group<Length>& b,
                                           const unpacked_number& addend) const {
  const int zero_penalty = parameters_.align_to_zeros ? 0 : out_of_alignment;
  std::array<std::uint32_t, Length> product, negative;
  std::array<std::int32_t, Length> exponent;
  const int addend_exponent = addend.exponent + (addend.significand == 0 ? zero_penalty : 0);
  int largest = std::max(addend_exponent, smallest_alignment(accumulator_, parameters_));
  for (unsigned i = 0; i < Length; ++i) {
    product[i] = a.significand[i] * b.significand[i];
    negative[i] = a.negative[i] ^ b.negative[i];
    exponent[i] = a.exponent[i] + b.exponent[i] + (product[i] == 0 ? zero_penalty : 0);
    largest = std::max(largest, exponent[i]);
  }

  const unsigned fraction_bits = parameters_.alignment_fraction_bits;
  const term_aligner align_product(a_.fraction_bits + b_.fraction_bits, fraction_bits);
  const term_aligner align_addend(accumulator_.fraction_bits, fraction_bits);
  std::int64_t sum = align_addend(addend.significand, addend.negative ? 1 : 0, largest - addend_exponent);
  for (unsigned i = 0; i < Length; ++i) sum += align_product(product[i], negative[i], largest - exponent[i]);

  return round_sum({sum, largest - static_cast<int>(fraction_bits)}, accumulator_, parameters_);
}

std::uint64_t fused_dot_product::special_sum(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count,
                                             const unpacked_number& addend) const {
  special_terms specials;
  specials.add(addend.category, addend.negative);
  for (unsigned i = first; i < first + count; ++i) {
    const unpacked_number x = unpack(packed_element(a, i, a_), a_), y = unpack(packed_element(b, i, b_), b_);
    specials.add(product_category(x.category, y.category), x.negative != y.negative);
  }
  return specials.sum(accumulator_);
}

namespace {

dot_product_parameters truncating(dot_product_parameters parameters) {
  parameters.output_rounding = {rounding_mode::toward_zero, f64.fraction_bits};
  return parameters;
}

}  // namespace

paired_groups::paired_groups(const dot_product_types& types, const dot_product_parameters& parameters)
    : group_length_(parameters.group_length),
      group_(types, truncating(parameters)),
      adder_(types.accumulator, parameters.output_rounding, parameters.flush_subnormals) {}

std::uint64_t paired_groups::operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const {
  const auto group = [&](unsigned first) { return group_.group_sum(a, b, first, std::min(group_length_, k - first)); };
  for (unsigned first = 0; first < k; first += 2 * group_length_) {
    const unsigned partner = first + group_length_;
    c = adder_.add(c, partner < k ? adder_.add(group(first), group(partner)) : group(first));
  }
  return c;
}

namespace {

dot_product_types converted(const dot_product_types& types) { return {f16, f16, types.accumulator, types.operation, types.scaling}; }

constexpr unsigned bytes_per_word = 4, byte_bits = 8;

}  // namespace

converting_dot_product::converting_dot_product(const dot_product_types& types, const dot_product_parameters& parameters)
    : a_(to_f16(types.a)), b_(to_f16(types.b)), unit_(converted(types), parameters) {}

converting_dot_product::conversion_table converting_dot_product::to_f16(const number_format& format) {
  require(format.storage_bits == byte_bits && format.exponent_bits <= f16.exponent_bits,
          fmt::format("factors converted to f16 are e4m3 or e5m2, not '{}'", format.name));
  conversion_table table{};
  for (unsigned byte = 0; byte < table.size(); ++byte) table[byte] = static_cast<std::uint16_t>(encode(value_of(byte, format), f16));
  return table;
}

std::uint64_t converting_dot_product::operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const {
  const unsigned words = (k + bytes_per_word - 1) / bytes_per_word;
  std::vector<std::uint32_t> row_a(words), row_b(words);
  const auto convert = [](std::uint32_t word, unsigned half, const conversion_table& table) {
    const std::uint32_t pair = word >> (half * 2 * byte_bits);
    return table[pair & 0xff] | std::uint32_t{table[pair >> byte_bits & 0xff]} << f16.storage_bits;
  };
  for (const unsigned half : {0U, 1U}) {
    for (unsigned w = 0; w < words; ++w) {
      row_a[w] = convert(a[w], half, a_);
      row_b[w] = convert(b[w], half, b_);
    }
    const unsigned beyond = k % bytes_per_word == 0 ? 0 : bytes_per_word - k % bytes_per_word;  // elements missing in the last word
    const unsigned missing = half == 0 ? beyond - std::min(beyond, 2U) : std::min(beyond, 2U);
    c = unit_(row_a.data(), row_b.data(), 2 * words - missing, c);
  }
  return c;
}

}  // namespace tc::numerics
