// SPDX-License-Identifier: Apache-2.0
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/device/run_error.hpp>

#include "test_machine.hpp"

namespace tc::device::test::asynchronous_test {
namespace {

constexpr const char* multiply =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R24, R25, R26, R27}, 0x0000001000080040, 0x00000010000800c0, 1, 1, 1, 0, 0\n";
constexpr const char* multiply_registers =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R24, R25, R26, R27}, {R8, R9, R10, R11}, 0x00000010000800c0, 1, 1, 1, 0\n";
constexpr const char* fence = "wgmma.fence.sync.aligned\n";
constexpr const char* wait = "wgmma.commit_group.sync.aligned\nwgmma.wait_group.sync.aligned 0\n";
constexpr const char* presets =
    "reg R24 0x0\nreg R25 0x0\nreg R26 0x0\nreg R27 0x0\nreg R8 0x0\nreg R9 0x0\nreg R10 0x0\nreg R11 0x0\nreg R2 0x0\nreg R3 0x0\n";

/// A warpgroup, all of whose warps do the same.
std::string warpgroup(const std::string& body, const std::string& shared = "shared 16384\nshared-memory 0x400 8192 zero\n") {
  std::string text = kernel_header(1, 4, shared, "sm_90") + cta_line(0);
  for (unsigned warp = 0; warp < 4; ++warp) text += warp_line(warp) + presets + body + "/*f000*/ EXIT\n";
  return text;
}

std::string one_warp(const std::string& body, const std::string& more = "") {
  return kernel_header(1, 1, "shared 16384\n" + more, "sm_90") + cta_line(0) + warp_line(0) + presets + body + "/*f000*/ EXIT\n";
}

accounting::run_result result_of(const std::string& text, const std::vector<std::string>& assignments = {}, bool monitors = true) {
  run_options options;
  options.timing_of_preset = true;
  options.monitors = monitors;
  test_machine machine(preset("hopper", assignments), {text}, options);
  return machine.run();
}

/// The kernel finishes, and the first report of its order has this in it.
void expect_hazard(const accounting::run_result& result, const std::string& part) {
  EXPECT_EQ(result.status, accounting::run_status::finished);
  ASSERT_FALSE(result.ordering_hazards.empty());
  EXPECT_NE(result.warnings().back().find(part), std::string::npos) << result.warnings().back();
}

TEST(warpgroup_order, of_a_correct_kernel_is_not_reported) {
  const accounting::run_result result =
      result_of(warpgroup(std::string("/*0000*/ MOV R24, R25\n") + fence + multiply + multiply + multiply_registers + wait +
                          "/*0100*/ MOV R24, R25\n" + fence + multiply + wait));
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_TRUE(result.warnings().empty()) << result.warnings().front();
  expect_cycles_accounted(result);
}

TEST(warpgroup_order, an_accumulator_that_is_read_before_the_wait_is_reported) {
  const accounting::run_result result = result_of(warpgroup(std::string(fence) + multiply + "/*0100*/ MOV R4, R26\n" + wait));
  expect_hazard(result, "MOV R4, R26: uses R26, an accumulator of wgmma.mma_async.sync.aligned.m64n8k16");
}

TEST(warpgroup_order, an_operand_that_is_written_before_the_wait_is_reported) {
  const accounting::run_result result = result_of(warpgroup(std::string(fence) + multiply_registers + "/*0100*/ MOV R10, R4\n" + wait));
  expect_hazard(result, "MOV R10, R4: writes R10, which wgmma.mma_async");
}

TEST(warpgroup_order, accumulators_of_another_shape_are_reported) {
  const std::string wider =
      "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {R26, R27}, 0x0000001000080040, 0x00000010000800c0, 1, 1, 1, 0, 0\n";
  expect_hazard(result_of(warpgroup(std::string(fence) + multiply + wider + wait)), "uses R26, an accumulator of");
}

TEST(warpgroup_order, a_missing_fence_is_reported) {
  const accounting::run_result result = result_of(warpgroup(std::string(fence) + "/*0000*/ MOV R27, R4\n" + multiply + wait));
  expect_hazard(result, "uses R27 without a wgmma.fence");
}

/// With monitors, and without.
class stream_hazard : public testing::TestWithParam<bool> {
 protected:
  static void expect(const std::string& text, const std::string& part) { expect_hazard(result_of(text, {}, GetParam()), part); }
};

INSTANTIATE_TEST_SUITE_P(monitors, stream_hazard, testing::Bool());

