// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/lanes/lane_operations.hpp>
#include <tc/numerics/number_format.hpp>

namespace tc::lanes::float_lane_operations_test {
namespace {

using numerics::number_format;

/// Executes one instruction on up to three registers, different in every lane.
lane_result execute(const std::string& text, const std::vector<warp::lane_vector>& operands) {
  const isa::instruction code = isa::parse_operation(text, isa::architecture::sm_90);
  EXPECT_TRUE(computes_lanes(code)) << text;
  const warp::lane_vector zero{};
  std::array<lane_source, isa::instruction::max_sources> sources{};
  std::size_t next = 0;
  for (unsigned s = 0; s < code.source_count; ++s) {
    const bool is_zero = code.sources[s].index == isa::zero_register;
    sources[s].low = is_zero ? &zero : &operands.at(next++);
    if (code.sources[s].count == 2) sources[s].high = is_zero ? &zero : &operands.at(next++);
  }
  lane_result result;
  execute_lanes(code, sources, result);
  return result;
}

std::uint32_t first_lane(const std::string& text, const std::vector<std::uint32_t>& operands) {
  std::vector<warp::lane_vector> lanes;
  for (const std::uint32_t operand : operands) lanes.push_back(warp::broadcast(operand));
  return execute(text, lanes).registers[0][0];
}

/// Patterns of a format: any, and often those near each other, near the limits and special ones.
class pattern_source {
 public:
  explicit pattern_source(const number_format& format) : format_(format) {}

  std::uint64_t operator()() {
    const std::uint64_t any = random_() & (format_.magnitude_mask() | format_.sign_bit());
    switch (random_() % 6) {
      case 0:
        return any;
      case 1:  // subnormal, or nearly
        return any & (format_.sign_bit() | (format_.fraction_mask() << 1U | 1U));
      case 2:  // zero, infinity, NaN, smallest and largest
        return (any & format_.sign_bit()) | specials_[random_() % specials_.size()];
      default:  // near 1, and few digits: ties and cancellation
        return (any & (format_.sign_bit() | format_.fraction_mask())) +
               (static_cast<std::uint64_t>(format_.bias) << format_.fraction_bits) - ((random_() % 30) << (format_.fraction_bits - 2));
    }
  }

