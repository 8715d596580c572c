// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/device/kernel.hpp>
#include <tc/device/run_error.hpp>

#include "test_machine.hpp"

namespace tc::device::test::kernel_test {
namespace {

trace::trace read(const std::string& text) {
  std::istringstream in(text);
  return trace::trace::read(in, "example.trace");
}

std::string one_warp(const std::string& header, const std::string& instructions) {
  return header + cta_line(0) + warp_line(0) + instructions + "/*0100*/ EXIT\n";
}

/// What the refusal says; a failure if there is none.
std::string refusal(const std::vector<std::string>& texts, const config::machine& machine) {
  std::vector<trace::trace> traces;
  std::vector<kernel_source> sources;
  for (const std::string& text : texts) traces.push_back(read(text));
  for (const trace::trace& each : traces) sources.push_back({"kernel " + std::to_string(sources.size()), &each});
  try {
    make_kernels(sources, machine);
  } catch (const run_error& error) {
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return {};
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\ndoes not contain: " << part;
}

TEST(kernel, refuses_another_architecture) {
  const std::string text = refusal({one_warp(kernel_header(1, 1), "")}, preset("hopper"));
  expect_contains(text, "kernel 0:2:6: the trace is for sm_75");
  expect_contains(text, "hopper runs sm_90");
}

TEST(kernel, refuses_a_matrix_operation_that_the_tensor_cores_do_not_have) {
  const std::string text = refusal({one_warp(kernel_header(1, 1), "/*0000*/ IMMA.8832.S4.S4 R8, R2.ROW, R4.COL, R8\n")},
                                   preset("turing", {"sm.sub_core.tensor_core.unit.s4_per_cycle=0"}));
  expect_contains(text, "IMMA.8832.S4.S4 R8");
  expect_contains(text, "s4_per_cycle");
}

TEST(kernel, refuses_instructions_on_tensor_memory_if_the_machine_has_none) {
  const std::string text = refusal({one_warp(kernel_header(1, 1, "", "sm_100"),
                                             "/*0000*/ NOP\n/*0010*/ tcgen05.wait::ld.sync.aligned\n"
                                             "/*0020*/ tcgen05.wait::ld.sync.aligned\n")},
                                   preset("blackwell", {"sm.tensor_memory.columns=0"}));
  expect_contains(text, "kernel 0:9: tcgen05.wait::ld.sync.aligned: the machine has no tensor memory: sm.tensor_memory.columns is 0");
}

TEST(kernel, refuses_instructions_of_different_cta_groups) {
  const std::string text = refusal({one_warp(kernel_header(1, 1, "", "sm_100"),
                                             "/*0000*/ NOP\ntcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned\n"
                                             "tcgen05.shift.cta_group::2.down [0x0] mask 00000001\n")},
                                   preset("blackwell"));
  expect_contains(text, "kernel 0:10: tcgen05.shift.cta_group::2.down [0x0]: all instructions of a kernel");
  expect_contains(text, "that of line 9 is another");
}

/// What is said of CTAs of which one allocates tensor memory with its peer.
std::string pair_refusal(const std::string& header_lines, const std::vector<unsigned>& ctas, unsigned sms = 4, unsigned max_ctas = 32) {
  std::string text = kernel_header(4, 1, header_lines, "sm_100");
  for (const unsigned cta : ctas)
    text += cta_line(cta) + warp_line(0) + "tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned\n/*0000*/ EXIT\n";
  return refusal({text}, preset("blackwell", {fmt::format("sms={}", sms), fmt::format("sm.max_ctas={}", max_ctas)}));
}

TEST(kernel, refuses_pairs_of_ctas_that_are_none) {
  expect_contains(pair_refusal("", {0, 1}), "kernel 0:8: tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned: pairs of CTAs");
  expect_contains(pair_refusal("", {0, 1}), "an even number of CTAs; the header's `cluster` is 1 1 1");
  expect_contains(pair_refusal("cluster 2 1 1\n", {0, 1}, 1), "needs two SMs; sms is 1");
  expect_contains(pair_refusal("cluster 4 1 1\n", {0, 1, 2}), "the trace holds CTA 2 of cluster rank 2, but not its peer, CTA 3 of rank 3");
  expect_contains(pair_refusal("cluster 4 1 1\n", {0, 1, 2, 3}, 3, 1), "a cluster of 4 CTAs does not fit: sms = 3 hold 2");
}

TEST(kernel, refuses_a_cta_that_never_fits) {
  expect_contains(refusal({one_warp(kernel_header(1, 1, "shared 70000\n"), "")}, preset("turing")), "sm.shared_memory.bytes");
  expect_contains(refusal({one_warp(kernel_header(1, 32, "registers 168\n"), "")}, preset("turing")), "warp_registers");
  expect_contains(refusal({one_warp(kernel_header(1, 32), "")}, preset("turing", {"sm.max_warps=16"})), "sm.max_warps = 16");
}

TEST(kernel, counts_the_registers_of_the_code_if_the_trace_may_not_say_them) {
  const trace::trace small = read(one_warp(kernel_header(1, 32), "/*0000*/ MOV R63, R0\n"));
  const kernel accepted(0, {"small", &small}, preset("turing"));
  EXPECT_EQ(accepted.demand().registers, 64U);
  expect_contains(refusal({one_warp(kernel_header(1, 32), "/*0000*/ MOV R64, R0\n")}, preset("turing")), "warp_registers");
}

TEST(kernel, refuses_a_cluster_that_never_fits) {
  const std::string header = kernel_header(4, 32, "cluster 4 1 1\nregisters 32\n", "sm_90");
  std::string text = header;
  for (unsigned cta = 0; cta < 4; ++cta) text += cta_line(cta) + warp_line(0) + "/*0000*/ EXIT\n";
  expect_contains(refusal({text}, preset("hopper", {"sms=3", "sm.max_warps=32"})), "a cluster of 4 CTAs does not fit: sms = 3 hold 3");
}

TEST(kernel, refuses_regions_that_cut_across_those_of_an_earlier_kernel) {
  const auto kernel = [](const std::string& memory) { return one_warp(kernel_header(1, 1, memory), ""); };
  expect_contains(refusal({kernel("memory 0x1000 256 zero\n"), kernel("memory 0x1080 256 zero\n")}, preset("turing")),
                  "kernel 1: memory 0x1080 256 overlaps memory 0x1000 256 of kernel 0");
}

TEST(kernel, refuses_to_expect_bytes_that_do_not_exist) {
  const std::string header = kernel_header(1, 1, "memory 0x1000 16 zero\nexpect 0x1008 16 zero\n");
  expect_contains(refusal({one_warp(header, "")}, preset("turing")), "expect 0x1008 16");
}

TEST(kernel, may_expect_what_an_earlier_kernel_brought) {
  const trace::trace first = read(one_warp(kernel_header(1, 1, "memory 0x1000 16 zero\n"), ""));
  const trace::trace second = read(one_warp(kernel_header(1, 1, "memory 0x1000 16 fill 1\nexpect 0x1000 16 zero\n"), ""));
  const trace::trace third = read(one_warp(kernel_header(1, 1, "expect 0x1004 12 zero\n"), ""));
  EXPECT_EQ(make_kernels({{"a", &first}, {"b", &second}, {"c", &third}}, preset("turing")).size(), 3U);
}

TEST(kernel, orders_ctas_by_cluster_and_numbers_them_by_grid) {
  std::string text = "tcsim-trace 1\narch sm_90\nkernel k\ngrid 4 2 1\nblock 32 1 1\ncluster 2 2 1\n";
  for (unsigned y = 0; y < 2; ++y)
    for (unsigned x = 0; x < 4; ++x) text += "cta " + std::to_string(x) + " " + std::to_string(y) + " 0\nwarp 0\n/*0000*/ EXIT\n";
  const trace::trace source = read(text);
  const kernel clustered(0, {"k", &source}, preset("hopper"));
  std::vector<std::uint32_t> order;
  for (std::size_t position = 0; position < clustered.cta_count(); ++position)
    order.push_back(clustered.linear_number(clustered.cta(position)));
  EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 1, 4, 5, 2, 3, 6, 7}));
  EXPECT_EQ(clustered.group_size(0), 4U);
  EXPECT_EQ(clustered.group_size(4), 4U);
  EXPECT_EQ(clustered.cluster_rank({3, 1, 0}), 3U);
  EXPECT_EQ(clustered.cluster_rank({2, 1, 0}), 2U);
  EXPECT_EQ(clustered.peer_of({3, 1, 0}), 6U);
  EXPECT_EQ(clustered.number_of_rank({3, 1, 0}, 1), 3U);
}

}  // namespace
}  // namespace tc::device::test::kernel_test