TEST_P(stream_hazard, of_stores_that_no_proxy_fence_follows_is_reported) {
  const std::string store = "/*0000*/ STS [R2], R8 @ 0x400+4\n";
  expect(warpgroup(store + fence + multiply + wait), "without a fence.proxy.async");
}

TEST_P(stream_hazard, of_operands_that_nothing_wrote_is_reported) {
  expect(warpgroup(std::string(fence) + multiply + wait, "shared 16384\n"), "nothing has written");
}

TEST_P(stream_hazard, of_bytes_of_a_bulk_copy_that_nothing_wrote_is_reported) {
  const std::string body =
      "cp.async.bulk.global.shared::cta.bulk_group [0x20000], [0x800], 128 mask 00000001\n"
      "cp.async.bulk.commit_group mask 00000001\ncp.async.bulk.wait_group 0 mask 00000001\n";
  expect(one_warp(body, "memory 0x20000 128 zero\n"), "nothing has written");
}

TEST(warpgroup_order, stores_that_a_proxy_fence_follows_are_in_order) {
  const std::string store = "/*0000*/ STS [R2], R8 @ 0x400+4\nfence.proxy.async.shared::cta\n/*0020*/ BAR.SYNC 0x0\n";
  const accounting::run_result result = result_of(warpgroup(store + fence + multiply + wait));
  EXPECT_TRUE(result.warnings().empty()) << result.warnings().front();
}

TEST(warpgroup_group, that_may_be_pending_is_not_waited_for) {
  const std::string groups =
      std::string(fence) + multiply + "wgmma.commit_group.sync.aligned\n" + multiply + "wgmma.commit_group.sync.aligned\n";
  const accounting::run_result result =
      result_of(warpgroup("/*0000*/ CS2R R4, SR_CLOCKLO\n" + groups + "wgmma.wait_group.sync.aligned 1\n/*0100*/ CS2R R4, SR_CLOCKLO\n" +
                          "wgmma.wait_group.sync.aligned 0\n/*0110*/ CS2R R4, SR_CLOCKLO\n"));
  ASSERT_EQ(result.clock_reads.size(), 12U);
  EXPECT_EQ(result.clock_reads[2].cycle - result.clock_reads[1].cycle, 18U) << "a core matrix a cycle: 16 of A and 2 of B";
}

/// The product's registers have to be gathered, those of the commit not.
TEST(warpgroup_group, holds_what_collectors_gathered_later_than_its_commit) {
  const std::string clock = "/*0000*/ CS2R R4, SR_CLOCKLO\n";
  const accounting::run_result result =
      result_of(warpgroup(clock + fence + multiply_registers + wait + clock), {"sm.sub_core.operand_fetch.collector_units=4"});
  ASSERT_EQ(result.clock_reads.size(), 8U);
  EXPECT_GT(result.clock_reads[1].cycle - result.clock_reads[0].cycle, 50U) << "one product takes 55 cycles";
}

TEST(warpgroup, waits_for_a_free_entry_of_its_queue) {
  std::string batch = fence;
  for (unsigned i = 0; i < 8; ++i) batch += multiply;
  const accounting::run_result result = result_of(warpgroup(batch + wait), {"sm.warpgroup.queue_entries=1"});
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_GT(result.stalls[links::stall_cause::tensor_busy], 100U);
  expect_cycles_accounted(result);
}

/// Places are a warp's own, and granted before issue: neither the other warpgroup's products nor those in collector units are in the way.
class warpgroup_queue : public testing::TestWithParam<std::tuple<unsigned, unsigned>> {};

INSTANTIATE_TEST_SUITE_P(collectors_and_entries, warpgroup_queue, testing::Combine(testing::Values(0, 1, 4), testing::Values(1, 3)));

TEST_P(warpgroup_queue, holds_no_one_up_when_two_warpgroups_come_in_another_order_in_each_sub_core) {
  std::string batch = fence, delay;
  for (unsigned i = 0; i < 6; ++i) batch += multiply;
  for (unsigned i = 0; i < 100; ++i) delay += "/*0000*/ IADD3 R4, R4, 0x1, RZ\n";
  std::string text = kernel_header(1, 8, "shared 16384\nshared-memory 0x400 8192 zero\n", "sm_90") + cta_line(0);
  for (unsigned warp = 0; warp < 8; ++warp) {
    const bool comes_late = (warp < 4) == (warp % 2 == 0);
    text += warp_line(warp) + presets + "reg R4 0x0\n" + (comes_late ? delay : "") + batch + wait + "/*f000*/ EXIT\n";
  }
  const auto [collectors, entries] = GetParam();
  const accounting::run_result result = result_of(text, {fmt::format("sm.sub_core.operand_fetch.collector_units={}", collectors),
                                                         fmt::format("sm.warpgroup.queue_entries={}", entries)});
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_GT(result.stalls[links::stall_cause::tensor_busy], 100U) << "each warp waits for places";
  expect_cycles_accounted(result);
}

