// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "canonical_matrix.hpp"
#include "tensor_kernel.hpp"

// What instructions of the tensor engine must wait for, and which of them are errors.

namespace tc::device::test::tensor::tensor_order_run_test {
namespace {

constexpr unsigned d_column = 0, a_column = 128, other_column = 64, unwritten_column = 200, loaded = 200;
constexpr canonical_matrix b_matrix{0x1000, 128, 256}, rows_to_copy{0x8000, 2048, 128};
constexpr std::uint32_t f16_128x64 = 0x08100010, f16_128x32 = 0x08080010, f16_128x256 = 0x08400010, two_ones = 0x3c003c00;

/// D = A x B + D with A in tensor memory.
isa::tensor_mma_operation product_of(unsigned a, unsigned d, std::uint32_t descriptor = f16_128x64) {
  isa::tensor_mma_operation operation;
  operation.d = d;
  operation.a_in_tensor_memory = true;
  operation.a_address = a;
  operation.b_descriptor = b_matrix.descriptor();
  operation.descriptor = descriptor;
  return operation;
}
std::string product(unsigned a = a_column, unsigned d = d_column, std::uint32_t descriptor = f16_128x64) {
  return multiply(product_of(a, d, descriptor));
}
std::string overwriting_product(unsigned d) {
  isa::tensor_mma_operation operation = product_of(a_column, d);
  operation.enable_input_d = false;
  return multiply(operation);
}

std::string copy_rows(unsigned column = a_column) { return copy("128x256b", column, rows_to_copy.descriptor()); }
std::string refill() { return copy("4x256b", 31 << 16 | a_column, rows_to_copy.descriptor()); }
std::string load_column(unsigned column = d_column, unsigned reg = loaded) { return load("32x32b.x1", 1, column, reg); }
std::string store_column(unsigned column) { return store("32x32b.x1", 1, column, 2); }
std::string store_shared(const canonical_matrix& matrix) { return fmt::format("/*0300*/ STS [R2], R2 @ {:#x}+4\n", matrix.start); }
constexpr const char* proxy_fence = "fence.proxy.async.shared::cta\n";
const std::string wait = "a commit, and until it has arrived";

/// A and B are ones, in f16, and D is `d`.
tensor_kernel kernel_of_ones(std::uint32_t d, isa::column_range d_columns, unsigned a) {
  std::vector<std::uint8_t> ones(0x2000);
  for (std::size_t i = 1; i < ones.size(); i += 2) ones[i] = two_ones >> 24;
  tensor_kernel kernel;
  kernel.put(b_matrix.start, ones);
  kernel.put(rows_to_copy.start, ones);
  kernel.fill(d_columns, [d](unsigned, unsigned) { return d; });
  kernel.fill({a, 8}, [](unsigned, unsigned) { return two_ones; });
  return kernel;
}

struct order_case {
  const char* name;
  std::vector<std::string> instructions;
  const char* reader = nullptr;  ///< the instruction that is reported, from its beginning on; null: none is
  const char* report = nullptr;  ///< a part of what is reported
};

class tensor_order : public testing::TestWithParam<order_case> {};

const std::vector<order_case> orders{
    {"case_31_copy_to_a",
     {product(), copy_rows()},
     "tcgen05.cp.cta_group::1.128x256b [0x80]",
     "meets columns 128 to 135 of lanes 0 to 127, which tcgen05.mma.cta_group::1.kind::f16 [0x0], [0x80], "},
    {"case_31_shift_of_a", {product(), shift(a_column)}},
    {"case_31_copy_to_a_after_the_wait", {product(), wait, copy_rows()}},
    {"product_after_product", {product(), product()}},
    {"product_of_another_shape",
     {product(), product(a_column, d_column, f16_128x32)},
     "tcgen05.mma",
     "columns 0 to 31 of lanes 0 to 127, which tcgen05.mma"},
    {"product_after_copy", {copy_rows(), product()}},
    {"copy_after_copy", {copy_rows(), copy_rows()}, "tcgen05.cp", "which tcgen05.cp"},
    {"shift_after_copy", {copy_rows(), shift(a_column)}, "tcgen05.shift", "which tcgen05.cp"},
    {"shift_after_shift", {shift(a_column), shift(a_column)}, "tcgen05.shift", "which tcgen05.shift"},
    {"refill_after_shift", {shift(a_column), refill(), product()}},
    {"copy_after_shift", {shift(a_column), copy_rows()}, "tcgen05.cp", "which tcgen05.shift"},
    {"load_after_product", {product(), load_column()}, "tcgen05.ld", "meets column 0 of lanes 0 to 31, which tcgen05.mma"},
    {"load_after_a_commit", {product(), commit(tensor_kernel::barrier), load_column()}, "tcgen05.ld", "which tcgen05.mma"},
    {"load_after_the_wait", {product(), wait, load_column(), wait_for_loads}},
    {"load_of_what_came_after_the_commit",
     {product(), commit(tensor_kernel::barrier), overwriting_product(other_column),
      fmt::format("mbarrier.try_wait.parity.shared::cta.b64 [{:#x}], 0\n", tensor_kernel::barrier), load_column(),
      load_column(other_column)},
     "tcgen05.ld.sync.aligned.32x32b.x1.b32 {R200}, [0x40]",
     "column 64 of lanes 0 to 31, which tcgen05.mma"},
    {"product_before_the_load_is_there", {load_column(), product()}, "tcgen05.mma", "column 0 of lanes 0 to 31, which tcgen05.ld"},
    {"product_after_the_load", {load_column(), wait_for_loads, product()}},
    {"product_before_the_store_is_there",
     {store_column(a_column), product()},
     "tcgen05.mma",
     "column 128 of lanes 0 to 31, which tcgen05.st"},
    {"product_after_the_store", {store_column(a_column), wait_for_stores, product()}},
    {"product_of_cells_that_nobody_has_written",
     {product(unwritten_column)},
     "tcgen05.mma",
     "reads tensor memory that nothing has written, from lane 0, column 200 on"},
    {"sum_of_cells_that_nobody_has_written",
     {product(a_column, other_column + 256)},
     "tcgen05.mma",
     "reads tensor memory that nothing has written, from lane 0, column 320 on"},
    {"product_over_cells_that_nobody_has_written", {overwriting_product(other_column + 256)}},
    {"product_of_stores_without_a_proxy_fence",
     {store_shared(b_matrix), product()},
     "tcgen05.mma",
     "reads shared memory that a warp wrote, from 0x1000 on, without a fence.proxy.async"},
    {"product_of_stores_after_a_proxy_fence", {store_shared(b_matrix), proxy_fence, product()}},
    {"copy_of_stores_without_a_proxy_fence",
     {store_shared(rows_to_copy), copy_rows()},
     "tcgen05.cp",
     "reads shared memory that a warp wrote, from 0x8000 on, without a fence.proxy.async"},
};

INSTANTIATE_TEST_SUITE_P(of, tensor_order, testing::ValuesIn(orders), [](const auto& of) { return of.param.name; });

TEST_P(tensor_order, is_reported_where_it_is_broken) {
  const order_case& of = GetParam();
  tensor_kernel kernel = kernel_of_ones(0, {d_column, a_column}, a_column);
  for (const std::string& each : of.instructions) {
    if (each == wait) {
      kernel.wait();
    } else {
      kernel.issue(each);
    }
  }
  const accounting::run_result result = run(kernel);
  EXPECT_EQ(result.status, accounting::run_status::finished);
  ASSERT_EQ(result.ordering_hazards.size(), of.reader == nullptr ? 0U : 1U) << result.warnings().back();
  if (of.reader == nullptr) return;
  const accounting::ordering_report& hazard = result.ordering_hazards[0];
  EXPECT_EQ(hazard.instruction.rfind(of.reader, 0), 0U) << hazard.instruction;
  EXPECT_NE(hazard.what.find(of.report), std::string::npos) << hazard.what;
}

// A product reads sums that the one before has not written yet.
TEST(tensor_mma, adds_to_sums_that_are_on_their_way) {
  constexpr unsigned a = 256, products = 4;
  tensor_kernel kernel = kernel_of_ones(0, {d_column, 256}, a);
  for (const std::uint32_t descriptor : {f16_128x64, f16_128x256}) {
    for (unsigned i = 0; i < products; ++i) kernel.issue(product(a, d_column, descriptor));
    kernel.wait();
  }
  kernel.send({d_column, 256});
  expect_finished(run(kernel));
  constexpr std::uint32_t of_4 = 0x42800000, of_8 = 0x43000000;  // 64 and 128 in f32
  for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane)
    for (unsigned column = 0; column < 256; ++column) ASSERT_EQ(kernel.cell({lane, column}), column < 64 ? of_8 : of_4) << column;
}

// Where tensor memory gives addends more slowly than products come, one that has none does not overtake.
TEST(tensor_mma, overwrites_sums_that_are_on_their_way) {
  constexpr unsigned a = 256;
  constexpr std::uint32_t sum = 0x41800000;  // 16 in f32
  tensor_kernel kernel = kernel_of_ones(0, {d_column, 128}, a);
  for (unsigned i = 0; i < 3; ++i)
    for (const unsigned d : {d_column, other_column}) {
      isa::tensor_mma_operation last = product_of(a, d);
      last.enable_input_d = false;
      kernel.issue(product(a, d) + product(a, d) + multiply(last));
    }
  kernel.wait();
  kernel.send({d_column, 128});
  expect_finished(run(kernel, {"sm.tensor_memory.engine_bytes_per_cycle=128"}));
  for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane)
    for (unsigned column = 0; column < 128; ++column) ASSERT_EQ(kernel.cell({lane, column}), sum) << lane << ", " << column;
}

