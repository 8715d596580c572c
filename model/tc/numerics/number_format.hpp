// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tc::numerics {

/// Which neighbour in the output format an exact number becomes.
enum class rounding_mode : std::uint8_t { toward_zero, to_nearest_even };

/// How the bits of an element make a number.
enum class encoding : std::uint8_t {
  floating_point,  ///< sign, biased exponent, fraction; exponent field 0 holds zero and the subnormals
  unsigned_integer,
  twos_complement,
};

/// What the largest codes of a floating-point format stand for.
enum class special_values : std::uint8_t {
  none,              ///< every code is a number
  nan_only,          ///< exponent and fraction all ones is NaN, there is no infinity (OCP FP8 e4m3)
  infinity_and_nan,  ///< IEEE 754: exponent all ones is infinity or NaN
};

/// Kinds of floating-point values.
enum class number_class : std::uint8_t { zero, subnormal, normal, infinity, nan };

/// Whether a value is neither infinity nor NaN.
constexpr bool is_finite(number_class category) { return category <= number_class::normal; }

/// Description of an element type. All arithmetic of this room reads a format from here; none of it knows a format by name.
struct number_format {
  std::string_view name;  ///< as PTX spells it
  encoding kind = encoding::floating_point;
  unsigned storage_bits = 32;  ///< bits of an element in a packed row; a power of two, at most 64
  unsigned ignored_bits = 0;   ///< lowest bits of the storage that the hardware drops
  unsigned exponent_bits = 0;  ///< 0 for integers
  unsigned fraction_bits = 0;  ///< 0 for integers
  int bias = 0;                ///< value = 1.fraction x 2^(exponent field - bias)
  special_values specials = special_values::none;
  bool has_sign = true;  ///< else the storage bits above the exponent are ignored
  bool has_zero = true;  ///< else exponent field 0 is one more exponent of normal numbers

  constexpr bool is_floating_point() const { return kind == encoding::floating_point; }
  /// Elements of at most 32 bits in a word; an element of 64 bits takes two words, the low one first.
  constexpr unsigned elements_per_word() const { return 32 / storage_bits; }
  /// Selects the storage bits of an element.
  constexpr std::uint64_t storage_mask() const { return ~std::uint64_t{0} >> (64 - storage_bits); }
  /// Significant bits of a number, the hidden one included.
  constexpr unsigned significand_bits() const { return fraction_bits + 1; }
  /// Exponent of the smallest normal number, and of the subnormal ones if there are any.
  constexpr int minimum_exponent() const { return has_zero ? 1 - bias : -bias; }

  // Patterns below are floating-point elements without the ignored bits; magnitudes are patterns without sign.
  /// The sign of a pattern; 0 in a format without signs.
  constexpr std::uint64_t sign_bit() const { return has_sign ? magnitude_mask() + 1 : 0; }
  constexpr std::uint64_t magnitude_mask() const { return (std::uint64_t{1} << (exponent_bits + fraction_bits)) - 1; }
  constexpr std::uint64_t fraction_mask() const { return (std::uint64_t{1} << fraction_bits) - 1; }
  /// Pattern of infinity in a format that has one.
  constexpr std::uint64_t infinity() const { return magnitude_mask() & ~fraction_mask(); }
  /// Smallest magnitude that is not a number; above every magnitude if all are numbers.
  constexpr std::uint64_t first_special() const {
    if (specials == special_values::infinity_and_nan) return infinity();
    return specials == special_values::nan_only ? magnitude_mask() : magnitude_mask() + 1;
  }
  constexpr std::uint64_t largest_number() const { return first_special() - 1; }
  /// What a magnitude stands for.
  constexpr number_class class_of(std::uint64_t magnitude) const {
    if (has_zero && magnitude <= fraction_mask()) return magnitude == 0 ? number_class::zero : number_class::subnormal;
    if (magnitude < first_special()) return number_class::normal;
    return specials == special_values::infinity_and_nan && magnitude == infinity() ? number_class::infinity : number_class::nan;
  }
  /// The NaN tensor cores return: all ones but the sign, 0x7fff in f16 and 0x7fffffff in f32 (recorded on
  /// an H200; MMA-Sim, arXiv 2511.10909). Chains of f64 keep the NaN of an operand instead.
  constexpr std::uint64_t canonical_nan() const { return magnitude_mask(); }
};

constexpr bool operator==(const number_format& x, const number_format& y) { return x.name == y.name; }
constexpr bool operator!=(const number_format& x, const number_format& y) { return !(x == y); }

// Floating-point element types: IEEE 754, PTX ISA, and the OCP specifications of 8-bit and
// microscaling formats. Elements of 6 bits are stored in bytes.
inline constexpr number_format f64{"f64", encoding::floating_point, 64, 0, 11, 52, 1023, special_values::infinity_and_nan};
inline constexpr number_format f32{"f32", encoding::floating_point, 32, 0, 8, 23, 127, special_values::infinity_and_nan};
inline constexpr number_format tf32{"tf32", encoding::floating_point, 32, 13, 8, 10, 127, special_values::infinity_and_nan};
inline constexpr number_format bf16{"bf16", encoding::floating_point, 16, 0, 8, 7, 127, special_values::infinity_and_nan};
inline constexpr number_format f16{"f16", encoding::floating_point, 16, 0, 5, 10, 15, special_values::infinity_and_nan};
inline constexpr number_format e5m2{"e5m2", encoding::floating_point, 8, 0, 5, 2, 15, special_values::infinity_and_nan};
inline constexpr number_format e4m3{"e4m3", encoding::floating_point, 8, 0, 4, 3, 7, special_values::nan_only};
inline constexpr number_format e3m2{"e3m2", encoding::floating_point, 8, 0, 3, 2, 3, special_values::none};
inline constexpr number_format e2m3{"e2m3", encoding::floating_point, 8, 0, 2, 3, 1, special_values::none};
inline constexpr number_format e2m1{"e2m1", encoding::floating_point, 4, 0, 2, 1, 1, special_values::none};

