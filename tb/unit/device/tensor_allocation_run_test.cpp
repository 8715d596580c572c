// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tensor_traces.hpp"

// The allocation of tensor memory, and what may not be done with it, as traces run them.

namespace tc::device::test::tensor::tensor_allocation_run_test {
namespace {

/// Loads an address that an allocation has written to shared memory, and stores it to the results.
std::string publish(unsigned number) {
  return fmt::format("/*0200*/ LDS R40, [R2] @ {:#x}\n/*0210*/ STG.E [R2.64], R40 @ {:#x}+4\n", addresses + 4 * number,
                     results + 128 * number);
}

TEST(tensor_allocation, takes_the_lowest_aligned_free_columns) {
  constexpr std::array<unsigned, 5> columns{0, 256, 384, 448, 384};
  const std::string address = "reg R2 0x0\nreg R3 0x0\n", meet = "/*0100*/ BAR.SYNC 0x0\n";
  std::string text = header(1, 2, expectation(5, [&](unsigned, unsigned number) { return columns[number]; })) + cta_line(0);
  text += warp_line(0) + address + allocate(256) + allocate(128, 1) + allocate(64, 2) + allocate(64, 3) + meet;
  for (unsigned i = 0; i < 4; ++i) text += publish(i);
  text += pause(2000);
  text += deallocate(384, 64) + deallocate(448, 64) + deallocate(0, 256) + deallocate(256, 128) + leave;
  text += warp_line(1) + address + meet + allocate(32, 4) + publish(4) + deallocate(384, 32) + leave;
  const accounting::run_result result = result_of(text);
  expect_finished(result);
  EXPECT_GT(result.stalls[links::stall_cause::tensor_allocation], 2000U);
}

TEST(tensor_allocation, waits_for_another_cta_and_finds_its_columns_without_content) {
  const std::string text = header(2, 1,
                                  expectation(1,
                                              [](unsigned thread, unsigned) {
                                                return tag({thread, 0});
                                              })) +
                           cta_line(0) + warp_line(0) + tagged_columns(1) + allocate(512) + store("32x32b.x1", 1, 0) + wait_for_stores +
                           deallocate(0, 512) + leave + cta_line(1) + warp_line(0) + tagged_columns(1) + pause(200) + allocate(512) +
                           load("32x32b.x1", 1, 0) + wait_for_loads + write_results(1) + deallocate(0, 512) + leave;
  const accounting::run_result result = result_of(text, {"sms=1"});
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0U) << "it holds what was there";
  ASSERT_FALSE(result.warnings().empty());
}

TEST(tensor_allocation, costs_more_beside_another) {
  std::string text = header(1, 2) + cta_line(0);
  for (unsigned warp = 0; warp < 2; ++warp)
    text += warp_line(warp) + read_clock + allocate(64, warp) + read_clock + deallocate(64 * warp, 64) + leave;
  const accounting::run_result result = result_of(text);
  ASSERT_EQ(result.clock_reads.size(), 4U);
  std::map<unsigned, std::vector<std::uint64_t>> clocks;
  for (const auto& read : result.clock_reads) clocks[read.warp].push_back(read.cycle);
  EXPECT_EQ(clocks[0][1] - clocks[0][0] - 1, 253U);
  EXPECT_EQ(clocks[1][1] - clocks[1][0] - 1, 1030U);
}

TEST(tensor_allocation, takes_effect_in_the_first_cycles_of_a_run) {
  const accounting::run_result result = result_of(header(1, 1) + cta_line(0) + warp_line(0) + allocate(32) + deallocate(0, 32) + leave,
                                                  {"sm.tensor_memory.allocation.cycles=1", "sm.sub_core.operand_fetch.collector_units=1"});
  EXPECT_EQ(result.status, accounting::run_status::finished);
}

TEST(tensor_allocation, that_never_finds_columns_is_named) {
  const accounting::run_result result = result_of(one_warp(allocate(512) + allocate(512, 1)));
  EXPECT_EQ(result.status, accounting::run_status::stuck);
  std::string all;
  for (const std::string& line : result.waiting) all += line + '\n';
  EXPECT_NE(all.find("waits (tcgen05.alloc or dealloc: for columns of tensor memory)"), std::string::npos) << all;
  EXPECT_NE(all.find("warp 0 of CTA 0 waits for 512 columns of tensor memory; 0 are free"), std::string::npos) << all;
}

struct mistake_case {
  const char* name;
  std::string body;
  const char* type;
  const char* part;  ///< of the message
};

class tensor_mistake : public testing::TestWithParam<mistake_case> {};

constexpr const char* of_access = "/tc/tensor_memory/access";
constexpr const char* of_rule = "/tc/allocation/rule";

INSTANTIATE_TEST_SUITE_P(
    of, tensor_mistake,
    testing::Values(
        mistake_case{"foreign_chunk", allocate(32) + load("32x32b.x1", 1, 0x200000), of_access,
                     "[0x200000]: the lane of .32x32b by warp 0 must be 0, not 32"},
        mistake_case{"columns_of_nobody", allocate(32) + load("32x32b.x4", 4, 30), of_access,
                     "columns 30 to 33 are not all allocated to CTA 0: tcgen05.alloc comes first"},
        mistake_case{"columns_that_do_not_exist", allocate(512) + load("32x32b.x4", 4, 510), of_access,
                     "columns 510 to 513 of .32x32b.x4 are not all below 512"},
        mistake_case{"second_half_beyond", allocate(32) + load("16x32bx2.x2", 2, 0, loaded_register, ", 31"), of_access,
                     "columns 31 to 32 are not all allocated"},
        mistake_case{"growing", allocate(32) + allocate(64, 1), of_rule, "64: an allocation must not be larger than the one before"},
        mistake_case{"relinquished", allocate(64) + relinquish + allocate(32, 1), of_rule, "the CTA has relinquished the permit"},
        mistake_case{"deallocation_of_nothing", deallocate(0, 32), of_rule, "no allocation of the CTA has returned these columns"},
        mistake_case{"second_deallocation", allocate(32) + deallocate(0, 32) + deallocate(0, 32), of_rule, "have been deallocated"},
        mistake_case{"deallocation_of_a_part", allocate(64) + deallocate(0, 32), of_rule, "0x0, 32: no allocation of the CTA"},
        mistake_case{"deallocation_in_a_lane", allocate(64) + deallocate(0x200000, 64), of_rule, "no allocation of the CTA"},
        mistake_case{"end_without_deallocation", allocate(64), "/tc/allocation/left",
                     "64: CTA 0 ends without having deallocated columns 0 to 63: tcgen05.dealloc comes before"}),
    [](const auto& of) { return of.param.name; });

TEST_P(tensor_mistake, is_an_error_with_instruction_and_rule) {
  EXPECT_THROW(
      try { result_of(one_warp(GetParam().body)); } catch (const sc_core::sc_report& report) {
        EXPECT_STREQ(report.get_msg_type(), GetParam().type);
        EXPECT_NE(std::string(report.get_msg()).find(GetParam().part), std::string::npos) << report.get_msg();
        EXPECT_NE(std::string(report.get_msg()).find("line "), std::string::npos) << report.get_msg();
        throw;
      },
      sc_core::sc_report);
}

TEST(tensor_mistake, is_an_allocation_of_more_than_there_is) {
  EXPECT_THROW(result_of(one_warp(allocate(512)), {"sm.tensor_memory.columns=256"}), sc_core::sc_report);
}

}  // namespace
}  // namespace tc::device::test::tensor::tensor_allocation_run_test