// Columns of D appear in their order before the commit (public SASS documentation project): a load that does not wait for it finds some of
// the sums, and is reported.
TEST(tensor_mma, publishes_the_columns_of_d_one_after_the_other) {
  constexpr unsigned a = 256, seen = 400;
  constexpr std::uint32_t before = 7, sum = 0x41800000;  // 16 in f32
  isa::tensor_mma_operation operation = product_of(a, d_column, f16_128x256);
  operation.enable_input_d = false;
  tensor_kernel kernel = kernel_of_ones(before, {d_column, 256}, a);
  kernel.issue(multiply(operation) + pause(160));
  for (unsigned i = 0; i < 8; ++i) kernel.issue(load_column(32 * i + 31, loaded + i));
  kernel.issue(wait_for_loads);
  for (unsigned i = 0; i < 8; ++i) kernel.issue(store("32x32b.x1", 1, seen + i, loaded + i));
  kernel.issue(wait_for_stores);
  kernel.wait();
  kernel.send({seen, 8});
  kernel.send({d_column, 256});
  const accounting::run_result result = run(kernel);
  EXPECT_EQ(result.status, accounting::run_status::finished);
  ASSERT_FALSE(result.ordering_hazards.empty());
  EXPECT_NE(result.ordering_hazards[0].what.find("which tcgen05.mma"), std::string::npos) << result.ordering_hazards[0].what;
  EXPECT_EQ(kernel.cell({9, seen}), sum) << "the first columns are there";
  EXPECT_EQ(kernel.cell({9, seen + 7}), before) << "the last ones are not";
  for (unsigned i = 0; i + 1 < 8; ++i)
    EXPECT_TRUE(kernel.cell({9, seen + i}) == sum || kernel.cell({9, seen + i + 1}) == before) << "column " << 32 * i + 63;
  for (unsigned column = 0; column < 256; ++column) ASSERT_EQ(kernel.cell({127, column}), sum);
}

