// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/machine_loader.hpp>
#include <tc/config/make_dot_product.hpp>
#include <tc/execution/register_product.hpp>
#include <tc/execution/warpgroup_product.hpp>
#include <tc/isa/fragment_layout.hpp>
#include <tc/isa/instruction_parser.hpp>

namespace tc::matrices_test {

const config::arithmetic_parameters& hopper() {
  static const config::machine machine = config::load_machine(std::string(TC_SOURCE_DIR) + "/configs/hopper.json");
  return machine.sm.sub_core.tensor_core.arithmetic;
}

using fragment_registers = std::vector<warp::lane_vector>;

/// Registers that hold elements by row and column, as the layout has them.
class fragment_values {
 public:
  fragment_values(const isa::mma_operation& mma, isa::fragment which)
      : layout_(mma, which), format_(isa::format_of(isa::type_of(mma, which))), registers_(layout_.registers()) {}

  void set(unsigned row, unsigned column, std::uint64_t bits) {
    for (const isa::fragment_element& at : layout_.holders(row, column)) {
      std::uint32_t& word = registers_[at.reg][at.lane];
      const unsigned shift = at.element * format_.storage_bits % 32;
      const auto mask = static_cast<std::uint32_t>(format_.storage_mask()) << shift;
      word = (word & ~mask) | (static_cast<std::uint32_t>(bits) << shift & mask);
      if (format_.storage_bits == 64) registers_[at.reg + 1][at.lane] = static_cast<std::uint32_t>(bits >> 32U);
    }
  }
  std::uint64_t get(unsigned row, unsigned column) const {
    const isa::fragment_element at = *layout_.holder(row, column);
    const std::uint64_t low = registers_[at.reg][at.lane] >> at.element * format_.storage_bits % 32;
    if (format_.storage_bits == 64) return low | std::uint64_t{registers_[at.reg + 1][at.lane]} << 32U;
    return low & format_.storage_mask();
  }

  fragment_registers& registers() { return registers_; }

