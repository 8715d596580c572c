// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include "device/test_machine.hpp"

// A matrix instruction of which some lanes do not take part.

namespace tc::device::test::masked_product_test {
namespace {

/// A, B and C are ones: with k = 8 the sums are 9.
std::string masked_product(const std::string& mask, const std::string& expected) {
  std::string text = kernel_header(1, 1, "memory 0x1000 128 zero\nexpect 0x1000 128 hex " + expected + "\n") + cta_line(0) + warp_line(0) +
                     "reg R2 0x1000\nreg R3 0\n";
  for (unsigned r = 4; r < 8; ++r) text += "reg R" + std::to_string(r) + " 0x3f800000\n";
  for (unsigned r = 8; r < 11; ++r) text += "reg R" + std::to_string(r) + " 0x3c003c00\n";
  return text + "/*0000*/ HMMA.1688.F32 R4, R8, R10, R4" + mask + "\n/*0010*/ STG.E.SYS [R2], R7 @ 0x1000+4\n/*0020*/ EXIT\n";
}

std::string lanes(unsigned count, const std::string& word) {
  std::string words;
  for (; count != 0; --count) words += word;
  return words;
}

constexpr const char *one = "0000803f", *nine = "00001041";

TEST(masked_product, leaves_the_registers_of_other_lanes_as_they_were) {
  test_machine machine(preset("turing"), {masked_product(" mask 0000ffff", lanes(16, nine) + lanes(16, one))});
  const accounting::run_result result = machine.run();
  ASSERT_EQ(result.kernels.at(0).expectations.size(), 1U);
  EXPECT_EQ(result.mismatches(), 0U);
}

TEST(masked_product, of_all_lanes_writes_all) {
  test_machine machine(preset("turing"), {masked_product("", lanes(32, nine))});
  const accounting::run_result result = machine.run();
  ASSERT_EQ(result.kernels.at(0).expectations.size(), 1U);
  EXPECT_EQ(result.mismatches(), 0U);
}

}  // namespace
}  // namespace tc::device::test::masked_product_test