struct mistake_case {
  const char* name;
  std::string instructions;
  const char* type;
  const char* part;  ///< of the message
};

class tensor_engine_mistake : public testing::TestWithParam<mistake_case> {};

constexpr const char* of_instruction = "/tc/tensor/instruction";

isa::tensor_mma_operation with(isa::tensor_mma_operation operation, const std::function<void(isa::tensor_mma_operation&)>& change) {
  change(operation);
  return operation;
}

const std::vector<mistake_case> mistakes{
    {"sums_in_columns_of_nobody", product(a_column, 250), of_instruction,
     "columns 250 to 313 of lanes 0 to 127: the CTA has not allocated"},
    {"factors_in_columns_of_nobody", product(252), of_instruction, "columns 252 to 259 of lanes 0 to 127: the CTA has not allocated"},
    {"copy_to_columns_of_nobody", copy_rows(256), of_instruction, "columns 256 to 263 of lanes 0 to 127: the CTA has not allocated"},
    {"shift_of_columns_of_nobody", shift(250), of_instruction, "columns 250 to 257 of lanes 0 to 127: the CTA has not allocated"},
    {"sums_beyond_tensor_memory", product(a_column, 500), of_instruction, "columns 500 to 563 of D are not all below 512"},
    {"case_11_descriptor_of_another_m", product(a_column, d_column, 0x0C100010), of_instruction,
     "M in the instruction descriptor 0x0c100010 (bits 24 to 28) of .kind::f16 must be 64 or 128"},
    {"case_11_descriptor_with_a_reserved_bit", product(a_column, d_column, f16_128x64 | 1 << 23), of_instruction, "bit 23"},
    {"sums_in_a_lane", product(a_column | 16 << 16, d_column | 16 << 16), of_instruction, "the lane of D must be 0, not 16"},
    {"factors_in_another_lane", product(a_column | 16 << 16, d_column, 0x04100010), of_instruction,
     "A must begin in the lane in which D begins, 0, not 16"},
    {"shift_of_a_with_half_the_lanes",
     multiply(with(product_of(a_column, d_column, 0x04100010), [](auto& operation) { operation.shift_a = true; })), of_instruction,
     ".ashift with .cta_group::1 needs M = 128, not 64"},
    {"matrix_with_a_reserved_bit",
     multiply(with(product_of(a_column, d_column), [](auto& operation) { operation.b_descriptor |= std::uint64_t{1} << 14; })),
     of_instruction, "B: "},
    {"copy_to_a_lane", copy("128x256b", 32 << 16 | a_column, rows_to_copy.descriptor()), of_instruction,
     "the destination lane of .128x256b must be 0, not 32"},
    {"shift_in_a_lane", shift(31 << 16 | a_column), of_instruction, "the lane of a shift must be a multiple of 32, not 31"},
    {"factors_outside_of_the_window",
     multiply(with(product_of(a_column, d_column),
                   [](auto& operation) {
                     operation.b_descriptor = canonical_matrix{0x3000, 128, 0x1000}.descriptor();
                   })),
     "/tc/tensor/window", "passes the end of the CTA's window of 32768 bytes"},
    {"copy_from_outside_of_the_window", copy_rows(), "/tc/tensor/window", "a matrix from 0x8000 to 0x9000 of shared memory passes"},
    {"commit_to_no_mbarrier", commit(0x410), "/tc/tensor/barrier", "mbarrier.init comes first"},
};

