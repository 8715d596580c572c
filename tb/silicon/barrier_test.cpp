// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "issue_log.hpp"
#include "recorded_run.hpp"

namespace barrier_test {

namespace {

using namespace tc;
using fabric::cycle_t;

/// Two warps on two sub-cores; the second arrives late.
struct barrier_run {
  silicon::issue_log log;
  accounting::run_result result;
};

/// The BAR of each warp.
struct barrier_instructions {
  barrier_instructions(const char* both) : early(both), late(both) {}
  barrier_instructions(const char* of_early, const char* of_late) : early(of_early), late(of_late) {}

  std::string early, late;
};

void run(barrier_run& r, const barrier_instructions& bars, const std::vector<std::string>& behind) {
  std::vector<std::string> early{bars.early}, late;
  for (unsigned i = 0; i < 100; ++i) late.push_back("[B------:R-:W-:-:S15] NOP");
  late.push_back(bars.late);
  early.insert(early.end(), behind.begin(), behind.end());
  late.insert(late.end(), behind.begin(), behind.end());
  const auto trace = silicon::make_trace("sm_90", {early, late});
  auto options = silicon::preset_options();
  options.binder = &r.log;
  options.data = false;
  r.result = silicon::run(trace, silicon::machine_of("hopper"), options);
  ASSERT_EQ(r.result.status, accounting::run_status::finished);
}

// Recorded on an H200: the first instruction of a queued unit issues 14 cycles after the last warp's BAR, in every warp alike.
TEST(barrier, opens_fourteen_cycles_after_the_last_warp) {
  barrier_run r;
  run(r, "[B------:R-:W-:-:S01] BAR.SYNC.DEFER_BLOCKING 0x0", {"[B------:R-:W0:-:S01] LDC R4, c[0x0][0x28]"});
  const cycle_t last = r.log.cycles(1, "BAR").at(0);
  EXPECT_EQ(r.log.cycles(0, "LDC").at(0), last + 14);
  EXPECT_EQ(r.log.cycles(1, "LDC").at(0), last + 14);
}

// Recorded on an H200: BAR.SYNC.DEFER_BLOCKING lets instructions of fixed latency pass.
TEST(barrier, that_defers_blocking_lets_fixed_latency_instructions_pass) {
  barrier_run r;
  run(r, "[B------:R-:W-:-:S01] BAR.SYNC.DEFER_BLOCKING 0x0",
      {"[B------:R-:W-:-:S02] CS2R R4, SR_CLOCKLO", "[B------:R-:W-:-:S01] IADD3 R6, R7, R8, RZ",
       "[B------:R-:W0:-:S01] S2R R9, SR_TID.X"});
  const cycle_t first = r.log.cycles(0, "BAR").at(0), last = r.log.cycles(1, "BAR").at(0);
  EXPECT_EQ(r.log.cycles(0, "CS2R").at(0), first + 1);
  EXPECT_EQ(r.log.cycles(0, "IADD3").at(0), first + 3);
  EXPECT_EQ(r.log.cycles(0, "S2R").at(0), last + 14);
}

TEST(barrier, that_does_not_defer_stops_the_warp_at_once) {
  barrier_run r;
  run(r, "[B------:R-:W-:-:S01] BAR.SYNC 0x0", {"[B------:R-:W-:-:S01] IADD3 R6, R7, R8, RZ"});
  EXPECT_EQ(r.log.cycles(0, "IADD3").at(0), r.log.cycles(1, "BAR").at(0) + 14);
}
// Measured on an H100: a barrier of some threads is as fast as one of all, and one that is left to a BAR.ARV 10 cycles slower; the warp
// that only arrives loads from shared memory at once.
TEST(barrier, of_some_threads_opens_fourteen_cycles_after_the_last_warp) {
  barrier_run r;
  run(r, "[B------:R-:W-:-:S01] BAR.SYNC.DEFER_BLOCKING 0x1, 0x40", {"[B------:R-:W0:-:S01] LDC R4, c[0x0][0x28]"});
  const cycle_t last = r.log.cycles(1, "BAR").at(0);
  EXPECT_EQ(r.log.cycles(0, "LDC").at(0), last + 14);
  EXPECT_EQ(r.log.cycles(1, "LDC").at(0), last + 14);
}

TEST(barrier, opens_24_cycles_after_a_last_warp_that_does_not_wait) {
  barrier_run r;
  run(r, {"[B------:R-:W-:-:S01] BAR.SYNC.DEFER_BLOCKING 0x1, 0x40", "[B------:R-:W-:-:S06] BAR.ARV 0x1, 0x40"},
      {"[B------:R-:W0:-:S01] LDC R4, c[0x0][0x28]"});
  const cycle_t last = r.log.cycles(1, "BAR").at(0);
  EXPECT_EQ(r.log.cycles(0, "LDC").at(0), last + 24);
  EXPECT_EQ(r.log.cycles(1, "LDC").at(0), last + 6);
}

// CUDA C++ Programming Guide: from Volta on, a barrier waits for all threads that have not exited.
TEST(barrier, does_not_wait_for_a_warp_that_exits) {
  const auto trace = silicon::make_trace("sm_90", {{"BAR.SYNC 0x0", "NOP"}, {"NOP"}});
  auto options = silicon::preset_options();
  EXPECT_EQ(silicon::run(trace, silicon::machine_of("hopper"), options).status, accounting::run_status::finished);
}

TEST(barrier, waits_for_ever_for_a_warp_that_the_trace_does_not_hold) {
  std::istringstream text(
      "tcsim-trace 1\narch sm_90\nkernel k\ngrid 1 1 1\nblock 64 1 1\ncta 0 0 0\nwarp 0\n/*0000*/ BAR.SYNC 0x0\n/*0010*/ EXIT\n");
  const auto trace = trace::trace::read(text, "test");
  const auto result = silicon::run(trace, silicon::machine_of("hopper"), silicon::preset_options());
  EXPECT_EQ(result.status, accounting::run_status::stuck);
  ASSERT_FALSE(result.waiting.empty());
}

/// A warp's stores are seen by warps behind the barrier, whatever operand fetch and queue do.
class barrier_order : public testing::TestWithParam<std::vector<std::string>> {};

/// Warp 0 does what it is told and arrives, or exits; warp 1 then reads one word, and stores it where 7s are expected.
accounting::run_result run_to_barrier(const std::vector<std::string>& stores, const char* load, const std::vector<std::string>& assignments,
                                      bool arrives = true) {
  std::ostringstream text;
  text << "tcsim-trace 1\narch sm_80\nkernel k\ngrid 1 1 1\nblock 64 1 1\nshared 8192\nmemory 0x10000 128 zero\nexpect 0x10000 128 fill 7\n"
       << "cta 0 0 0\nwarp 0\nreg R2 0x0\nreg R4 0x07070707\n";
  unsigned pc = 0;
  const auto instruction = [&](const std::string& line) { text << fmt::format("/*{:04x}*/ {}\n", 16 * pc++, line); };
  for (const std::string& store : stores) instruction(store);
  if (arrives) instruction("BAR.SYNC.DEFER_BLOCKING 0x0");
  instruction("EXIT");
  text << "warp 1\nreg R2 0x0\nreg R6 0x0\nreg R7 0x0\n/*0000*/ BAR.SYNC.DEFER_BLOCKING 0x0\n/*0010*/ " << load
       << "\n/*0020*/ STG.E [R6.64], R4 @ 0x10000+4\n/*0030*/ EXIT\n";
  std::istringstream stream(text.str());
  const auto trace = trace::trace::read(stream, "test");
  return silicon::run(trace, silicon::machine_of("ampere", assignments), device::run_options{});
}

// Warp 0 fills the queue of its load-store unit with conflicting stores, the last of which warp 1 reads.
TEST_P(barrier_order, puts_stores_before_the_loads_of_other_warps) {
  std::vector<std::string> stores(24, "STS [R2], R4 @ 0x0+128");
  stores.emplace_back("STS [R2], R4 @ 0x1000+4");
  const auto result = run_to_barrier(stores, "LDS R4, [R2] @ 0x1000+4", GetParam());
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0u);
}

// The only store waits for its registers behind those of many FFMAs; a barrier that overtook it would let the load of the other warp find
// zeros.
TEST_P(barrier_order, puts_a_store_that_waits_for_registers_before_the_load_of_another_warp) {
  std::vector<std::string> instructions;
  for (unsigned i = 0; i < 24; ++i) instructions.push_back(fmt::format("FFMA R{}, R8, R10, R12", 16 + i));
  instructions.emplace_back("STS [R2], R4 @ 0x1000+4");
  const auto result = run_to_barrier(instructions, "LDS R4, [R2] @ 0x1000+4", GetParam());
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0u);
}

// Measured on an H100: after 1 to 32 conflicting stores, others find the last one at the barrier that EXIT opens.
TEST_P(barrier_order, puts_stores_of_a_warp_that_exits_before_the_loads_of_other_warps) {
  std::vector<std::string> stores(24, "STS [R2], R4 @ 0x0+128");
  stores.emplace_back("STS [R2], R4 @ 0x1000+4");
  const auto result = run_to_barrier(stores, "LDS R4, [R2] @ 0x1000+4", GetParam(), false);
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    machines, barrier_order,
    testing::Values(std::vector<std::string>{}, std::vector<std::string>{"sm.sub_core.operand_fetch.collector_units=1"},
                    std::vector<std::string>{"sm.sub_core.operand_fetch.collector_units=8"},
                    std::vector<std::string>{"sm.sub_core.operand_fetch.collector_units=32", "sm.sub_core.register_file.banks=1"},
                    std::vector<std::string>{"sm.sub_core.load_store.queue_entries=1"},
                    std::vector<std::string>{"sm.shared_memory.wavefront_cycles=50"}));

}  // namespace

}  // namespace barrier_test