// Formats of block scales. The sign position of ue4m3 is ignored (MMA-Sim, arXiv 2511.10909).
inline constexpr number_format ue8m0{"ue8m0", encoding::floating_point, 8, 0, 8, 0, 127, special_values::nan_only, false, false};
inline constexpr number_format ue4m3{"ue4m3", encoding::floating_point, 8, 0, 4, 3, 7, special_values::nan_only, false};

// Integer element types (PTX ISA). A b1 element is one bit, read as 0 or 1.
inline constexpr number_format s32{"s32", encoding::twos_complement, 32};
inline constexpr number_format s8{"s8", encoding::twos_complement, 8};
inline constexpr number_format u8{"u8", encoding::unsigned_integer, 8};
inline constexpr number_format s4{"s4", encoding::twos_complement, 4};
inline constexpr number_format u4{"u4", encoding::unsigned_integer, 4};
inline constexpr number_format b1{"b1", encoding::unsigned_integer, 1};

/// Every format above, floating point first.
const std::vector<number_format>& all_number_formats();

/// The format of that name. Throws std::invalid_argument, with the known names, if there is none.
const number_format& find_number_format(std::string_view name);

/// A floating-point element taken apart: (-1)^negative x significand x 2^(exponent - fraction_bits) of its format.
struct unpacked_number {
  number_class category = number_class::zero;
  bool negative = false;
  int exponent = 0;               ///< that of the exponent field; subnormals and zero read as the minimum exponent
  std::uint64_t significand = 0;  ///< with the hidden bit; meaningless for infinity and NaN
};

/// Takes a floating-point element apart.
inline unpacked_number unpack(std::uint64_t bits, const number_format& format) {
  const std::uint64_t pattern = bits >> format.ignored_bits;
  const std::uint64_t magnitude = pattern & format.magnitude_mask();
  const int exponent = static_cast<int>(magnitude >> format.fraction_bits) - format.bias;
  const bool has_hidden_bit = exponent >= format.minimum_exponent();
  return {format.class_of(magnitude), (pattern & format.sign_bit()) != 0, std::max(exponent, format.minimum_exponent()),
          (magnitude & format.fraction_mask()) | std::uint64_t{has_hidden_bit} << format.fraction_bits};
}

/// Whether a floating-point element is neither infinite nor NaN.
inline bool is_finite(std::uint64_t bits, const number_format& format) { return is_finite(unpack(bits, format).category); }

/// Value of an integer element.
inline std::int32_t integer_value(std::uint64_t bits, const number_format& format) {
  const std::uint64_t value = bits & format.storage_mask();
  const std::uint64_t sign = format.kind == encoding::twos_complement ? std::uint64_t{1} << (format.storage_bits - 1) : 0;
  return static_cast<std::int32_t>((value ^ sign) - sign);
}

/// Value of an element of any format, which a double holds exactly; NaN for every NaN.
double value_of(std::uint64_t bits, const number_format& format);

/// What becomes of a number beyond the largest one.
enum class overflow_rule : std::uint8_t {
  to_special,  ///< infinity, or NaN where there is no infinity, or the largest number where there is neither
  saturate,    ///< the largest number (PTX ISA, cvt.satfinite)
};

/// The element that stands for `value`, rounded once; zeros and underflows keep their sign. NaN gives the canonical NaN, or the largest
/// number in a format without NaN (PTX ISA, cvt to e2m1); infinities overflow, finite numbers do not when they are rounded toward zero.
/// Formats without signs encode the magnitude, formats without zero have their smallest number for it. Integers saturate, and NaN gives 0
/// (PTX ISA, cvt).
std::uint64_t encode(double value, const number_format& format, rounding_mode mode = rounding_mode::to_nearest_even,
                     overflow_rule overflow = overflow_rule::to_special);

/// Words that a row of that many packed elements takes.
constexpr unsigned words_for(unsigned elements, const number_format& format) { return (elements * format.storage_bits + 31) / 32; }

/// Bits of element `index` of a row packed into little-endian words, the first element in the lowest bits; higher bits are zero.
inline std::uint64_t packed_element(const std::uint32_t* words, std::size_t index, const number_format& format) {
  if (format.storage_bits == 64) return words[2 * index] | std::uint64_t{words[2 * index + 1]} << 32;
  const std::size_t position = index * format.storage_bits;
  return (words[position / 32] >> (position % 32)) & format.storage_mask();
}

/// Stores the low bits of `bits` as element `index` of a packed row; its neighbours keep their values.
inline void set_packed_element(std::uint32_t* words, std::size_t index, const number_format& format, std::uint64_t bits) {
  const std::size_t position = index * format.storage_bits;
  std::uint32_t& word = words[position / 32];
  const std::size_t shift = position % 32;
  const std::uint64_t mask = format.storage_mask() << shift;
  word = static_cast<std::uint32_t>((word & ~mask) | (bits << shift & mask));
  if (format.storage_bits == 64) words[2 * index + 1] = static_cast<std::uint32_t>(bits >> 32);
}

}  // namespace tc::numerics