INSTANTIATE_TEST_SUITE_P(of, tensor_engine_mistake, testing::ValuesIn(mistakes), [](const auto& of) { return of.param.name; });

TEST_P(tensor_engine_mistake, is_an_error_with_instruction_and_rule) {
  const mistake_case& of = GetParam();
  const std::string text = kernel_header(1, 1, fmt::format("shared 32768\nshared-memory 0x1000 {} zero\n", 32768 - 0x1000), "sm_100") +
                           cta_line(0) + warp_line(0) + allocate(256) + of.instructions + pause(500) + deallocate(0, 256) + leave;
  const std::string instruction = of.instructions.substr(0, of.instructions.find(" mask"));
  EXPECT_THROW(
      try { result_of(text); } catch (const sc_core::sc_report& report) {
        const std::string message = report.get_msg();
        EXPECT_STREQ(report.get_msg_type(), of.type);
        EXPECT_NE(message.find(of.part), std::string::npos) << message;
        EXPECT_NE(message.find("line 11: " + instruction), std::string::npos) << message;
        throw;
      },
      sc_core::sc_report);
}

/// The `cta`th of two CTAs of one warp, which allocate half of the columns each, the first one before the other.
std::string half_of_columns(unsigned cta, const std::string& registers, const std::string& body) {
  return cta_line(cta) + warp_line(0) + registers + pause(300 * cta) + allocate(256) + pause(300 * (1 - cta)) + body +
         deallocate(256 * cta, 256) + leave;
}