 private:
  const number_format format_;
  std::mt19937_64 random_{20211209};
  const std::vector<std::uint64_t> specials_{0, format_.infinity(),         format_.infinity() + 1, format_.largest_number(),
                                             1, format_.fraction_mask() + 1};
};

/// Exact arithmetic: numbers are multiples of 2^-400.
using exact = boost::multiprecision::cpp_int;
constexpr int unit = 400;

struct exact_operand {
  bool is_nan = false, is_infinite = false, negative = false;
  exact magnitude;
};

exact magnitude_of(std::uint64_t pattern, const number_format& format) {
  const auto field = static_cast<int>(pattern >> format.fraction_bits);
  const std::uint64_t fraction = pattern & format.fraction_mask();
  const int shift = unit + std::max(field, 1) - format.bias - static_cast<int>(format.fraction_bits);
  return exact(field == 0 ? fraction : fraction | (format.fraction_mask() + 1)) << shift;
}

exact_operand taken_apart(std::uint64_t bits, const number_format& format) {
  const std::uint64_t pattern = bits & format.magnitude_mask();
  exact_operand x{pattern > format.infinity(), pattern == format.infinity(), (bits & format.sign_bit()) != 0, 0};
  if (pattern < format.infinity()) x.magnitude = magnitude_of(pattern, format);
  return x;
}

/// The element nearest to half of `doubled`, by search among all: the pattern of infinity counts as the power of two that it would be.
std::uint64_t nearest_to_half(const exact& doubled, const number_format& format) {
  const auto twice = [&](std::uint64_t pattern) { return exact(2 * magnitude_of(pattern, format)); };
  std::uint64_t low = 0, high = format.infinity();
  if (doubled >= twice(high)) return high;
  while (high - low > 1) {
    const std::uint64_t middle = (low + high) / 2;
    (twice(middle) <= doubled ? low : high) = middle;
  }
  const exact below = doubled - twice(low), above = twice(high) - doubled;
  if (below == above) return (low & 1U) == 0 ? low : high;
  return below < above ? low : high;
}

/// a x b + c by the rules of IEEE 754, rounded to nearest even; NaN is all ones but the sign.
std::uint64_t multiply_add(const exact_operand& a, const exact_operand& b, const exact_operand& c, const number_format& format) {
  const bool product_negative = a.negative != b.negative, product_infinite = a.is_infinite || b.is_infinite;
  const bool zero_by_infinity =
      (a.is_infinite && !b.is_infinite && b.magnitude == 0) || (b.is_infinite && !a.is_infinite && a.magnitude == 0);
  const bool opposite_infinities = product_infinite && c.is_infinite && product_negative != c.negative;
  if (a.is_nan || b.is_nan || c.is_nan || zero_by_infinity || opposite_infinities) return format.canonical_nan();
  if (product_infinite) return format.infinity() | (product_negative ? format.sign_bit() : 0);
  if (c.is_infinite) return format.infinity() | (c.negative ? format.sign_bit() : 0);
  const exact product = a.magnitude * b.magnitude;
  exact sum = (c.negative ? -c.magnitude : c.magnitude) << unit;
  sum += product_negative ? -product : product;
  const bool zeros_negative = product == 0 && c.magnitude == 0 && product_negative && c.negative;
  const bool negative = sum == 0 ? zeros_negative : sum < 0;
  const exact magnitude = sum < 0 ? exact(-sum) : sum;
  // What is below the unit lies far below any format's last place: one bit stands for it.
  const exact units = magnitude >> unit;
  const exact doubled = units * 2 + ((units << unit) != magnitude ? 1 : 0);
  return nearest_to_half(doubled, format) | (negative ? format.sign_bit() : 0);
}

struct packed_case {
  const char* text;
  number_format format;
  int kind;  ///< operands: 2 add, 1 multiply, 3 both
};

/// Both halves of 16-bit arithmetic against exact integers.
TEST(packed_float_operations, equal_exact_arithmetic_rounded_once) {
  const std::vector<packed_case> cases{
      {"HADD2 R0, R1, R2", numerics::f16, 2},          {"HMUL2 R0, R1, R2", numerics::f16, 1},
      {"HFMA2 R0, R1, R2, R3", numerics::f16, 3},      {"HADD2.BF16_V2 R0, R1, R2", numerics::bf16, 2},
      {"HMUL2.BF16_V2 R0, R1, R2", numerics::bf16, 1}, {"HFMA2.BF16_V2 R0, R1, R2, R3", numerics::bf16, 3},
  };
  for (const packed_case& each : cases) {
    pattern_source next(each.format);
    const exact_operand one = taken_apart(static_cast<std::uint64_t>(each.format.bias) << each.format.fraction_bits, each.format);
    const exact_operand minus_zero = taken_apart(each.format.sign_bit(), each.format);
    const exact_operand plus_zero = taken_apart(0, each.format);
    for (int round = 0; round < 12; ++round) {
      std::vector<warp::lane_vector> operands(3);
      for (warp::lane_vector& operand : operands)
        for (std::uint32_t& lane : operand) lane = static_cast<std::uint32_t>(next() << 16U | next());
      const warp::lane_vector result = execute(each.text, {operands[0], operands[1], operands[2]}).registers[0];
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
        for (unsigned half = 0; half < 2; ++half) {
          const auto element = [&](unsigned s) { return taken_apart(operands[s][lane] >> (16 * half) & 0xffffU, each.format); };
          const exact_operand a = element(0), b = element(1);
          // A product alone keeps its sign when it is zero: add the zero of that sign.
          const std::uint64_t expected = each.kind == 2 ? multiply_add(a, one, b, each.format)
                                         : each.kind == 1
                                             ? multiply_add(a, b, a.negative != b.negative ? minus_zero : plus_zero, each.format)
                                             : multiply_add(a, b, element(2), each.format);
          ASSERT_EQ(result[lane] >> (16 * half) & 0xffffU, expected)
              << each.text << std::hex << " of " << operands[0][lane] << " " << operands[1][lane] << " " << operands[2][lane];
        }
      }
    }
  }
}

float as_float(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// As a GPU returns it: with the canonical NaN, and subnormals as zeros if they are flushed.
std::uint32_t as_bits(float value, bool flush) {
  if (std::isnan(value)) return 0x7fffffff;
  if (flush && std::fpclassify(value) == FP_SUBNORMAL) value = std::copysign(0.0F, value);
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// What the host's own floating-point unit returns in a rounding direction.
std::uint32_t on_host(const std::string& mnemonic, int direction, bool flush, std::array<std::uint32_t, 3> bits) {
  std::array<float, 3> operand{};
  for (unsigned i = 0; i < 3; ++i) operand[i] = as_float(as_bits(as_float(bits[i]), flush));
  volatile float a = operand[0], b = operand[1], c = operand[2], result = 0;
  std::fesetround(direction);
  if (mnemonic == "FADD") result = a + b;
  if (mnemonic == "FMUL") result = a * b;
  if (mnemonic == "FFMA") result = std::fma(a, b, c);
  std::fesetround(FE_TONEAREST);
  return as_bits(result, flush);
}

TEST(float_operations, equal_the_hosts_in_every_rounding_direction) {
  const std::vector<std::pair<std::string, int>> directions{
      {"", FE_TONEAREST}, {".RM", FE_DOWNWARD}, {".RP", FE_UPWARD}, {".RZ", FE_TOWARDZERO}};
  pattern_source next(numerics::f32);
  for (const std::string mnemonic : {"FADD", "FMUL", "FFMA"}) {
    for (const auto& [suffix, direction] : directions) {
      for (const bool flush : {false, true}) {
        const std::string text = mnemonic + (flush ? ".FTZ" : "") + suffix + " R0, R1, R2" + (mnemonic == "FFMA" ? ", R3" : "");
        for (int round = 0; round < 20; ++round) {
          std::vector<warp::lane_vector> operands(3);
          for (warp::lane_vector& operand : operands)
            for (std::uint32_t& lane : operand) lane = static_cast<std::uint32_t>(next());
          const warp::lane_vector result = execute(text, operands).registers[0];
          for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
            const std::array<std::uint32_t, 3> in{operands[0][lane], operands[1][lane], operands[2][lane]};
            ASSERT_EQ(result[lane], on_host(mnemonic, direction, flush, in))
                << text << std::hex << " of " << in[0] << " " << in[1] << " " << in[2];
          }
        }
      }
    }
  }
}

TEST(float_operations, take_signs_saturation_and_relu_from_the_instruction) {
  constexpr std::uint32_t one = 0x3f800000, two = 0x40000000, nan = 0x7fc00123;
  EXPECT_EQ(first_lane("FADD R0, -R1, |R2|", {one, 0xc0000000}), one);  // -1 + 2
  EXPECT_EQ(first_lane("FADD R0, -RZ, -R1", {0}), 0x80000000);          // zeros of one sign keep it
  EXPECT_EQ(first_lane("FFMA.SAT R0, R1, R2, R3", {two, two, one}), one);
  EXPECT_EQ(first_lane("FADD.SAT R0, R1, R2", {0xbf800000, 0}), 0U);
  EXPECT_EQ(first_lane("FADD.SAT R0, R1, R2", {nan, 0}), 0U);
  EXPECT_EQ(first_lane("FADD R0, R1, R2", {nan, 0}), 0x7fffffffU);
  EXPECT_EQ(first_lane("FMUL.FMZ R0, R1, R2", {0x7f800000, 0x80000000}), 0U);  // infinity times zero
  EXPECT_EQ(first_lane("HADD2 R0, R1.H0_H0, R2.H1_H1", {0x40003c00, 0x40003c00}), 0x42004200U);
  EXPECT_EQ(first_lane("HADD2.F32 R0, -RZ, R1.H1_H1", {0x00013c00}), 0x33800000U);  // the smallest subnormal f16
  EXPECT_EQ(first_lane("HADD2.F32 R0, -RZ, R1.H0_H0", {0x00018000}), 0x80000000U);
  EXPECT_EQ(first_lane("HADD2.F32 R0, -RZ, R1.H0_H0", {0x00017c01}), 0x7fffffffU);
  EXPECT_EQ(first_lane("HMUL2 R0, R1, -R2", {0x3c003c00, 0x3c00bc00}), 0xbc003c00U);
  EXPECT_EQ(first_lane("HFMA2.MMA.RELU R0, R1, R2, R3", {0x3c003c00, 0xbc003c00, 0}), 0x00003c00U);
}

TEST(conversions, of_floats_equal_exact_rounding) {
  pattern_source next(numerics::f32);
  for (int round = 0; round < 20; ++round) {
    warp::lane_vector a{}, b{};
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
      a[lane] = static_cast<std::uint32_t>(next());
      b[lane] = static_cast<std::uint32_t>(next());
    }
    for (const auto& [text, format] :
         {std::pair{"F2FP.F16.F32.PACK_AB R0, R1, R2", numerics::f16}, std::pair{"F2FP.BF16.F32.PACK_AB R0, R1, R2", numerics::bf16}}) {
      const warp::lane_vector packed = execute(text, {a, b}).registers[0];
      const auto expected = [&, &to = format](std::uint32_t bits) -> std::uint64_t {
        const exact_operand x = taken_apart(bits, numerics::f32);
        if (x.is_nan) return to.canonical_nan();
        return (x.is_infinite ? to.infinity() : nearest_to_half(2 * x.magnitude, to)) | (x.negative ? to.sign_bit() : 0);
      };
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
        ASSERT_EQ(packed[lane], expected(a[lane]) << 16U | expected(b[lane])) << text << std::hex << " " << a[lane] << " " << b[lane];
    }
    ASSERT_EQ(execute("F2F.F16.F32 R0, R1", {a}).registers[0], execute("F2FP.PACK_AB R0, RZ, R1", {a}).registers[0]);
    // There and back: an f32 is an f64.
    const lane_result wide = execute("F2F.F64.F32 R0, R1", {a});
    const warp::lane_vector back = execute("F2F.F32.F64 R0, R2", {wide.registers[0], wide.registers[1]}).registers[0];
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) ASSERT_EQ(back[lane], as_bits(as_float(a[lane]), false));
  }
  EXPECT_EQ(first_lane("F2F.F16.F32.RZ R0, R1", {0x477fffff}), 0x7bffU);  // just below 2^16: the largest number
  EXPECT_EQ(first_lane("F2F.F16.F32.RP R0, R1", {1}), 1U);                // a subnormal, upward
  EXPECT_EQ(first_lane("F2F.FTZ.F16.F32.RP R0, R1", {1}), 0U);            // is zero already
  EXPECT_EQ(first_lane("F2F.F32.F64.RM R0, R2", {1, 0xbff00000}), 0xbf800001U);
}

