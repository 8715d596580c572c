// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <boost/endian/conversion.hpp>
#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/lanes/atomic_arithmetic.hpp>
#include <tc/lanes/lane_operations.hpp>

namespace tc::lanes::number_operations_test {

/// One instruction on operands of one or two words, the same in all lanes; a predicate operand is true.
lane_result execute(const std::string& text, const std::vector<std::uint64_t>& operands) {
  const isa::instruction code = isa::parse_operation(text, isa::architecture::sm_90);
  EXPECT_TRUE(computes_lanes(code)) << text;
  std::array<lane_source, isa::instruction::max_sources> sources{};
  std::array<std::array<warp::lane_vector, 2>, isa::instruction::max_sources> values{};
  for (unsigned s = 0; s < code.source_count; ++s) {
    const std::uint64_t value = s < operands.size() ? operands[s] : 0;
    values[s] = {warp::broadcast(static_cast<std::uint32_t>(value)), warp::broadcast(static_cast<std::uint32_t>(value >> 32U))};
    sources[s] = {&values[s][0], &values[s][1], ~0U};
  }
  lane_result result;
  execute_lanes(code, sources, result);
  return result;
}

std::uint32_t word(const std::string& text, const std::vector<std::uint64_t>& operands) { return execute(text, operands).registers[0][5]; }
std::uint64_t pair(const std::string& text, const std::vector<std::uint64_t>& operands) {
  const lane_result result = execute(text, operands);
  return std::uint64_t{result.registers[1][5]} << 32U | result.registers[0][5];
}
bool holds(const std::string& text, const std::vector<std::uint64_t>& operands) {
  return (execute(text, operands).predicates[0] & 1U) != 0;
}

constexpr std::uint64_t one = 0x3f800000, two = 0x40000000, nan = 0x7fc00000, small = 0x00000123, minus_zero = 0x80000000;

std::uint64_t bits_of(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

TEST(number_operations, compare_ordered_and_unordered) {
  EXPECT_TRUE(holds("FSETP.LT.AND P0, PT, R1, R2, PT", {one, two}));
  EXPECT_FALSE(holds("FSETP.LT.AND P0, PT, R1, R2, PT", {one, nan}));
  EXPECT_TRUE(holds("FSETP.LTU.AND P0, PT, R1, R2, PT", {one, nan}));
  EXPECT_TRUE(holds("FSETP.NAN.AND P0, PT, R1, R2, PT", {one, nan}));
  EXPECT_TRUE(holds("FSETP.EQ.AND P0, PT, R1, R2, PT", {0, minus_zero}));
  EXPECT_FALSE(holds("FSETP.GT.AND P0, PT, R1, R2, PT", {small, 0}) == holds("FSETP.GT.FTZ.AND P0, PT, R1, R2, PT", {small, 0}));
  EXPECT_TRUE(holds("FSETP.GT.AND P0, PT, |R1|, R2, PT", {0xc0000000, one}));
  EXPECT_TRUE(holds("DSETP.GT.AND P0, PT, R2, R4, PT", {bits_of(1.5), bits_of(1.25)}));
  EXPECT_EQ(execute("HSETP2.GT.AND P0, P1, R1, R2, PT", {0x3c004000, 0x40003c00}).predicates[0], ~0U);
  EXPECT_EQ(execute("HSETP2.GT.AND P0, P1, R1, R2, PT", {0x3c004000, 0x40003c00}).predicates[1], 0U);
  EXPECT_EQ(word("FSET.BF.GT.AND R0, R1, R2, PT", {two, one}), one);
}

TEST(number_operations, take_minimum_maximum_and_one_of_two) {
  EXPECT_EQ(word("FMNMX R0, R1, R2, PT", {one, two}), one);
  EXPECT_EQ(word("FMNMX R0, R1, R2, !PT", {one, two}), two);
  EXPECT_EQ(word("FMNMX R0, R1, R2, PT", {nan, two}), two);
  EXPECT_EQ(word("FMNMX.NAN R0, R1, R2, PT", {nan, two}), 0x7fffffffU);
  EXPECT_EQ(word("FMNMX R0, R1, R2, PT", {0, minus_zero}), minus_zero);
  EXPECT_EQ(word("HMNMX2 R0, R1, R2, PT", {0x3c004000, 0x40003c00}), 0x3c003c00U);
  EXPECT_EQ(word("FSEL R0, -R1, R2, PT", {one, two}), 0xbf800000U);
  EXPECT_EQ(pair("DMNMX R0, R2, R4, !PT", {bits_of(1.5), bits_of(1.25)}), bits_of(1.5));
}

/// Compiled code selects by the first predicate and makes a NaN of the second one.
TEST(number_operations, say_which_double_is_the_larger_one) {
  const std::uint64_t not_a_number = bits_of(std::nan("")), minus_zero_double = bits_of(-0.0);
  const auto chosen = [](const char* text, std::uint64_t a, std::uint64_t b) {
    const lane_result result = execute(text, {a, b});
    return std::pair{(result.predicates[0] & 1U) != 0, (result.predicates[1] & 1U) != 0};
  };
  const char *const larger = "DSETP.MAX.AND P0, P1, R2, R4, PT", *const smaller = "DSETP.MIN.AND P0, P1, R2, R4, PT";
  EXPECT_EQ(chosen(larger, bits_of(2.0), bits_of(1.0)), std::pair(true, false));
  EXPECT_EQ(chosen(larger, bits_of(1.0), bits_of(2.0)), std::pair(false, false));
  EXPECT_EQ(chosen(smaller, bits_of(1.0), bits_of(2.0)), std::pair(true, false));
  EXPECT_EQ(chosen(larger, not_a_number, bits_of(2.0)), std::pair(false, false));
  EXPECT_EQ(chosen(larger, bits_of(1.0), not_a_number), std::pair(true, false));
  EXPECT_TRUE(chosen(smaller, not_a_number, not_a_number).second);
  EXPECT_EQ(chosen(larger, bits_of(0.0), minus_zero_double), std::pair(true, false));
  EXPECT_EQ(chosen(larger, minus_zero_double, bits_of(0.0)), std::pair(false, false));
}

TEST(number_operations, make_numbers_of_eight_bits_beside_others) {
  const std::string e4m3 = "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R0, R1, R2, R3",
                    e5m2 = "F2FP.SATFINITE.E5M2.F32.PACK_AB_MERGE_C R0, R1, R2, R3";
  EXPECT_EQ(word(e4m3, {bits_of(1.0F), bits_of(-2.0F), 0x1234abcd}), 0xabcd38c0U);
  EXPECT_EQ(word(e4m3, {bits_of(448.0F), bits_of(1e9F), 0}), 0x7e7eU);
  EXPECT_EQ(word(e4m3, {bits_of(300.0F), nan, 0}), 0x797fU);  // between 288 and 320
  EXPECT_EQ(word(e4m3, {bits_of(0x1p-9F), bits_of(0x1p-11F), 0}), 0x0100U);
  EXPECT_EQ(word(e5m2, {bits_of(-1e9F), bits_of(INFINITY), 0}), 0xfb7bU);
  EXPECT_EQ(word("F2FP.SATFINITE.RELU.E4M3.F32.PACK_AB_MERGE_C R0, R1, R2, RZ", {bits_of(-1.0F), bits_of(1.0F), 0}), 0x0038U);
  EXPECT_EQ(word("F2FP.SATFINITE.E4M3.F16.UNPACK_B_MERGE_C R0, R1, R2", {0x3c00c000, 0x0000abcd}), 0xabcd38c0U);
  EXPECT_EQ(word("F2FP.SATFINITE.F16.F32.PACK_AB R0, R1, R2", {bits_of(1e9F), bits_of(-1e9F)}), 0x7bfffbffU);
  EXPECT_EQ(word("F2FP.F16.F32.PACK_AB R0, R1, R2", {bits_of(1e9F), bits_of(-1e9F)}), 0x7c00fc00U);
  EXPECT_EQ(word("F2FP.RELU.F16.F32.MERGE_C R0, R1, RZ", {bits_of(-3.0F), 0}), 0U);
  EXPECT_EQ(word("F2FP.RELU.BF16.F32.MERGE_C.RZ R0, R1, RZ", {bits_of(3.0F), 0}), 0x4040U);
  EXPECT_EQ(word("F2FP.TF32.F32.PACK_B R0, R1", {0x3f801fff}), 0x3f802000U);
  EXPECT_EQ(word("F2IP.U8.F32.NTZ R0, R1, R2, R3", {bits_of(2.5F), bits_of(300.0F), 0x00000007}), 0x000702ffU);
  EXPECT_EQ(word("F2IP.U8.F32.NTZ.TRUNC R0, R1, R2, R3", {bits_of(2.9F), bits_of(-4.0F), 0}), 0x0200U);
}

TEST(number_operations, combine_the_predicate_of_a_word_with_another) {
  EXPECT_TRUE(holds("LOP3.LUT.PAND P0, R0, R1, R2, R3, 0xc0, P1", {3, 1}));
  EXPECT_FALSE(holds("LOP3.LUT.PAND P0, R0, R1, R2, R3, 0xc0, P1", {2, 1}));
  EXPECT_FALSE(holds("LOP3.LUT.PAND P0, R0, R1, R2, R3, 0xc0, !P1", {3, 1}));
}

TEST(number_operations, compute_f64_in_all_rounding_directions) {
  EXPECT_EQ(pair("DADD R0, R2, R4", {bits_of(0.1), bits_of(0.2)}), bits_of(0.1 + 0.2));
  EXPECT_EQ(pair("DADD R0, R2, 1.5", {bits_of(0.25), bits_of(1.5) >> 32U}), bits_of(1.75));
  EXPECT_EQ(pair("DADD.RZ R0, R2, R4", {bits_of(1.0), bits_of(0x1p-60)}), bits_of(1.0));
  EXPECT_EQ(pair("DADD.RP R0, R2, R4", {bits_of(1.0), bits_of(0x1p-60)}), bits_of(std::nextafter(1.0, 2.0)));
  EXPECT_EQ(pair("DMUL.RM R0, R2, R4", {bits_of(-1.0), bits_of(1.0 + 0x1p-52)}), bits_of(-1.0 - 0x1p-52));
  EXPECT_EQ(pair("DFMA R0, R2, R4, R6", {bits_of(1.0 + 0x1p-30), bits_of(1.0 + 0x1p-30), bits_of(-1.0)}),
            bits_of(std::fma(1.0 + 0x1p-30, 1.0 + 0x1p-30, -1.0)));
}

TEST(number_operations, round_to_integral_numbers) {
  EXPECT_EQ(word("FRND.FLOOR R0, R1", {bits_of(-1.5F)}), bits_of(-2.0F));
  EXPECT_EQ(word("FRND.CEIL R0, R1", {bits_of(-0.5F)}), minus_zero);
  EXPECT_EQ(word("FRND R0, R1", {bits_of(2.5F)}), bits_of(2.0F));
  EXPECT_EQ(word("FRND.TRUNC R0, R1", {bits_of(1e20F)}), bits_of(1e20F));
}

TEST(number_operations, unpack_8_bit_numbers) {
  EXPECT_EQ(word("F2FP.F16.E4M3.UNPACK_B R0, R1", {0x7f38}), 0x7fff3c00U);
  EXPECT_EQ(word("F2FP.F16.E5M2.UNPACK_B R0, R1.H1", {0xbc3c0000}), 0xbc003c00U);
}

/// The host's arithmetic, which is fast, has the bits of the exact one, which other rounding directions and .SAT go through.
TEST(number_operations, have_the_same_bits_in_f32_by_both_ways) {
  std::mt19937 random(3);
  const auto operand = [&random]() -> std::uint64_t {
    switch (random() % 4) {
      case 0:
        return random() & 0x807fffffU;  // subnormal
      case 1:
        return (random() & 0x80000000U) | 0x7f7fffffU;
      case 2:
        return 0x7f800000U | (random() & 0x80000001U);
      default:
        return random() & 0xbfffffffU;
    }
  };
  for (unsigned i = 0; i < 20000; ++i) {
    const std::vector<std::uint64_t> operands{operand(), operand(), operand()};
    // -0 x 1 + x is x: .FMZ goes the exact way, and a product that is not zero is as without it.
    const bool has_zero = (operands[0] & 0x7fffffffU) < 0x800000U || (operands[1] & 0x7fffffffU) < 0x800000U;
    if (has_zero) continue;
    EXPECT_EQ(word("FFMA.FTZ R0, R1, R2, R3", operands), word("FFMA.FMZ R0, R1, R2, R3", operands))
        << std::hex << operands[0] << ' ' << operands[1] << ' ' << operands[2];
    EXPECT_EQ(word("FMUL.FTZ R0, R1, R2", operands), word("FMUL.FMZ R0, R1, R2", operands));
  }
}

TEST(number_operations, combine_atomically) {
  const auto combined = [](const char* text, std::uint64_t old, std::uint64_t operand) {
    const auto atomic = atomic_arithmetic::of(isa::parse_operation(text, isa::architecture::sm_90));
    EXPECT_TRUE(atomic) << text;
    std::array<std::uint8_t, 16> memory{}, given{};
    boost::endian::store_little_u64(memory.data(), old);
    boost::endian::store_little_u64(given.data(), operand);
    atomic->perform(memory.data(), given.data(), nullptr);
    return atomic->bytes() == 4 ? boost::endian::load_little_u32(memory.data()) : boost::endian::load_little_u64(memory.data());
  };
  EXPECT_EQ(combined("RED.E.ADD.F32.FTZ.RN.STRONG.GPU [R2.64], R0", one, one), two);
  EXPECT_EQ(combined("RED.E.ADD.F64.RN.STRONG.GPU [R2.64], R4", bits_of(0.1), bits_of(0.2)), bits_of(0.1 + 0.2));
  EXPECT_EQ(combined("ATOMG.E.INC.STRONG.GPU PT, R0, [R2.64], R4", 7, 7), 0U);
  EXPECT_EQ(combined("ATOMG.E.DEC.STRONG.GPU PT, R0, [R2.64], R4", 0, 7), 7U);
  EXPECT_EQ(combined("ATOMG.E.MIN.S64.STRONG.GPU PT, R0, [R2.64], R4", 1, ~std::uint64_t{0}), ~std::uint64_t{0});
  EXPECT_FALSE(atomic_arithmetic::of(isa::parse_operation("ATOMG.E.AND.F32.STRONG.GPU PT, R0, [R2.64], R4", isa::architecture::sm_90)));
}

}  // namespace tc::lanes::number_operations_test