TEST(tensor_engine_mistake, is_an_access_to_columns_of_another_cta) {
  const std::string text = header(2) + half_of_columns(0, "", pause(2000)) + half_of_columns(1, "", shift(256) + shift(0) + pause(500));
  EXPECT_THROW(
      try { result_of(text, {"sms=1"}); } catch (const sc_core::sc_report& report) {
        EXPECT_STREQ(report.get_msg_type(), of_instruction);
        EXPECT_NE(std::string(report.get_msg()).find("[0x0]: columns 0 to 7 of lanes 0 to 127: the CTA has not allocated"),
                  std::string::npos)
            << report.get_msg();
        throw;
      },
      sc_core::sc_report);
}

// Each CTA has doubled other elements of B: eight of those that make its first column.
TEST(tensor_mma, of_two_ctas_of_an_sm_uses_the_memory_of_each) {
  constexpr canonical_matrix a_matrix{0x2000, 128, 256};
  constexpr std::array<std::uint32_t, 2> factors{0x3c003c00, 0x40004000}, sums{0x41800000, 0x41C00000};  // 1 and 2 in f16; 16 and 24 in f32
  std::string ones(2 * 0x2000, 'c');
  for (std::size_t i = 0; i < ones.size(); i += 4) ones.replace(i, 4, "003c");
  std::string text = kernel_header(
      2, 1,
      "shared 16384\nshared-memory 0x1000 8192 hex " + ones + "\n" + expectation(2, [&](unsigned, unsigned cta) { return sums.at(cta); }),
      "sm_100");
  for (unsigned cta = 0; cta < 2; ++cta) {
    isa::tensor_mma_operation operation = product_of(0, 256 * cta);
    operation.a_in_tensor_memory = operation.enable_input_d = false;
    operation.a_descriptor = a_matrix.descriptor();
    const std::string registers = fmt::format("reg R2 0x0\nreg R3 0x0\nreg R8 {:#x}\n", factors.at(cta));
    std::string body = "mbarrier.init.shared::cta.b64 [0x410], 1 mask 00000001\n";
    body += fmt::format("/*0300*/ STS [R2], R8 @ {:#x}+4\n", b_matrix.start) + proxy_fence + multiply(operation) + commit(0x410);
    body += "mbarrier.try_wait.parity.shared::cta.b64 [0x410], 0\n" + load_column(256 * cta) + wait_for_loads;
    body += fmt::format("/*0400*/ STG.E [R2.64], R{} @ {:#x}+4\n", loaded, results + 128 * cta);
    text += half_of_columns(cta, registers, body);
  }
  expect_finished(result_of(text, {"sms=1"}));
}

}  // namespace
}  // namespace tc::device::test::tensor::tensor_order_run_test
