// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tensor_mma_bench.hpp"

namespace tc::engine::test::tensor_mma_plan_test {
namespace {

using kind = isa::mma_kind;
using type = isa::element_type;
using isa::matrix_major;
using isa::scale_vector;
using isa::swizzle_mode;
using isa::tensor_cells;
constexpr auto one = isa::cta_group::one, two = isa::cta_group::two;
constexpr std::uint32_t all = ~0U;

isa::instruction_descriptor describe(type a, type b, type d, unsigned m, unsigned n) {
  isa::instruction_descriptor descriptor;
  descriptor.a = a;
  descriptor.b = b;
  descriptor.d = d;
  descriptor.m = m;
  descriptor.n = n;
  return descriptor;
}

isa::instruction_descriptor halves(unsigned m, unsigned n) { return describe(type::f16, type::f16, type::f32, m, n); }

isa::instruction_descriptor nibbles(unsigned m, unsigned n) {
  isa::instruction_descriptor descriptor = describe(type::e2m1, type::e2m1, type::f32, m, n);
  descriptor.scale_type = type::ue8m0;
  return descriptor;
}

isa::instruction_descriptor sparse(isa::instruction_descriptor descriptor) {
  descriptor.sparse = true;
  return descriptor;
}

isa::instruction_descriptor transposed(isa::instruction_descriptor descriptor, bool a, bool b) {
  if (a) descriptor.a_major = matrix_major::mn;
  if (b) descriptor.b_major = matrix_major::mn;
  return descriptor;
}

bool is_same(const tensor_cells& x, const tensor_cells& y) { return x.lanes == y.lanes && x.columns == y.columns; }

TEST(TensorMmaPlan, ReadsAKStepOfEachMatrix) {
  const tensor_mma_plan plain(make_operation({kind::f16}, halves(128, 256), false));
  EXPECT_EQ(plain.shared_a()->place.rows(), 128U);
  EXPECT_EQ(plain.shared_a()->row_bytes(), 32U);
  EXPECT_EQ(plain.shared_b().place.rows(), 256U);
  EXPECT_EQ(plain.k(), 16U);
  const tensor_mma_plan pair(make_operation({kind::f16, two}, halves(256, 48), false));
  EXPECT_EQ(pair.shared_a()->place.rows(), 128U);
  EXPECT_EQ(pair.shared_b().place.rows(), 24U) << "each CTA has half of the columns";
  const tensor_mma_plan twice(make_operation({kind::f16, one, false, true}, sparse(halves(128, 8)), false));
  EXPECT_EQ(twice.shared_a()->row_bytes(), 32U);
  EXPECT_EQ(twice.shared_b().row_bytes(), 64U);
  EXPECT_EQ(twice.k(), 32U);
  const tensor_mma_plan in_cells(make_operation({kind::f16}, halves(128, 8), true));
  EXPECT_FALSE(in_cells.shared_a());
}

TEST(TensorMmaPlan, GivesSmallElementsOfUnscaledBytesAByteEach) {
  using decompression = isa::tensor_copy_decompression;
  const tensor_mma_plan bytes(make_operation({kind::f8f6f4}, describe(type::e2m1, type::e3m2, type::f32, 128, 8), false));
  EXPECT_EQ(bytes.shared_a()->decompression, decompression::b4x16_p64);
  EXPECT_EQ(bytes.shared_b().decompression, decompression::b6x16_p32);
  EXPECT_EQ(bytes.shared_a()->place.k(), 32U);
  const tensor_mma_plan packed(make_operation({kind::mxf4, one, false, false, scale_vector::x2}, nibbles(128, 8), false));
  EXPECT_EQ(packed.shared_a()->decompression, decompression::none);
  EXPECT_EQ(packed.shared_a()->row_bytes(), 32U) << "of 64 elements";
}

TEST(TensorMmaPlan, ReadsWholeCoreMatricesOfAShiftedB) {
  const isa::mma_form stationary{kind::f16, one, true}, bytes{kind::i8, one, true};
  isa::tensor_mma_operation operation = make_operation(stationary, halves(64, 64), false);
  operation.zero_column_mask = std::uint64_t{5} << 56;
  EXPECT_EQ(tensor_mma_plan(operation).first_column(), 5U);
  EXPECT_EQ(tensor_mma_plan(operation).shared_b().place.rows(), 72U);
  operation = make_operation(bytes, transposed(describe(type::s8, type::s8, type::s32, 64, 64), false, true), false);
  operation.zero_column_mask = std::uint64_t{5} << 56;
  EXPECT_EQ(tensor_mma_plan(operation).shared_b().place.rows(), 80U);
}

TEST(TensorMmaPlan, TellsTheCellsOfD) {
  isa::tensor_mma_operation operation = make_operation({kind::f16}, halves(64, 24), false);
  operation.d = isa::encode(isa::tensor_address{16, 100});
  const auto cells_of_d = [&operation](unsigned cta) { return tensor_mma_plan(operation).cells(tensor_operand::d, cta); };
  ASSERT_EQ(cells_of_d(0).size(), 1U);
  EXPECT_TRUE(is_same(cells_of_d(0)[0], {{0xffff0000, 0xffff0000, 0xffff0000, 0xffff0000}, {100, 24}}));
  operation.disabled_lanes = {0x80000001, 0, 0, 0x00010000};
  EXPECT_TRUE(is_same(cells_of_d(0)[0], {{0x7fff0000, 0xffff0000, 0xffff0000, 0xfffe0000}, {100, 24}}));
  operation = make_operation({kind::f16, two}, halves(128, 64), false);
  operation.disabled_lanes = {0, 0, 0, 0, 1, 2, 4, 8};
  EXPECT_TRUE(is_same(cells_of_d(0)[0], isa::all_lanes({0, 32})));
  EXPECT_TRUE(is_same(cells_of_d(1)[0], {{all - 1, all - 2, all - 4, all - 8}, {0, 32}}));
}

TEST(TensorMmaPlan, TellsTheCellsOfOperands) {
  const tensor_mma_plan quarter(make_operation({kind::f16}, halves(64, 24), true));
  EXPECT_TRUE(is_same(quarter.cells(tensor_operand::a, 0).at(0), {{0xffff, 0xffff, 0xffff, 0xffff}, {300, 8}}));
  EXPECT_TRUE(quarter.cells(tensor_operand::scale_a, 0).empty());
  EXPECT_EQ(quarter.columns(tensor_operand::metadata).count, 0U);

  const tensor_mma_plan scaled(make_operation({kind::mxf4, one, false, true, scale_vector::x2}, sparse(nibbles(128, 40)), false));
  EXPECT_TRUE(scaled.cells(tensor_operand::a, 0).empty());
  EXPECT_TRUE(is_same(scaled.cells(tensor_operand::metadata, 0).at(0), isa::all_lanes({310, 2})));
  ASSERT_EQ(scaled.cells(tensor_operand::scale_a, 0).size(), 1U);
  EXPECT_TRUE(is_same(scaled.cells(tensor_operand::scale_a, 0)[0], isa::all_lanes({320, 4})));
  ASSERT_EQ(scaled.cells(tensor_operand::scale_b, 0).size(), 2U);
  EXPECT_TRUE(is_same(scaled.cells(tensor_operand::scale_b, 0)[0], isa::all_lanes({330, 1})));
  EXPECT_TRUE(is_same(scaled.cells(tensor_operand::scale_b, 0)[1], {{0xff, 0xff, 0xff, 0xff}, {331, 1}}));
}

TEST(TensorCells, OverlapInACellOnly) {
  const tensor_cells low{{1, 0, 0, 2}, {10, 2}};
  EXPECT_TRUE(overlap(low, {{0, 0, 0, 6}, {11, 5}}));
  EXPECT_FALSE(overlap(low, {{2, all, all, 1}, {10, 2}})) << "other lanes";
  EXPECT_FALSE(overlap(low, {{all, all, all, all}, {12, 1}})) << "other columns";
}

/// An operation that breaks a rule.
struct wrong_operation {
  const char* words;  ///< of the refusal
  isa::tensor_mma_operation operation;
};

using change = std::function<void(isa::tensor_mma_operation&)>;

isa::tensor_mma_operation changed(isa::tensor_mma_operation operation, const change& by) {
  by(operation);
  return operation;
}

std::vector<wrong_operation> wrong_operations() {
  using operation = isa::tensor_mma_operation;
  const isa::mma_form f16{kind::f16}, tf32{kind::tf32}, f8{kind::f8f6f4}, i8{kind::i8}, stationary{kind::f16, one, true},
      pair{kind::f16, two}, thin{kind::f16, one, false, true}, mxf4{kind::mxf4, one, false, false, scale_vector::x2};
  const operation good = make_operation(f16, halves(128, 64), false), in_cells = make_operation(f16, halves(128, 64), true),
                  scaled = make_operation(mxf4, nibbles(128, 64), false), masked = make_operation(stationary, halves(64, 64), false),
                  short_tile = make_operation(f16, halves(64, 64), true), few = make_operation(thin, sparse(halves(128, 64)), false);
  const isa::instruction_descriptor tf32_types = describe(type::tf32, type::tf32, type::f32, 128, 64),
                                    f8_types = describe(type::e4m3, type::e4m3, type::f32, 128, 64);
  const auto at = [](unsigned lane, unsigned column) { return isa::encode(isa::tensor_address{lane, column}); };
  const auto swizzled = [](unsigned code) { return 0x0000404000010400 | std::uint64_t{code} << 61; };
  return {
      {"a reserved field", changed(good, [](operation& o) { o.descriptor |= 1U << 6; })},
      {"sparsity in the instruction descriptor", changed(good, [](operation& o) { o.form.sparse = true; })},
      {"must be 64 or 128", changed(good, [](operation& o) { o.descriptor = (o.descriptor & ~(31U << 24)) | 2U << 24; })},
      {"N in the instruction", changed(make_operation(i8, describe(type::u8, type::u8, type::s32, 128, 64), false),
                                       [](operation& o) { o.descriptor = (o.descriptor & ~(63U << 17)) | 5U << 17; })},
      {"as B is transposed", changed(make_operation(f8, transposed(f8_types, false, true), false),
                                     [](operation& o) { o.descriptor = (o.descriptor & ~(63U << 17)) | 3U << 17; })},
      {"integers are not negated", changed(make_operation(i8, describe(type::u8, type::u8, type::s32, 128, 64), false),
                                           [](operation& o) { o.descriptor |= 1U << 13; })},
      {"the tensor memory address 0x800000", changed(good, [](operation& o) { o.d = 0x800000; })},
      {"the lane of D must be 0, not 16", changed(good, [&](operation& o) { o.d = at(16, 0); })},
      {"columns 480 to 543 of D", changed(good, [&](operation& o) { o.d = at(0, 480); })},
      {"columns 505 to 512 of A", changed(in_cells, [&](operation& o) { o.a_address = at(0, 505); })},
      {"A must begin in the lane in which D begins, 0, not 16", changed(short_tile, [&](operation& o) { o.a_address = at(16, 300); })},
      {"M = 64 lies in tensor memory is not published", changed(masked, [](operation& o) { o.a_in_tensor_memory = true; })},
      {"it is not transposed", make_operation(f16, transposed(halves(128, 64), true, false), true)},
      {"A: bits 46 to 48", changed(good, [](operation& o) { o.a_descriptor = 0; })},
      {"B: the swizzle", changed(good, [&](operation& o) { o.b_descriptor = swizzled(3); })},
      {"A: no K-major matrix is swizzled in 32 bytes", changed(good, [&](operation& o) { o.a_descriptor = swizzled(1); })},
      {"B: no transposed matrix of .kind::f16 is swizzled in 32 bytes",
       changed(make_operation(f16, transposed(halves(128, 64), false, true), false), [&](operation& o) { o.b_descriptor = swizzled(1); })},
      {"A: a transposed matrix of .kind::tf32 must be swizzled in 32 bytes",
       changed(make_operation(tf32, transposed(tf32_types, true, false), false), [&](operation& o) { o.a_descriptor = swizzled(2); })},
      {"B: where rows of 64 bytes lie that are swizzled in 32 bytes", changed(few, [&](operation& o) { o.b_descriptor = swizzled(6); })},
      {".ashift needs A in tensor memory", changed(good, [](operation& o) { o.shift_a = true; })},
      {".ashift with .cta_group::1 needs M = 128, not 64", changed(short_tile, [](operation& o) { o.shift_a = true; })},
      {".ashift with .cta_group::2 needs M = 256, not 128",
       changed(make_operation(pair, halves(128, 64), true), [](operation& o) { o.shift_a = true; })},
      {"not for .kind::f8f6f4", changed(make_operation(f8, f8_types, false), [](operation& o) { o.scale_input_d = 1; })},
      {"a zero-column mask is for .ws", changed(good, [](operation& o) { o.zero_column_mask = 0; })},
      {"the column shift of the zero-column mask", changed(masked, [](operation& o) { o.zero_column_mask = std::uint64_t{33} << 56; })},
      {"the disabled lanes of 1 CTAs are 4 words, not 8", changed(good, [](operation& o) { o.disabled_lanes.resize(8); })},
      {"the lane of scales must be 0", changed(scaled, [&](operation& o) { o.scale_a = at(32, 320); })},
      {"columns 511 to 512 of scales", changed(scaled, [&](operation& o) { o.scale_b = at(0, 511); })},
      {"the lane of sparsity metadata", changed(few, [&](operation& o) { o.metadata = at(16, 310); })},
      {"M = 128 and two CTAs lies is not published", make_operation({kind::f16, two, false, true}, sparse(halves(128, 64)), false)},
  };
}

TEST(TensorMmaPlan, RefusesWhatBreaksARule) {
  for (const wrong_operation& each : wrong_operations()) {
    try {
      const tensor_mma_plan plan(each.operation);
      ADD_FAILURE() << "taken, in spite of: " << each.words;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(each.words), std::string::npos) << each.words << "\n" << error.what();
    }
  }
}

}  // namespace
}  // namespace tc::engine::test::tensor_mma_plan_test