/// So many times these digits.
std::string repeated(const std::string& digits, unsigned times) {
  std::string text;
  for (unsigned i = 0; i < times; ++i) text += digits;
  return text;
}

TEST(warpgroup, negates_operands_and_forgets_accumulators_as_its_immediates_say) {
  const std::string opcode =
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R24, R25, R26, R27}, {R8, R9, R10, R11}, 0x00000010000800c0, ";
  std::string text = kernel_header(1, 4,
                                   "shared 16384\nshared-memory 0xc00 256 hex " + repeated("003c", 128) +
                                       "\nmemory 0x10000 512 zero\nmemory 0x20000 512 zero\nexpect 0x10000 512 hex " +
                                       repeated("000070c1", 128) + "\nexpect 0x20000 512 hex " + repeated("00008041", 128) + "\n",
                                   "sm_90") +
                     cta_line(0);
  for (unsigned warp = 0; warp < 4; ++warp) {
    text += warp_line(warp) + "reg R2 0x0\nreg R3 0x0\n";
    for (const unsigned reg : {24U, 25U, 26U, 27U}) text += fmt::format("reg R{} 0x3f800000\n", reg);  // 1 in f32
    for (const unsigned reg : {8U, 9U, 10U, 11U}) text += fmt::format("reg R{} 0x3c003c00\n", reg);    // 1 in f16, as B
    text += fence + opcode + "1, -1, 1, 0\n" + wait + fmt::format("/*0100*/ STG.E [R2.64], R25 @ {:#x}+4\n", 0x10000 + 128 * warp);
    text += fence + opcode + "0, -1, -1, 0\n" + wait + fmt::format("/*0200*/ STG.E [R2.64], R25 @ {:#x}+4\n", 0x20000 + 128 * warp);
    text += "/*f000*/ EXIT\n";
  }
  const accounting::run_result result = result_of(text);
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0U) << "1 - 16 and 16";
}

TEST(warpgroup, whose_warps_issue_different_instructions_is_an_error) {
  std::string text = kernel_header(1, 4, "shared 16384\nshared-memory 0x400 8192 zero\n", "sm_90") + cta_line(0);
  for (unsigned warp = 0; warp < 4; ++warp)
    text += warp_line(warp) + presets + fence + (warp == 2 ? multiply_registers : multiply) + wait + "/*f000*/ EXIT\n";
  EXPECT_THROW(
      try { result_of(text); } catch (const sc_core::sc_report& report) {
        EXPECT_STREQ(report.get_msg_type(), "/tc/warpgroup/mismatch");
        EXPECT_NE(std::string(report.get_msg()).find("warp 2 issues wgmma.mma_async"), std::string::npos) << report.get_msg();
        throw;
      },
      sc_core::sc_report);
}

TEST(warpgroup, of_which_a_warp_is_missing_is_stuck) {
  std::string text = kernel_header(1, 4, "shared 16384\nshared-memory 0x400 8192 zero\n", "sm_90") + cta_line(0);
  for (unsigned warp = 0; warp < 3; ++warp) text += warp_line(warp) + presets + fence + multiply + wait + "/*f000*/ EXIT\n";
  const accounting::run_result result = result_of(text);
  EXPECT_EQ(result.status, accounting::run_status::stuck);
  EXPECT_NE(result.waiting.back().find("of CTA 0 waits for warps 3"), std::string::npos) << result.waiting.back();
}

TEST(warpgroup, instructions_are_refused_by_a_machine_without_them) {
  run_options options;
  EXPECT_THROW(test_machine(preset("hopper", {"sm.warpgroup.operand_tiles=0"}), {warpgroup(std::string(fence) + multiply + wait)}, options),
               run_error);
}

constexpr const char* initialise = "mbarrier.init.shared::cta.b64 [0x410], 1 mask 00000001\n";