 private:
  isa::fragment_layout layout_;
  const numerics::number_format& format_;
  fragment_registers registers_;
};

/// Small numbers that a format has: sums of their products are exact, so that any order gives them.
std::uint64_t small_number(std::mt19937& random, isa::element_type type) {
  const int value = static_cast<int>(random() % 5) - 2;
  const numerics::number_format& format = isa::format_of(type);
  if (!format.is_floating_point()) return static_cast<std::uint64_t>(value) & format.storage_mask();
  if (value == 0) return 0;
  const bool is_two = value == 2 || value == -2;
  const std::uint64_t magnitude = static_cast<std::uint64_t>(format.bias + (is_two ? 1 : 0)) << format.fraction_bits;
  return magnitude | (value < 0 ? format.sign_bit() : 0);
}

class register_matrices : public testing::TestWithParam<const char*> {};

TEST_P(register_matrices, multiply_as_the_dot_product_does) {
  const isa::instruction code = isa::parse_operation(std::string(GetParam()) + " R16, R4, R8, R12", isa::architecture::sm_90);
  const isa::mma_operation& mma = *code.mma;
  std::mt19937 random(1);
  fragment_values a(mma, isa::fragment::a), b(mma, isa::fragment::b), c(mma, isa::fragment::c), d(mma, isa::fragment::d);
  std::vector<std::vector<std::uint64_t>> rows(mma.m), columns(mma.n);
  for (unsigned k = 0; k < mma.k; ++k) {
    for (unsigned row = 0; row < mma.m; ++row) a.set(row, k, rows[row].emplace_back(small_number(random, mma.a)));
    for (unsigned column = 0; column < mma.n; ++column) b.set(k, column, columns[column].emplace_back(small_number(random, mma.b)));
  }
  for (unsigned row = 0; row < mma.m; ++row)
    for (unsigned column = 0; column < mma.n; ++column) c.set(row, column, small_number(random, mma.c));
  execution::register_product(mma, hopper())
      .multiply(a.registers().data(), b.registers().data(), c.registers().data(), d.registers().data(), {});
  const numerics::dot_product unit =
      config::make_dot_product({isa::format_of(mma.a), isa::format_of(mma.b), isa::format_of(mma.d),
                                isa::format_of(mma.a).is_floating_point() ? numerics::dot_product_operation::float_sum
                                                                          : numerics::dot_product_operation::integer_wrap},
                               hopper());
  std::vector<std::uint32_t> packed_row(64), packed_column(64);
  for (unsigned row = 0; row < mma.m; ++row)
    for (unsigned column = 0; column < mma.n; ++column) {
      for (unsigned k = 0; k < mma.k; ++k) {
        numerics::set_packed_element(packed_row.data(), k, isa::format_of(mma.a), rows[row][k]);
        numerics::set_packed_element(packed_column.data(), k, isa::format_of(mma.b), columns[column][k]);
      }
      EXPECT_EQ(d.get(row, column), unit(packed_row.data(), packed_column.data(), mma.k, c.get(row, column))) << row << ", " << column;
    }
}

INSTANTIATE_TEST_SUITE_P(forms, register_matrices,
                         testing::Values("HMMA.16816.F32", "HMMA.1688.F32", "HMMA.16816.F16", "HMMA.16816.F32.BF16", "HMMA.1688.F32.TF32",
                                         "IMMA.16832.S8.S8", "IMMA.8816.U8.S8", "DMMA.8x8x4"));

TEST(warpgroup_text, names_shape_types_operands_and_layout) {
  const auto found =
      execution::parse_warpgroup("@!UP1 HGMMA.64x128x16.F32.BF16 R24, gdesc[UR12].tnspB, R24, !UPT, gsb0", isa::architecture::sm_90);
  ASSERT_TRUE(found && found->operation);
  const execution::warpgroup_operands& operands = *found->operation;
  EXPECT_EQ(operands.matrices.mma.n, 128);
  EXPECT_EQ(operands.matrices.mma.a, isa::element_type::bf16);
  EXPECT_EQ(operands.matrices.mma.d, isa::element_type::f32);
  EXPECT_FALSE(operands.matrices.a_in_registers);
  EXPECT_EQ(operands.matrices.b_major, isa::matrix_major::mn);
  EXPECT_EQ(operands.descriptors, 12);
  EXPECT_TRUE(operands.has_condition && operands.condition_is_inverted);
  EXPECT_EQ(found->code.guard.file, isa::register_file::uniform_predicate);
  const auto from_registers = execution::parse_warpgroup("HGMMA.64x64x16.F32 R56, R88, gdesc[UR8].tnspB, R56", isa::architecture::sm_90);
  ASSERT_TRUE(from_registers && from_registers->operation);
  EXPECT_TRUE(from_registers->operation->matrices.a_in_registers);
  EXPECT_EQ(from_registers->operation->a, 88);
}

TEST(warpgroup_text, names_types_of_8_bits) {
  const auto types = [](const char* text) { return execution::parse_warpgroup(text, isa::architecture::sm_90)->operation->matrices.mma; };
  EXPECT_EQ(types("QGMMA.64x8x32.F32.E4M3.E5M2 R24, gdesc[UR4], R24").a, isa::element_type::e4m3);
  EXPECT_EQ(types("QGMMA.64x8x32.F32.E4M3.E5M2 R24, gdesc[UR4], R24").b, isa::element_type::e5m2);
  EXPECT_EQ(types("IGMMA.64x8x32.S8.U8.SAT R28, gdesc[UR4], RZ, !UPT, gsb0").d, isa::element_type::s32);
  EXPECT_TRUE(types("IGMMA.64x8x32.S8.U8.SAT R28, gdesc[UR4], RZ, !UPT, gsb0").saturate);
  EXPECT_THROW(types("IGMMA.64x8x16.S8.S8 R28, gdesc[UR4], RZ"), std::invalid_argument);
  EXPECT_THROW(types("QGMMA.64x8x32.F32.BF16 R28, gdesc[UR4], R28"), std::invalid_argument);
}

/// Shared memory without swizzle: core matrices of eight rows of 16 bytes. A is all ones, B counts columns; D is K times them.
TEST(warpgroup_product, multiplies_bytes_in_shared_memory) {
  const auto found = execution::parse_warpgroup("IGMMA.64x8x32.S8.S8 R24, gdesc[UR4], RZ, !UPT", isa::architecture::sm_90);
  const execution::warpgroup_product product(*found->operation, hopper());
  std::vector<std::uint8_t> shared(4096, 1);
  for (unsigned column = 0; column < 8; ++column)
    for (unsigned k = 0; k < 32; ++k) shared[2048 + k / 16 * 128 + column * 16 + k % 16] = static_cast<std::uint8_t>(column);
  execution::warpgroup_product::values values;
  values.shared = shared.data();
  values.shared_bytes = shared.size();
  values.a.leading_bytes = values.b.leading_bytes = 128;
  values.a.stride_bytes = values.b.stride_bytes = 256;
  values.b.start = 2048;
  values.accumulate = false;
  std::vector<warp::lane_vector> d(4);
  EXPECT_FALSE(product.multiply(values, d.data(), d.data()));
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned reg = 0; reg < 4; ++reg) EXPECT_EQ(d[reg][lane], 32 * (lane % 4 * 2 + reg % 2)) << lane << ", " << reg;
  values.b.start = 4096;
  EXPECT_EQ(product.multiply(values, d.data(), d.data()), 4096U);
}

TEST(warpgroup_text, refuses_what_is_not_executed) {
  EXPECT_FALSE(execution::parse_warpgroup("UTMALDG.2D [UR4], [UR6]", isa::architecture::sm_90));
  for (const char* text :
       {"HGMMA.SP.64x64x32.F32 R24, gdesc[UR12], R24", "HGMMA.64x64x16.F32 R24, R24", "HGMMA.64x7x16.F32 R24, gdesc[UR4], R24"})
    EXPECT_THROW(execution::parse_warpgroup(text, isa::architecture::sm_90), std::invalid_argument) << text;
}

}  // namespace tc::matrices_test
