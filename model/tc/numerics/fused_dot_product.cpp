#include <algorithm>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include <tc/numerics/fused_dot_product.hpp>

namespace tc::numerics {

namespace {

/// Added to the exponent of a zero term that takes no part in the alignment: far below every real exponent.
constexpr int out_of_alignment = -(1 << 20);

/// Brings significands with `fraction_bits` fraction bits to the fraction bits of the alignment, truncating toward zero.
class aligner {
 public:
  aligner(unsigned fraction_bits, unsigned alignment_fraction_bits)
      : left_(static_cast<int>(alignment_fraction_bits > fraction_bits ? alignment_fraction_bits - fraction_bits : 0)),
        right_(static_cast<int>(fraction_bits > alignment_fraction_bits ? fraction_bits - alignment_fraction_bits : 0)) {}

  /// Signed significand in units of the last kept bit, `distance` below the largest exponent.
  std::int64_t operator()(std::uint32_t significand, std::uint32_t negative, int distance) const {
    const auto magnitude = static_cast<std::int64_t>((std::uint64_t{significand} << left_) >> std::min(distance + right_, 63));
    const std::int64_t sign = -static_cast<std::int64_t>(negative);
    return (magnitude ^ sign) - sign;  // branch-free negation
  }

 private:
  int left_, right_;
};

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

void require(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument("fused dot product: " + message);
}

void check_formats(const number_format& a, const number_format& b, const number_format& accumulator) {
  for (const number_format& format : {a, b, accumulator}) {
    require(format.is_floating_point(), fmt::format("'{}' is not a floating-point format", format.name));
    require(format.storage_bits >= 4, fmt::format("elements of '{}' are smaller than 4 bits", format.name));
  }
  require(a.significand_bits() + b.significand_bits() <= 32,
          fmt::format("a product of {} and {} has {} significant bits, the multipliers give 32", a.name, b.name,
                      a.significand_bits() + b.significand_bits()));
  require(accumulator.specials == special_values::infinity_and_nan,
          fmt::format("the accumulator format must have infinities, '{}' has none", accumulator.name));
  require(accumulator.ignored_bits == 0, fmt::format("'{}' is an operand format, not an accumulator format", accumulator.name));
}

void check_parameters(const dot_product_parameters& p) {
  require(p.group_length >= 1 && p.group_length <= maximum_group_length,
          fmt::format("the group length is {}, allowed are 1 to {}", p.group_length, maximum_group_length));
  require(p.alignment_fraction_bits <= maximum_alignment_bits,
          fmt::format("{} alignment fraction bits, allowed are 0 to {}", p.alignment_fraction_bits, maximum_alignment_bits));
}

}  // namespace

fused_dot_product::fused_dot_product(const number_format& a, const number_format& b, const number_format& accumulator,
                                     const dot_product_parameters& parameters)
    : a_(a), b_(b), accumulator_(accumulator), parameters_(parameters) {
  check_formats(a, b, accumulator);
  check_parameters(parameters);
}

std::uint32_t fused_dot_product::operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint32_t c) const {
  for (unsigned first = 0; first < k; first += parameters_.group_length)
    c = add_group(a, b, first, std::min(parameters_.group_length, k - first), c);
  return c;
}

std::uint32_t fused_dot_product::add_group(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count,
                                           std::uint32_t c) const {
  if (count <= 4) return add_padded_group<4>(a, b, first, count, c);
  if (count <= 8) return add_padded_group<8>(a, b, first, count, c);
  if (count <= 16) return add_padded_group<16>(a, b, first, count, c);
  if (count <= 32) return add_padded_group<32>(a, b, first, count, c);
  return add_padded_group<maximum_group_length>(a, b, first, count, c);
}

template <unsigned Length>
std::uint32_t fused_dot_product::add_padded_group(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count,
                                                  std::uint32_t c) const {
  unpacked_group<Length> group_a, group_b;
  unpack_group(a, first, count, a_, group_a);
  unpack_group(b, first, count, b_, group_b);
  const unpacked_number addend = unpack_addend(c);
  const bool addend_is_special = addend.category == number_class::infinity || addend.category == number_class::nan;
  if (group_a.has_special || group_b.has_special || addend_is_special) return special_sum(a, b, first, count, addend);
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
std::uint32_t fused_dot_product::fused_sum(const unpacked_group<Length>& a, const unpacked_group<Length>& b,
                                           const unpacked_number& addend) const {
  const int zero_penalty = parameters_.align_to_zeros ? 0 : out_of_alignment;
  std::array<std::uint32_t, Length> product, negative;
  std::array<std::int32_t, Length> exponent;
  const int addend_exponent = addend.exponent + (addend.significand == 0 ? zero_penalty : 0);
  int largest = addend_exponent;
  for (unsigned i = 0; i < Length; ++i) {
    product[i] = a.significand[i] * b.significand[i];
    negative[i] = a.negative[i] ^ b.negative[i];
    exponent[i] = a.exponent[i] + b.exponent[i] + (product[i] == 0 ? zero_penalty : 0);
    largest = std::max(largest, exponent[i]);
  }

  const unsigned fraction_bits = parameters_.alignment_fraction_bits;
  const aligner align_product(a_.fraction_bits + b_.fraction_bits, fraction_bits), align_addend(accumulator_.fraction_bits, fraction_bits);
  std::int64_t sum = align_addend(addend.significand, addend.negative ? 1 : 0, largest - addend_exponent);
  for (unsigned i = 0; i < Length; ++i) sum += align_product(product[i], negative[i], largest - exponent[i]);

  const std::uint32_t result = round_to_format({sum, largest - static_cast<int>(fraction_bits)}, accumulator_, parameters_.output_rounding);
  const bool is_subnormal = (result & accumulator_.infinity()) == 0;
  return parameters_.flush_subnormals && is_subnormal ? 0 : result;
}

std::uint32_t fused_dot_product::special_sum(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count,
                                             const unpacked_number& addend) const {
  const auto is = [](const unpacked_number& x, const unpacked_number& y, number_class category) {
    return x.category == category || y.category == category;
  };
  bool is_nan = addend.category == number_class::nan;
  bool has_infinity[2] = {false, false};  // by sign
  if (addend.category == number_class::infinity) has_infinity[addend.negative] = true;
  for (unsigned i = first; i < first + count; ++i) {
    const unpacked_number x = unpack(packed_element(a, i, a_), a_), y = unpack(packed_element(b, i, b_), b_);
    const bool is_infinity = is(x, y, number_class::infinity);
    is_nan = is_nan || is(x, y, number_class::nan) || (is_infinity && is(x, y, number_class::zero));
    if (is_infinity) has_infinity[x.negative != y.negative] = true;
  }
  if (is_nan || (has_infinity[0] && has_infinity[1])) return accumulator_.canonical_nan();
  return accumulator_.infinity() | (has_infinity[1] ? accumulator_.sign_bit() : 0);
}

unpacked_number fused_dot_product::unpack_addend(std::uint32_t c) const {
  unpacked_number addend = unpack(c, accumulator_);
  const bool is_subnormal = addend.category == number_class::finite && addend.significand >> accumulator_.fraction_bits == 0;
  if (parameters_.flush_subnormals && is_subnormal) addend.significand = 0;
  return addend;
}

}  // namespace tc::numerics