TEST(mbarrier, that_never_completes_is_named) {
  const accounting::run_result result =
      result_of(one_warp(std::string(initialise) + "mbarrier.try_wait.parity.shared::cta.b64 [0x410], 0\n"));
  EXPECT_EQ(result.status, accounting::run_status::stuck);
  std::string all;
  for (const std::string& line : result.waiting) all += line + '\n';
  EXPECT_NE(all.find("mbarrier.try_wait.parity.shared::cta.b64 [0x410], 0"), std::string::npos) << all;
  EXPECT_NE(all.find("waits (mbarrier.try_wait: for arrivals and bulk copies)"), std::string::npos) << all;
  EXPECT_NE(all.find("waiting: warp 0 of CTA 0"), std::string::npos) << all;
}

TEST(mbarrier, that_was_not_initialised_is_an_error) {
  EXPECT_THROW(
      try { result_of(one_warp("mbarrier.arrive.shared::cta.b64 _, [0x410] mask 00000001\n")); } catch (const sc_core::sc_report& report) {
        EXPECT_STREQ(report.get_msg_type(), "/tc/load_store/barrier");
        EXPECT_NE(std::string(report.get_msg()).find("mbarrier.init comes first"), std::string::npos) << report.get_msg();
        throw;
      },
      sc_core::sc_report);
}

constexpr const char* copy =
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [0x410], 1024 mask 00000001\n"
    "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [0x800], [0x10000], 1024, [0x410] mask 00000001\n";

TEST(bulk_copy, brings_bytes_that_a_warp_reads_after_the_wait) {
  const std::string body = std::string(initialise) + copy +
                           "mbarrier.try_wait.parity.shared::cta.b64 [0x410], 0\n/*0100*/ LDS R4, [R2] @ 0x800+4\n" +
                           "/*0110*/ STG.E [R2.64], R4 @ 0x20000+4\n";
  const accounting::run_result result =
      result_of(one_warp(body, "memory 0x10000 1024 fill 9\nmemory 0x20000 128 zero\nexpect 0x20000 128 fill 9\n"));
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_TRUE(result.warnings().empty()) << result.warnings().front();
}

TEST(bulk_copy, that_nobody_waited_for_is_reported_when_a_warp_reads) {
  const std::string body =
      std::string(initialise) + copy + "/*0100*/ LDS R4, [R2] @ 0x800+4\nmbarrier.try_wait.parity.shared::cta.b64 [0x410], 0\n";
  expect_hazard(result_of(one_warp(body, "memory 0x10000 1024 fill 9\n")),
                "LDS R4, [R2]: reads shared memory that a bulk copy writes, from 0x800 on");
}

TEST(bulk_copy, out_of_shared_memory_completes_its_group) {
  const std::string body =
      "/*0000*/ STS [R2], R8 @ 0x800+4\nfence.proxy.async.shared::cta\n"
      "cp.async.bulk.global.shared::cta.bulk_group [0x20000], [0x800], 128 mask 00000001\n"
      "cp.async.bulk.commit_group mask 00000001\ncp.async.bulk.wait_group 0 mask 00000001\n";
  const accounting::run_result result = result_of(one_warp(body, "memory 0x20000 128 fill 1\nexpect 0x20000 128 zero\n"));
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_GT(result.stalls[links::stall_cause::bulk_wait], 0U);
  expect_cycles_accounted(result);
}

/// The second CTA would find the bytes of the first one's copy in its own window.
TEST(bulk_copy, that_nobody_waited_for_keeps_the_window_of_its_cta) {
  const std::string text =
      kernel_header(2, 1, "shared 16384\nmemory 0x10000 1024 fill 9\nmemory 0x20000 128 fill 1\nexpect 0x20000 128 zero\n", "sm_90") +
      cta_line(0) + warp_line(0) + presets + initialise + copy + "/*f000*/ EXIT\n" + cta_line(1) + warp_line(0) + presets +
      "/*0000*/ STS [R2], R8 @ 0x800+4\n/*0010*/ LDG.E R4, [R2] @ 0x10000+4\n/*0020*/ LDG.E R4, [R4] @ 0x10100+4\n"
      "/*0030*/ LDG.E R4, [R4] @ 0x10200+4\n/*0040*/ LDS R7, [R4] @ 0x800+4\n/*0050*/ STG.E [R2], R7 @ 0x20000+4\n"
      "/*f000*/ EXIT\n";
  const accounting::run_result result = result_of(text, {"sms=1", "sm.max_ctas=1"});
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_TRUE(result.warnings().empty()) << result.warnings().front();
  expect_cycles_accounted(result);
}

}  // namespace
}  // namespace tc::device::test::asynchronous_test