struct integer_case {
  const char* text;
  std::vector<std::uint32_t> operands;
  std::uint64_t expected;
};

TEST(conversions, between_integers_and_floats) {
  const std::vector<integer_case> cases{
      {"F2I.TRUNC.NTZ R0, R1", {0xbfc00000}, 0xffffffff},  // -1.5
      {"F2I.NTZ R0, R1", {0x3fc00000}, 2},                 // 1.5, tie to even
      {"F2I.NTZ R0, R1", {0x40200000}, 2},                 // 2.5
      {"F2I.FLOOR.NTZ R0, R1", {0xbf000000}, 0xffffffff},  // -0.5
      {"F2I.CEIL.NTZ R0, R1", {0x00000001}, 1},
      {"F2I.FTZ.CEIL.NTZ R0, R1", {0x00000001}, 0},
      {"F2I.TRUNC.NTZ R0, R1", {0x4f000000}, 0x7fffffff},  // 2^31
      {"F2I.TRUNC.NTZ R0, R1", {0xcf000000}, 0x80000000},
      {"F2I.U32.TRUNC.NTZ R0, R1", {0xbf800000}, 0},
      {"F2I.U32.TRUNC.NTZ R0, R1", {0x7f800000}, 0xffffffff},
      {"F2I.TRUNC.NTZ R0, R1", {0x7fc00000}, 0},
      {"F2I.S64.TRUNC R0, R1", {0x7fc00000}, 0x8000000000000000},
      {"F2I.S64.TRUNC R0, R1", {0xdf000000}, 0x8000000000000000},  // -2^63
      {"F2I.U64.TRUNC R0, R1", {0x5f7fffff}, 0xffffff0000000000},  // the largest f32 below 2^64
      {"F2I.F16.TRUNC R0, R1.H1", {0xc5000000}, 0xfffffffb},       // -5
      {"F2I.F64.TRUNC R0, R2", {0, 0x41e00000}, 0x7fffffff},       // 2^31 in f64
      {"I2F R0, R1", {0xffffffff}, 0xbf800000},
      {"I2F.U32 R0, R1", {0xffffffff}, 0x4f800000},  // rounds up to 2^32
      {"I2F.U32.RZ R0, R1", {0xffffffff}, 0x4f7fffff},
      {"I2F.U32.RP R0, R1", {0x01000001}, 0x4b800001},
      {"I2F R0, R1", {0x01000001}, 0x4b800000},  // tie to even
      {"I2F.S64 R0, R2", {0, 0x80000000}, 0xdf000000},
      {"I2F.U64 R0, R2", {0x80000001, 0xffffff7f}, 0x5f7fffff},  // just below the tie
      {"I2F.U64 R0, R2", {0x00000001, 0xffffff80}, 0x5f800000},  // just above
      {"I2F.F16 R0, R1", {65520}, 0x7c00},                       // beyond f16
      {"I2F.F64.U32 R0, R1", {0xffffffff}, 0x41efffffffe00000},
      {"I2F.S8 R0, R1.B2", {0x00ff0000}, 0xbf800000},
      {"I2F.U16 R0, R1.H1", {0x00030000}, 0x40400000},
      {"I2FP.F32.S32 R0, R1", {0x80000000}, 0xcf000000},
  };
  for (const integer_case& each : cases) {
    std::vector<warp::lane_vector> lanes;
    for (const std::uint32_t operand : each.operands) lanes.push_back(warp::broadcast(operand));
    const lane_result result = execute(each.text, lanes);
    const isa::instruction code = isa::parse_operation(each.text, isa::architecture::sm_90);
    std::uint64_t actual = result.registers[0][7];
    if (code.destinations[0].count == 2) actual |= std::uint64_t{result.registers[1][7]} << 32U;
    EXPECT_EQ(actual, each.expected) << each.text << std::hex << " of " << each.operands.front();
  }
}

}  // namespace
}  // namespace tc::lanes::float_lane_operations_test
