// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/accounting/statistic_sum.hpp>

#include "tensor_traces.hpp"

// CTAs that work on tensor memory in pairs, in the two SMs of a TPC, and commits to several CTAs of a cluster.

namespace tc::device::test::tensor::cta_pair_test {
namespace {

/// The instructions with .cta_group::2.
std::string of_pair(std::string text) {
  const std::string one = "cta_group::1", two = "cta_group::2";
  for (std::size_t at = text.find(one); at != std::string::npos; at = text.find(one, at)) text.replace(at, one.size(), two);
  return text;
}

std::string pairs_header(unsigned ctas, const std::string& more = "", unsigned cluster = 2) {
  return header(ctas, 1, fmt::format("cluster {} 1 1\n", cluster) + more);
}

/// Writes a register to where expectation() looks for the `place`th one.
std::string publish(unsigned reg, unsigned place) {
  return fmt::format("/*0200*/ STG.E [R2.64], R{} @ {:#x}+4\n", reg, results + 128 * place);
}

std::string waiting_of(const accounting::run_result& result) {
  std::string all;
  for (const std::string& line : result.waiting) all += line + '\n';
  return all;
}

TEST(cta_pair, takes_neighbouring_sms_and_knows_its_ranks) {
  std::string text = pairs_header(8, expectation(8, [](unsigned, unsigned cta) { return cta % 4; }), 4);
  for (unsigned cta = 0; cta < 8; ++cta)
    text += cta_line(cta) + warp_line(0) + "reg R2 0x0\nreg R3 0x0\n" + of_pair(relinquish) + "/*0100*/ S2R R8, SR_CgaCtaId\n" +
            publish(8, cta) + leave;
  test_machine machine(preset("blackwell", {"sms=5", "sm.max_ctas=1"}), {text});
  EXPECT_EQ(machine.device().sms(), 4U) << "the fifth has no neighbour";
  const accounting::run_result result = machine.run();
  expect_finished(result);
  for (const char* sm : {"sm_0", "sm_1", "sm_2", "sm_3"}) EXPECT_EQ(accounting::statistic_sum(sm, "ctas").sum(), 2U) << sm;
}

TEST(cta_pair, allocates_the_same_columns_in_both_sms_at_once) {
  const auto value = [](unsigned lane, unsigned cta) { return tag({lane, 0}) + 500000 * cta; };
  std::string text = pairs_header(2, expectation(4, [&](unsigned lane, unsigned i) { return i < 2 ? value(lane, i) : 64; }));
  for (unsigned cta = 0; cta < 2; ++cta)
    text += cta_line(cta) + warp_line(0) + "reg R2 0x0\nreg R3 0x0\n" +
            presets(1, [&](unsigned lane, unsigned) { return value(lane, cta); }) + pause(300 * cta) + of_pair(allocate(64)) + read_clock +
            of_pair(allocate(32)) + store("32x32b.x1", 1, 64) + wait_for_stores + load("32x32b.x1", 1, 64) + wait_for_loads +
            publish(loaded_register, cta) + fmt::format("/*0300*/ LDS R40, [R2] @ {:#x}\n", addresses) + publish(40, 2 + cta) +
            of_pair(deallocate(64, 32)) + of_pair(deallocate(0, 64)) + leave;
  const accounting::run_result result = result_of(text);
  expect_finished(result);
  ASSERT_EQ(result.clock_reads.size(), 2U);
  EXPECT_EQ(result.clock_reads[0].cycle, result.clock_reads[1].cycle);
  EXPECT_GT(result.clock_reads[0].cycle, 300U + 250U);
}

TEST(cta_pair, waits_for_the_columns_of_another_pair) {
  std::string text = pairs_header(4);
  for (unsigned cta = 0; cta < 4; ++cta)
    text += cta_line(cta) + warp_line(0) + pause(cta < 2 ? 0 : 50) + of_pair(allocate(512)) + pause(cta == 1 ? 1000 : 0) +
            of_pair(deallocate(0, 512)) + leave;
  const accounting::run_result result = result_of(text, {"sms=2"});
  expect_finished(result);
  EXPECT_GT(result.stalls[links::stall_cause::tensor_allocation], 3 * 1000U) << "CTA 0 for its peer, and both of the other pair";
}

TEST(cta_pair, that_misses_a_cta_is_named) {
  std::string text = pairs_header(4);
  for (unsigned cta = 0; cta < 4; ++cta)
    text += cta_line(cta) + warp_line(0) + (cta == 3 ? "" : of_pair(allocate(32))) + (cta < 2 ? of_pair(deallocate(0, 32)) : "") + leave;
  const accounting::run_result result = result_of(text);
  EXPECT_EQ(result.status, accounting::run_status::stuck);
  EXPECT_NE(waiting_of(result).find("gpu.sm_2.tensor_allocation: warp 0 of CTA 2 waits for warp 0 of CTA 3, the peer"), std::string::npos)
      << waiting_of(result);
}

TEST(cta_pair, must_do_the_same_in_both_ctas) {
  const std::string text = pairs_header(2) + cta_line(0) + warp_line(0) + of_pair(allocate(64)) + leave + cta_line(1) + warp_line(0) +
                           pause(100) + of_pair(allocate(32)) + leave;
  EXPECT_THROW(
      try { result_of(text); } catch (const sc_core::sc_report& report) {
        const std::string message = report.get_msg();
        EXPECT_NE(message.find("[0x400], 32: warp 0 of CTA 0, the peer, does something else, in line 10: "), std::string::npos) << message;
        EXPECT_NE(message.find("line 114: "), std::string::npos) << message;
        throw;
      },
      sc_core::sc_report);
}

/// CTAs of a cluster that wait for an mbarrier each, at which a commit of another warp of CTA 0 arrives.
std::string multicast(const std::string& mask) {
  std::string text = header(2, 2, "cluster 2 1 1\n");
  for (unsigned cta = 0; cta < 2; ++cta)
    text += cta_line(cta) + warp_line(0) +
            "mbarrier.init.shared::cta.b64 [0x410], 1 mask 00000001\nmbarrier.try_wait.parity.shared::cta.b64 [0x410], 0\n" + read_clock +
            leave;
  const std::string commit = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [0x410], ";
  return text.insert(text.find(cta_line(1)), warp_line(1) + pause(200) + commit + mask + " mask 00000001\n" + leave);
}

TEST(cluster_commit, arrives_at_every_cta) {
  const accounting::run_result result = result_of(multicast("0x3"));
  expect_finished(result);
  ASSERT_EQ(result.clock_reads.size(), 2U);
  EXPECT_GT(result.clock_reads[1].cycle, 200U);
  EXPECT_EQ(result.clock_reads[0].cycle, result.clock_reads[1].cycle);
}

TEST(cluster_commit, of_a_pair_arrives_at_both_ctas) { expect_finished(result_of(of_pair(multicast("0x3")))); }

TEST(cta_pair, shifts_columns_of_both_ctas_for_one_of_them) {
  const auto value = [](unsigned lane, unsigned cta) { return tag({lane, 0}) + 500000 * cta; };
  std::string text = pairs_header(2, expectation(2, [&](unsigned lane, unsigned cta) { return value(std::min(lane + 1, 31U), cta); }));
  for (unsigned cta = 0; cta < 2; ++cta) {
    text += cta_line(cta) + warp_line(0) + "reg R2 0x0\nreg R3 0x0\n" +
            presets(8, [&](unsigned lane, unsigned column) { return value(lane, cta) + column; }) +
            "mbarrier.init.shared::cta.b64 [0x410], 1 mask 00000001\n" + of_pair(allocate(32)) + store("32x32b.x8", 8, 0) + wait_for_stores;
    if (cta == 0)
      text += pause(100) +
              of_pair(
                  "tcgen05.shift.cta_group::1.down [0x0] mask 00000001\n"
                  "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [0x410], 0x3 mask 00000001\n");
    text += "mbarrier.try_wait.parity.shared::cta.b64 [0x410], 0\n" + load("32x32b.x1", 1, 0) + wait_for_loads +
            publish(loaded_register, cta) + of_pair(deallocate(0, 32)) + leave;
  }
  expect_finished(result_of(text));
}

TEST(cluster_commit, does_not_arrive_where_it_is_not_sent) {
  const accounting::run_result result = result_of(multicast("0x2"));
  EXPECT_EQ(result.status, accounting::run_status::stuck);
  EXPECT_NE(waiting_of(result).find("waiting: warp 0 of CTA 0"), std::string::npos) << waiting_of(result);
  EXPECT_EQ(waiting_of(result).find("warp 0 of CTA 1"), std::string::npos) << waiting_of(result);
}

TEST(cluster_commit, to_a_cta_that_does_not_exist_is_an_error) {
  EXPECT_THROW(
      try { result_of(multicast("0x5")); } catch (const sc_core::sc_report& report) {
        const std::string message = report.get_msg();
        EXPECT_NE(message.find("line 215: tcgen05.commit"), std::string::npos) << message;
        EXPECT_NE(message.find("the mask 0x5 selects rank 2 of the cluster, which has 2 CTAs"), std::string::npos) << message;
        throw;
      },
      sc_core::sc_report);
}

}  // namespace
}  // namespace tc::device::test::tensor::cta_pair_test
