// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/named_registers.hpp>

#include "wrong_statement.hpp"

namespace tc::isa::asynchronous_parser_test {
namespace {

constexpr auto hopper = architecture::sm_90;

/// The operation of a line, which must be of one kind.
template <typename Operation>
Operation parse(const std::string& text, opcode op) {
  const instruction i = parse_operation(text, hopper);
  EXPECT_EQ(i.op, op) << text;
  EXPECT_EQ(i.text, text);
  return std::get<Operation>(*i.asynchronous);
}

std::string registers(unsigned first, unsigned count) {
  std::string list = "{R" + std::to_string(first);
  for (unsigned i = 1; i < count; ++i) list += ", R" + std::to_string(first + i);
  return list + "}";
}

const std::string sync = "wgmma.mma_async.sync.aligned.";

wgmma_operation parse_wgmma(const std::string& rest) { return parse<wgmma_operation>(sync + rest, opcode::wgmma_mma_async); }

TEST(AsynchronousParser, ReadsWarpgroupOperationsOfSharedOperands) {
  const wgmma_operation w =
      parse_wgmma("m64n128k16.f32.f16.f16 " + registers(24, 64) + ", 0x4000004000010400, 0x4000404000010800, 0, -1, 1, 0, 1");
  EXPECT_EQ(w.mma.m, 64);
  EXPECT_EQ(w.mma.n, 128);
  EXPECT_EQ(w.mma.k, 16);
  EXPECT_EQ(w.mma.a, element_type::f16);
  EXPECT_EQ(w.mma.c, element_type::f32);
  EXPECT_EQ(w.mma.d, element_type::f32);
  EXPECT_FALSE(w.a_in_registers);
  EXPECT_EQ(w.a, (matrix_descriptor{0x4000, 16, 1024, 0, swizzle_mode::bytes_128}));
  EXPECT_EQ(w.b.start, 0x8000U);
  EXPECT_FALSE(w.accumulate);
  EXPECT_TRUE(w.negate_a);
  EXPECT_FALSE(w.negate_b);
  EXPECT_EQ(w.a_major, matrix_major::k);
  EXPECT_EQ(w.b_major, matrix_major::mn);
  EXPECT_EQ(w.accumulators.size(), 64U);
  EXPECT_EQ(w.accumulators.back(), 87);
}

TEST(AsynchronousParser, ReadsWarpgroupOperationsOfEveryKind) {
  struct kind {
    const char* name;
    unsigned registers, k;
    element_type a, b, d;
  };
  using type = element_type;
  const kind kinds[] = {{"m64n8k16.f16.f16.f16", 2, 16, type::f16, type::f16, type::f16},
                        {"m64n256k16.f32.bf16.bf16", 128, 16, type::bf16, type::bf16, type::f32},
                        {"m64n24k8.f32.tf32.tf32", 12, 8, type::tf32, type::tf32, type::f32},
                        {"m64n8k32.f32.e4m3.e5m2", 4, 32, type::e4m3, type::e5m2, type::f32},
                        {"m64n16k32.f16.e5m2.e4m3", 4, 32, type::e5m2, type::e4m3, type::f16},
                        {"m64n48k32.s32.s8.u8", 24, 32, type::s8, type::u8, type::s32},
                        {"m64n24k32.s32.u8.u8", 12, 32, type::u8, type::u8, type::s32}};
  for (const kind& each : kinds) {
    SCOPED_TRACE(each.name);
    const wgmma_operation w = parse_wgmma(std::string(each.name) + " " + registers(0, each.registers) + ", 0x10040, 0x20010080, 1");
    EXPECT_EQ(w.accumulators.size(), each.registers);
    EXPECT_EQ(w.mma.k, each.k);
    EXPECT_EQ(w.mma.a, each.a);
    EXPECT_EQ(w.mma.b, each.b);
    EXPECT_EQ(w.mma.d, each.d);
    EXPECT_TRUE(w.accumulate);
    EXPECT_FALSE(w.mma.saturate);
  }
  EXPECT_TRUE(parse_wgmma("m64n8k32.s32.s8.s8.satfinite {R0, R1, R2, R3}, 0x40, 0x80, 1").mma.saturate);
  EXPECT_TRUE(parse_wgmma("m64n8k32.satfinite.s32.s8.s8 {R0, R1, R2, R3}, 0x40, 0x80, 1").mma.saturate);
}

TEST(AsynchronousParser, NamesTheRegistersOfAAsSourcesAndTheAccumulatorsApart) {
  const instruction i =
      parse_operation("@!P1 " + sync + "m64n8k16.f32.f16.f16 {R9, R8, R11, R10}, {R4, R6, RZ, R5}, 0x80, 1, 1, 1, 1", hopper);
  const auto& w = std::get<wgmma_operation>(*i.asynchronous);
  EXPECT_TRUE(w.a_in_registers);
  EXPECT_EQ(w.a_registers, (std::vector<std::uint8_t>{4, 6, zero_register, 5}));
  EXPECT_EQ(w.b_major, matrix_major::mn);
  ASSERT_EQ(i.source_count, 4);
  EXPECT_EQ(i.destination_count, 0);
  EXPECT_TRUE(i.sources[1].is_register(register_file::vector));
  EXPECT_EQ(i.sources[1].index, 6);
  EXPECT_EQ(i.sources[1].count, 1);
  EXPECT_EQ(i.sources[1].slot, no_slot);
  ASSERT_EQ(i.reads.size(), 4U) << "the guard, and A without RZ";
  EXPECT_EQ(i.reads[0], (register_use{register_file::predicate, 1, 1, no_slot, false}));
  EXPECT_EQ(i.reads[3], (register_use{register_file::vector, 5, 1, no_slot, false}));
  EXPECT_TRUE(i.writes.empty());
  std::vector<unsigned> named;
  visit_vector_registers(i, [&](unsigned first, unsigned count) {
    EXPECT_EQ(count, 1U);
    named.push_back(first);
  });
  EXPECT_EQ(named, (std::vector<unsigned>{4, 6, 5, 9, 8, 11, 10}));
}

TEST(AsynchronousParser, ReadsBarriers) {
  struct line {
    const char* text;
    opcode op;
    barrier_action action;
    std::uint32_t count, bytes;
  };
  const line lines[] = {
      {"mbarrier.init.shared::cta.b64 [0x10], 128", opcode::mbarrier_init, barrier_action::initialise, 128, 0},
      {"mbarrier.inval.shared.b64 [16]", opcode::mbarrier_inval, barrier_action::invalidate, 1, 0},
      {"mbarrier.arrive.shared::cta.b64 _, [0x10]", opcode::mbarrier_arrive, barrier_action::arrive, 1, 0},
      {"mbarrier.arrive.release.cta.shared::cta.b64 {R4, R5}, [0x10], 3", opcode::mbarrier_arrive, barrier_action::arrive, 3, 0},
      {"mbarrier.arrive.release.cluster.shared::cluster.b64 [0x10]", opcode::mbarrier_arrive, barrier_action::arrive, 1, 0},
      {"mbarrier.arrive.noComplete.release.cta.shared::cta.b64 R4, [0x10], 2", opcode::mbarrier_arrive, barrier_action::arrive, 2, 0},
      {"mbarrier.arrive.expect_tx.shared::cta.b64 _, [0x10], 4096", opcode::mbarrier_arrive, barrier_action::arrive_expect, 1, 4096},
      {"mbarrier.arrive_drop.shared::cta.b64 _, [0x10]", opcode::mbarrier_arrive_drop, barrier_action::arrive, 1, 0},
      {"mbarrier.arrive_drop.expect_tx.relaxed.cta.shared::cta.b64 _, [0x10], 0x20", opcode::mbarrier_arrive_drop,
       barrier_action::arrive_expect, 1, 32},
      {"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [0x10], 1048575", opcode::mbarrier_expect_tx, barrier_action::expect, 1, 1048575},
      {"mbarrier.complete_tx.shared::cta.b64 [0x10], 16", opcode::mbarrier_complete_tx, barrier_action::complete, 1, 16},
  };
  for (const line& each : lines) {
    const auto b = parse<barrier_operation>(each.text, each.op);
    EXPECT_EQ(b.action, each.action) << each.text;
    EXPECT_EQ(b.address, 16U);
    EXPECT_EQ(b.count, each.count) << each.text;
    EXPECT_EQ(b.bytes, each.bytes) << each.text;
    EXPECT_EQ(b.drop, each.op == opcode::mbarrier_arrive_drop) << each.text;
  }
}

TEST(AsynchronousParser, ReadsWaitsForAParity) {
  const auto wait = parse<barrier_operation>("mbarrier.try_wait.parity.shared::cta.b64 [0x18], 1", opcode::mbarrier_try_wait);
  EXPECT_EQ(wait.action, barrier_action::wait);
  EXPECT_EQ(wait.address, 0x18U);
  EXPECT_TRUE(wait.parity);
  EXPECT_EQ(wait.predicate, true_predicate);
  const instruction test = parse_operation("mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 P2, [0x18], 0", hopper);
  EXPECT_EQ(std::get<barrier_operation>(*test.asynchronous).action, barrier_action::test_wait);
  EXPECT_EQ(std::get<barrier_operation>(*test.asynchronous).predicate, 2);
  ASSERT_EQ(test.writes.size(), 1U);
  EXPECT_EQ(test.writes[0], (register_use{register_file::predicate, 2, 1, no_slot, false}));
  EXPECT_FALSE(
      parse<barrier_operation>("mbarrier.try_wait.parity.relaxed.cluster.shared.b64 P0, [8], 0, 0x989680", opcode::mbarrier_try_wait)
          .parity);
}

TEST(AsynchronousParser, ReadsLinearCopies) {
  for (const char* const target : {"cta", "cluster"}) {
    const auto load = parse<bulk_copy_operation>(
        std::string("cp.async.bulk.shared::") + target + ".global.mbarrier::complete_tx::bytes [0x400], [0x100000010], 4096, [0x18]",
        opcode::cp_async_bulk);
    EXPECT_TRUE(load.to_shared);
    EXPECT_FALSE(load.tensor);
    EXPECT_EQ(load.shared, 0x400U);
    EXPECT_EQ(load.global, 0x100000010U);
    EXPECT_EQ(load.bytes, 4096U);
    EXPECT_EQ(load.barrier, 0x18U);
  }
  const auto store = parse<bulk_copy_operation>("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [0x10000], [0x410], 16, 0x5",
                                                opcode::cp_async_bulk);
  EXPECT_FALSE(store.to_shared);
  EXPECT_EQ(store.shared, 0x410U);
  EXPECT_EQ(store.global, 0x10000U);
  EXPECT_EQ(store.bytes, 16U);
}

TEST(AsynchronousParser, ReadsTensorCopies) {
  const auto tile = parse<bulk_copy_operation>(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [0x800], [0x40000, {-8, 64}], [0x18]",
      opcode::cp_async_bulk_tensor);
  EXPECT_TRUE(tile.tensor && tile.to_shared && !tile.im2col);
  EXPECT_EQ(tile.map, 0x40000U);
  EXPECT_EQ(tile.rank, 2U);
  EXPECT_EQ(tile.coordinates, (std::array<std::int32_t, max_tensor_rank>{-8, 64}));
  EXPECT_EQ(tile.shared, 0x800U);
  EXPECT_EQ(tile.barrier, 0x18U);
  const auto im2col = parse<bulk_copy_operation>(
      "cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint [0x800], [0x40000, {0, 1, 2, 3}], "
      "[0x18], {2, 255}, 7",
      opcode::cp_async_bulk_tensor);
  EXPECT_TRUE(im2col.im2col);
  EXPECT_EQ(im2col.im2col_offsets, (std::array<std::uint16_t, 3>{2, 255, 0}));
  const auto store = parse<bulk_copy_operation>("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [0x40000, {5}], [0x880]",
                                                opcode::cp_async_bulk_tensor);
  EXPECT_TRUE(store.tensor && !store.to_shared);
  EXPECT_EQ(store.coordinates[0], 5);
  EXPECT_EQ(store.shared, 0x880U);
}

TEST(AsynchronousParser, ReadsGroupsAndFences) {
  const auto control = [](const char* text, opcode op) { return parse<async_control_operation>(text, op); };
  EXPECT_EQ(control("wgmma.fence.sync.aligned", opcode::wgmma_fence).control, async_control::warpgroup_arrive);
  EXPECT_EQ(control("wgmma.commit_group.sync.aligned", opcode::wgmma_commit_group).control, async_control::warpgroup_commit);
  const auto wait = control("wgmma.wait_group.sync.aligned 3", opcode::wgmma_wait_group);
  EXPECT_EQ(wait.control, async_control::warpgroup_wait);
  EXPECT_EQ(wait.pending, 3U);
  EXPECT_EQ(control("cp.async.bulk.commit_group", opcode::cp_async_bulk_commit_group).control, async_control::bulk_commit);
  EXPECT_EQ(control("cp.async.bulk.wait_group 1", opcode::cp_async_bulk_wait_group).control, async_control::bulk_wait);
  EXPECT_EQ(control("cp.async.bulk.wait_group.read 2", opcode::cp_async_bulk_wait_group).control, async_control::bulk_wait_read);
  for (const char* const fence : {"fence.proxy.async", "fence.proxy.async.shared::cta", "fence.proxy.async.shared::cluster"}) {
    EXPECT_EQ(control(fence, opcode::fence_proxy).control, async_control::proxy_fence);
  }
  for (const char* const fence : {"fence.proxy.async.global", "fence.proxy.alias", "fence.proxy.tensormap::generic.release.gpu",
                                  "fence.proxy.tensormap::generic.acquire.cta [0x40000], 128"}) {
    EXPECT_EQ(control(fence, opcode::fence_proxy).control, async_control::other_fence);
  }
  EXPECT_EQ(control("fence.mbarrier_init.release.cluster", opcode::fence_mbarrier_init).control, async_control::barrier_fence);
}

class AsynchronousMistake : public testing::TestWithParam<wrong_statement> {};

TEST_P(AsynchronousMistake, IsReportedAtItsPlace) { expect_mistake(GetParam(), hopper); }

wrong_statement wgmma(const std::string& rest, const char* at, const char* message) { return {sync + rest, at, message}; }

INSTANTIATE_TEST_SUITE_P(
    Wgmma, AsynchronousMistake,
    testing::Values(wrong_statement{"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {R0}, 1", ".sp", "expected .sync, found .sp"},
                    wgmma("m64n8k16.f32.f16 {R0}, 1", " {R0}", "element type of B"),
                    wgmma("m64n8k16.f32.f64.f64 {R0}, 1", "f64.f64", "A must be of f16, bf16"),
                    wgmma("m64n8k16.f32.f16.bf16 {R0}, 1", "bf16 ", "B must be of f16"),
                    wgmma("m64n8k16.f16.bf16.bf16 {R0}, 1", "f16.bf16.bf16", "D must be of f32"),
                    wgmma("m64n8k32.f32.f16.f16 {R0}, 1", "m64n8", "m64nNk16"), wgmma("m32n8k16.f32.f16.f16 {R0}, 1", "m32", "m64nNk16"),
                    wgmma("m64n12k16.f32.f16.f16 {R0}, 1", "m64", "a multiple of 8 up to 256, found 12"),
                    wgmma("m64n264k16.f32.f16.f16 {R0}, 1", "m64", "up to 256"),
                    wgmma("m64n40k32.s32.s8.s8 {R0}, 1", "m64", "8, 16, 24, or a multiple of 16"),
                    wgmma("m64n8k16.f32.f16.f16.satfinite {R0}, 1", "satfinite", "sums of 8-bit integers"),
                    wgmma("m64n8k16.f32.f16.f16.x {R0}, 1", ".x", "expected .satfinite, found .x"),
                    wgmma("m64n8k16.f32.f16.f16 {R0, R1}, 0x40, 0x80, 1", "{R0", "a list of 4 registers, found 2"),
                    wgmma("m64n8k16.f16.f16.f16 {R0, RZ}, 0x40, 0x80, 1", "RZ", "vector registers"),
                    wgmma("m64n8k16.f16.f16.f16 {R3, R3}, 0x40, 0x80, 1", "{R3", "names R3 twice"),
                    wgmma("m64n8k16.f16.f16.f16 {R0, R1}, {R4, R5}, 0x80, 1", "{R4", "a list of 4 registers"),
                    wgmma("m64n8k16.f16.f16.f16 {R0, R1}, R4, 0x80, 1", "R4", "matrix descriptor of A must be a number"),
                    wgmma("m64n8k16.f16.f16.f16 {R0, R1}, 0x2000000000000040, 0x80, 1", "0x20", "must be 0, 2, 4 or 6 on sm_90"),
                    wgmma("m64n8k16.f16.f16.f16 {R0, R1}, 0x40, 0x10000000000080, 1", "0x1", "bits 52 to 60"),
                    wgmma("m64n8k16.f16.f16.f16 {R0, R1}, 0x40, 0x80", "", "scale-d is missing; the form is wgmma.mma_async"),
                    wgmma("m64n8k16.f16.f16.f16 {R0, R1}, 0x40, 0x80, 2", "2", "scale-d is 2; it must be from 0 to 1"),
                    wgmma("m64n8k16.f16.f16.f16 {R0, R1}, 0x40, 0x80, 1, 0, 1", "0, 1", "scale-a must be 1 or -1"),
                    wgmma("m64n8k16.f16.f16.f16 {R0, R1}, 0x40, 0x80, 1, 1", "", "scale-b is missing"),
                    wgmma("m64n8k16.f16.f16.f16 {R0, R1}, {R4, R5, R6, R7}, 0x80, 1, 1, 1, 0, 1", "1", "unexpected '1'"),
                    wgmma("m64n8k8.f32.tf32.tf32 {R0, R1, R2, R3}, 0x40, 0x80, 1, 1, 1, 0, 0", "0, 0", "unexpected '0, 0'"),
                    wgmma("m64n8k32.s32.s8.s8 {R0, R1, R2, R3}, 0x40, 0x80, 1, 1, 1", "1, 1", "unexpected '1, 1'")));

INSTANTIATE_TEST_SUITE_P(
    Barriers, AsynchronousMistake,
    testing::Values(
        wrong_statement{"mbarrier.init.b64 [0x10], 1", ".b64", "expected .shared::cta, .shared::cluster or .shared, found .b64"},
        wrong_statement{"mbarrier.init.shared::cta [0x10], 1", " [0x10]", "expected .b64"},
        wrong_statement{"mbarrier.init.shared::cta.b64 [0x14], 1", "0x14", "must be a multiple of 8"},
        wrong_statement{"mbarrier.init.shared::cta.b64 0x10, 1", "0x10", "between '[' and ']'"},
        wrong_statement{"mbarrier.init.shared::cta.b64 [R4], 1", "R4", "must be a number"},
        wrong_statement{"mbarrier.init.shared::cta.b64 [0x10]", "", "the count is missing; the form is mbarrier.init"},
        wrong_statement{"mbarrier.init.shared::cta.b64 [0x10], 0", "0", "from 1 to 1048575"},
        wrong_statement{"mbarrier.arrive.acquire.cta.shared::cta.b64 _, [0x10]", ".acquire", "expected .expect_tx, .noComplete, .release"},
        wrong_statement{"mbarrier.arrive.shared::cta.b64 P0, [0x10]", "P0", "_ or a pair of registers"},
        wrong_statement{"mbarrier.arrive.expect_tx.shared::cta.b64 _, [0x10]", "", "the number of bytes is missing"},
        wrong_statement{"mbarrier.expect_tx.relaxed.shared::cta.b64 [0x10], 16", ".shared", "expected .cta or .cluster"},
        wrong_statement{"mbarrier.try_wait.shared::cta.b64 P0, [0x10], R4", " P0", "write mbarrier.try_wait.parity"},
        wrong_statement{"mbarrier.try_wait.parity.shared::cta.b64 [0x10], 2", "2", "the parity is 2; it must be from 0 to 1"},
        wrong_statement{"mbarrier.try_wait.parity.shared::cta.b64 R0, [0x10], 0", "R0", "a predicate such as P0"},
        wrong_statement{"mbarrier.test_wait.parity.shared::cta.b64 P0, [0x10], 0, 5", "5", "unexpected '5'"}));

INSTANTIATE_TEST_SUITE_P(
    BulkCopies, AsynchronousMistake,
    testing::Values(
        wrong_statement{"cp.async.bulk.shared::cta.global [0x0], [0x10], 16, [0x8]", " [0x0]", "expected .mbarrier::complete_tx::bytes"},
        wrong_statement{"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [0], [0], 16, [8]", "shared::cta",
                        "cluster are not modelled"},
        wrong_statement{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [0], [0], 16, [8], 3",
                        "multicast", "cluster are not modelled"},
        wrong_statement{"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [0x8], [0x10], 16, [0x8]", "0x8], [0x10]",
                        "must be a multiple of 16"},
        wrong_statement{"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [0], [0x18], 16, [0x8]", "0x18",
                        "must be a multiple of 16"},
        wrong_statement{"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [0], [0x10], 24, [0x8]", "24", "a multiple of 16"},
        wrong_statement{"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [0], [0x10], 0, [0x8]", "0, [0x8]", "from 16"},
        wrong_statement{"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [0], [0x10], 16", "",
                        "mbarrier's address is missing"},
        wrong_statement{"cp.async.bulk.global.shared::cta [0], [0], 16", " [0], [0]", "expected .bulk_group"},
        wrong_statement{"cp.async.bulk.global.shared::cta.bulk_group.cp_mask [0], [0], 16, 1", ".cp_mask", "expected .L2::cache_hint"},
        wrong_statement{"cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [0], [0], 16", "", "policy is missing"},
        wrong_statement{"cp.async.bulk.tensor.6d.global.shared::cta.bulk_group [0, {0}], [0]", ".6d", "expected .1d, .2d, .3d, .4d or .5d"},
        wrong_statement{"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [0x40, {0}], [0]", "}], [0]", "coordinate 1 is missing"},
        wrong_statement{"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [0x40, {0, 1}], [0]", "1}", "unexpected '1'"},
        wrong_statement{"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [0x48, {0}], [0]", "0x48", "must be a multiple of 64"},
        wrong_statement{"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [0x40, 0], [0]", "0], [0]", "between '{' and '}'"},
        wrong_statement{"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [0x40, {0}], [64]", "64", "a multiple of 128"},
        wrong_statement{"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [0x40, {2147483648}], [0]", "2147483648", "must be from"},
        wrong_statement{"cp.async.bulk.tensor.2d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [0], [0, {0}], [0]", "2d",
                        "3 to 5 dimensions"},
        wrong_statement{"cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [0], [0, {0, 0, 0, 0}], [0]", "",
                        "im2col offsets is missing"},
        wrong_statement{
            "cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [0], [0, {0, 0, 0, 0}], [0], {0, 256}", "256",
            "from 0 to 255"}));

INSTANTIATE_TEST_SUITE_P(
    Control, AsynchronousMistake,
    testing::Values(wrong_statement{"wgmma.fence.sync", "", "expected .aligned"},
                    wrong_statement{"wgmma.fence.sync.aligned 1", "1", "unexpected '1'"},
                    wrong_statement{"wgmma.wait_group.sync.aligned", "", "pending groups is missing"},
                    wrong_statement{"wgmma.wait_group.sync.aligned 8", "8", "from 0 to 7"},
                    wrong_statement{"cp.async.bulk.commit_group.read", ".read", "expected the name to end here, found .read"},
                    wrong_statement{"cp.async.bulk.wait_group.x 0", ".x", "expected .read, found .x"},
                    wrong_statement{"fence.proxy.async.cta", ".cta", "expected .shared::cta, .shared::cluster or .global, found .cta"},
                    wrong_statement{"fence.proxy.tensormap::generic.acquire.gpu [0x40], 64", "64", "from 128 to 128"},
                    wrong_statement{"fence.mbarrier_init.release.cta", ".cta", "expected .cluster"},
                    wrong_statement{"cp.async.ca.shared.global [0], [0], 16", "cp.async", "of PTX there are wgmma.mma_async, wgmma.fence"},
                    wrong_statement{"wgmma.mma_asynchronous.sync", "wgmma", "unknown opcode 'wgmma.mma_asynchronous.sync'"}));

TEST(AsynchronousParser, KnowsWhichArchitecturesHaveAnInstruction) {
  const auto message = [](const char* text, architecture arch) {
    try {
      parse_operation(text, arch);
    } catch (const syntax_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("mbarrier.init.shared::cta.b64 [0x10], 1", architecture::sm_100), "");
  EXPECT_EQ(message("wgmma.fence.sync.aligned", architecture::sm_100), "wgmma.fence does not exist on sm_100: sm_90 only");
  EXPECT_EQ(message("mbarrier.init.shared::cta.b64 [0x10], 1", architecture::sm_89),
            "mbarrier.init does not exist on sm_89: sm_90 and later");
}

}  // namespace
}  // namespace tc::isa::asynchronous_parser_test
