// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <fstream>
#include <ios>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/lanes/lane_operations.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::lanes::special_functions_test {
namespace {

/// A special function, of 32 operands at once.
class unit_instruction {
 public:
  explicit unit_instruction(const std::string& text) : code_(isa::parse_operation(text, isa::architecture::sm_90)) {}

  warp::lane_vector of(const warp::lane_vector& operands) const {
    std::array<lane_source, isa::instruction::max_sources> sources{};
    const warp::lane_vector zeros = warp::broadcast(0);
    sources[0] = {&operands, &zeros, 0};
    lane_result result;
    execute_lanes(code_, sources, result);
    return result.registers[0];
  }

  std::uint32_t of(std::uint32_t operand) const { return of(warp::broadcast(operand))[5]; }

  bool is_computed() const { return computes_lanes(code_); }

 private:
  isa::instruction code_;
};

/// Results of consecutive operands.
struct result_block {
  std::string instruction;
  std::uint32_t first = 0;
  std::uint64_t hash = 0;
};

void PrintTo(const result_block& block, std::ostream* out) { *out << block.instruction << " from " << std::hex << block.first; }

std::vector<result_block> recorded_blocks() {
  std::ifstream file(std::string(TC_SOURCE_DIR) + "/tb/unit/lanes/special_function_results.csv");
  std::vector<result_block> blocks;
  for (std::string line; std::getline(file, line);) {
    if (line[0] == '#' || line.find(',') == line.rfind(',') || line[0] == 'i') continue;
    std::istringstream fields(line);
    result_block block;
    std::getline(fields, block.instruction, ',');
    char comma = 0;
    fields >> std::hex >> block.first >> comma >> block.hash;
    blocks.push_back(block);
  }
  return blocks;
}

std::uint64_t hash_of(const result_block& block) {
  constexpr std::uint64_t offset = 0xcbf29ce484222325, prime = 0x100000001b3;
  const unit_instruction instruction(block.instruction + " R0, R1");
  const unsigned bytes = block.instruction.find("F16") != std::string::npos ? 2 : 4;
  std::uint64_t hash = offset;
  for (std::uint32_t i = 0; i < 4096; i += warp::lanes_per_warp) {
    warp::lane_vector operands;
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) operands[lane] = block.first + i + lane;
    for (const std::uint32_t value : instruction.of(operands))
      for (unsigned b = 0; b < bytes; ++b) hash = (hash ^ (value >> 8 * b & 0xffU)) * prime;
  }
  return hash;
}

TEST(special_functions, return_what_an_h100_returned) {
  const std::vector<result_block> blocks = recorded_blocks();
  ASSERT_GT(blocks.size(), 400U);
  for (const result_block& block : blocks) EXPECT_EQ(hash_of(block), block.hash) << testing::PrintToString(block);
}

/// What an H200 returned.
struct special_result {
  const char* instruction;
  std::uint32_t operand, result;
};

TEST(special_functions, return_the_zeros_infinities_and_nans_of_silicon) {
  constexpr std::uint32_t minus_zero = 0x80000000, subnormal = 0x007fffff, minus_subnormal = 0x807fffff, normal = 0x00800000,
                          infinity = 0x7f800000, minus_infinity = 0xff800000, largest = 0x7f7fffff, signaling = 0x7f800001,
                          minus_nan = 0xffc12345, nan = 0x7fffffff, one = 0x3f800000;
  const std::vector<special_result> results{
      {"MUFU.RCP", 0, infinity},
      {"MUFU.RCP", minus_subnormal, minus_infinity},
      {"MUFU.RCP", normal, 0x7e800000},
      {"MUFU.RCP", minus_infinity, minus_zero},
      {"MUFU.RCP", largest, 0},
      {"MUFU.RCP", signaling, nan},
      {"MUFU.RSQ", minus_zero, minus_infinity},
      {"MUFU.RSQ", subnormal, infinity},
      {"MUFU.RSQ", normal, 0x5f000000},
      {"MUFU.RSQ", 0x80800000, nan},
      {"MUFU.RSQ", infinity, 0},
      {"MUFU.RSQ", largest, 0x1f800000},
      {"MUFU.SQRT", minus_subnormal, minus_zero},
      {"MUFU.SQRT", normal, 0x20000000},
      {"MUFU.SQRT", minus_infinity, nan},
      {"MUFU.SQRT", infinity, infinity},
      {"MUFU.SQRT", largest, 0x5f7fffff},
      {"MUFU.EX2", minus_subnormal, one},
      {"MUFU.EX2", infinity, infinity},
      {"MUFU.EX2", minus_infinity, 0},
      {"MUFU.EX2", 0xff7fffff, 0},
      {"MUFU.EX2", minus_nan, nan},
      {"MUFU.LG2", 0, minus_infinity},
      {"MUFU.LG2", minus_subnormal, minus_infinity},
      {"MUFU.LG2", one, 0},
      {"MUFU.LG2", normal, 0xc2fbffff},
      {"MUFU.LG2", 0x80800000, nan},
      {"MUFU.LG2", largest, 0x42ffffff},
      {"MUFU.SIN", minus_subnormal, minus_zero},
      {"MUFU.SIN", infinity, nan},
      {"MUFU.SIN", 0xff7fffff, minus_zero},
      {"MUFU.COS", subnormal, one},
      {"MUFU.COS", minus_infinity, nan},
      {"MUFU.COS", largest, one},
      {"MUFU.TANH", 1, 1},
      {"MUFU.TANH", minus_subnormal, minus_subnormal},
      {"MUFU.TANH", minus_infinity, 0xbf800000},
      {"MUFU.TANH", minus_nan, nan},
      {"MUFU.RCP64H", 0x00080000, 0x7ff00000},
      {"MUFU.RCP64H", 0x7fd00001, 0},
      {"MUFU.RSQ64H", 0x7ff00000, 0},
      {"MUFU.RSQ64H", 0x7ff00001, nan},
  };
  for (const special_result& each : results)
    EXPECT_EQ(unit_instruction(std::string(each.instruction) + " R0, R1").of(each.operand), each.result)
        << each.instruction << " of " << std::hex << each.operand;
}

TEST(special_functions, take_the_half_that_the_operand_names) {
  EXPECT_EQ(unit_instruction("MUFU.EX2.F16 R0, R1.H1").of(0xbc000000), 0x3800U);
  EXPECT_EQ(unit_instruction("MUFU.EX2.F16 R0, R1").of(0xbc004c00), 0x7c00U);
}

TEST(special_functions, have_no_upper_half_of_f64_in_sixteen_bits) {
  EXPECT_FALSE(unit_instruction("MUFU.RCP64H.F16 R0, R1").is_computed());
  EXPECT_TRUE(unit_instruction("MUFU.RCP.F16 R0, R1").is_computed());
}

}  // namespace
}  // namespace tc::lanes::special_functions_test
