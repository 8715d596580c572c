// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/machine_loader.hpp>
#include <tc/config/make_dot_product.hpp>
#include <tc/execution/quad_pair_product.hpp>
#include <tc/execution/register_product.hpp>
#include <tc/execution/sparse_product.hpp>
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

/// What a sparse product has of its operands, made at random: of each four elements of a row of A two, and metadata that say which. A tf32
/// is two units, so that a half of the metadata's pairs name the two halves of one element.
class sparse_matrices : public testing::TestWithParam<const char*> {};

TEST_P(sparse_matrices, multiply_the_elements_that_are_there) {
  const auto found = execution::parse_sparse(std::string(GetParam()) + " R16, R4, R8, R12, R0, 0x0", isa::architecture::sm_89);
  ASSERT_TRUE(found);
  const isa::mma_operation whole = found->operands.mma;
  isa::mma_operation stored = whole;
  stored.k = static_cast<std::uint16_t>(whole.k / 2);
  const unsigned bits = isa::bits(whole.a), unit_bits = bits > 8 ? 16 : 8, units = stored.k * bits / unit_bits;
  std::mt19937 random(2);
  fragment_values a(stored, isa::fragment::a), b(whole, isa::fragment::b), c(whole, isa::fragment::c), d(whole, isa::fragment::d);
  std::vector<std::vector<std::int64_t>> right(whole.k, std::vector<std::int64_t>(whole.n));
  const auto value_of = [](std::uint64_t pattern, isa::element_type type) -> std::int64_t {
    const numerics::number_format& format = isa::format_of(type);
    if (!format.is_floating_point()) return numerics::integer_value(pattern, format);
    const numerics::unpacked_number number = numerics::unpack(pattern << format.ignored_bits, format);
    const double magnitude = std::ldexp(static_cast<double>(number.significand), number.exponent - static_cast<int>(format.fraction_bits));
    return static_cast<std::int64_t>(number.category == numerics::number_class::zero ? 0 : number.negative ? -magnitude : magnitude);
  };
  const auto stored_bits = [](std::uint64_t pattern, isa::element_type type) { return pattern << isa::format_of(type).ignored_bits; };
  for (unsigned k = 0; k < whole.k; ++k)
    for (unsigned column = 0; column < whole.n; ++column) {
      const std::uint64_t pattern = small_number(random, whole.b);
      right[k][column] = value_of(pattern, whole.b);
      b.set(k, column, stored_bits(pattern, whole.b));
    }
  warp::lane_vector metadata{};
  std::vector<std::vector<std::int64_t>> expected(whole.m, std::vector<std::int64_t>(whole.n));
  for (unsigned row = 0; row < whole.m; ++row) {
    for (unsigned group = 0; group < units / 2; ++group) {
      static constexpr unsigned pairs[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
      const unsigned* const pair = pairs[bits == 32 ? (random() % 2 == 0 ? 0 : 5) : random() % 6];
      // The figures of the PTX ISA, mma.sp: which lane and bits are about which row and columns.
      const unsigned unit = 2 * group, quad = row % 8 * 4;
      const bool is_upper = row >= 8;
      const unsigned lane = unit_bits == 16 ? quad + unit / 8 : quad + unit / 16 * 2 + (is_upper ? 1 : 0);
      const unsigned bit = unit_bits == 16 ? unit % 8 * 2 + (is_upper ? 16 : 0) : unit % 16 * 2;
      metadata[lane] |= (pair[0] | pair[1] << 2) << bit;
      const unsigned elements = 2 * unit_bits / bits;
      for (unsigned e = 0; e < elements; ++e) {
        const unsigned per_unit = unit_bits > bits ? unit_bits / bits : 1, at = 2 * unit * unit_bits / bits;
        const unsigned k = bits == 32 ? at + pair[0] / 2 : at + pair[e / per_unit] * per_unit + e % per_unit;
        const std::uint64_t pattern = small_number(random, whole.a);
        a.set(row, unit * unit_bits / bits + e, stored_bits(pattern, whole.a));
        for (unsigned column = 0; column < whole.n; ++column) expected[row][column] += value_of(pattern, whole.a) * right[k][column];
      }
    }
    for (unsigned column = 0; column < whole.n; ++column) {
      const std::uint64_t pattern = small_number(random, whole.c);
      c.set(row, column, pattern);
      expected[row][column] += value_of(pattern, whole.c);
    }
  }
  const std::string_view opcode = GetParam();
  static const config::machine ada = config::load_machine(std::string(TC_SOURCE_DIR) + "/configs/ada.json");
  const config::arithmetic_parameters& arithmetic = opcode.front() == 'Q' ? ada.sm.sub_core.tensor_core.arithmetic : hopper();
  execution::sparse_product(found->operands, arithmetic)
      .multiply(a.registers().data(), b.registers().data(), c.registers().data(), metadata, d.registers().data());
  for (unsigned row = 0; row < whole.m; ++row)
    for (unsigned column = 0; column < whole.n; ++column)
      EXPECT_EQ(value_of(d.get(row, column), whole.d), expected[row][column]) << row << ", " << column;
}

INSTANTIATE_TEST_SUITE_P(forms, sparse_matrices,
                         testing::Values("HMMA.SP.16816.F16", "HMMA.SP.16816.F32", "HMMA.SP.16832.F32.BF16", "HMMA.SP.1688.F32.TF32",
                                         "HMMA.SP.16816.F32.TF32", "HMMA.SP.16832.F16", "IMMA.SP.16832.S8.S8", "IMMA.SP.16864.U8.S8",
                                         "IMMA.SP.16864.S4.S4", "IMMA.SP.168128.U4.S4.SAT", "QMMA.SP.16864.F32.E4M3.E5M2"));

TEST(sparse_text, names_registers_and_selector) {
  const auto found = execution::parse_sparse("@P1 IMMA.SP.16832.S8.S8.SAT R8, R8.ROW, R10.COL, R4, R3, 0x1", isa::architecture::sm_80);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->operands.d, 8);
  EXPECT_EQ(found->operands.b, 10);
  EXPECT_EQ(found->operands.c, 4);
  EXPECT_EQ(found->operands.metadata, 3);
  EXPECT_EQ(found->operands.selector, 1);
  EXPECT_TRUE(found->operands.mma.saturate);
  EXPECT_EQ(found->code.guard.index, 1);
  EXPECT_FALSE(execution::parse_sparse("HMMA.16816.F32 R0, R4, R8, R0", isa::architecture::sm_80));
  for (const char* text : {"HMMA.SP.16864.F32 R8, R4, R8, R12, R0, 0x0", "HMMA.SP.16832.F32 R8, R4, R8, R12, R0, 0x4",
                           "HMMA.SP.16832.F32 R8, R4, R8, R12", "HMMA.SP.16832.F32 R8, R4, UR8, R12, R0, 0x0"})
    EXPECT_THROW(execution::parse_sparse(text, isa::architecture::sm_80), std::invalid_argument) << text;
}

class quad_pairs : public testing::TestWithParam<const char*> {};

/// The steps of HMMA.884 one after the other: four products of 8 x 8 x 4 (PTX ISA, mma.m8n8k4).
TEST_P(quad_pairs, multiply_four_matrices_in_steps) {
  const std::string types = GetParam();
  const bool is_f32 = types.substr(0, 3) == "F32";
  const unsigned steps = is_f32 ? 4 : 2;
  std::mt19937 random(3);
  int a[4][8][4], b[4][4][8], c[4][8][8];
  std::vector<warp::lane_vector> a_registers(2), b_registers(2), c_registers(8), d_registers(8);
  static const config::machine turing = config::load_machine(std::string(TC_SOURCE_DIR) + "/configs/turing.json");
  const auto small = [&random] { return static_cast<int>(random() % 5) - 2; };
  const auto half_of = [](int value) {
    static constexpr std::uint32_t patterns[] = {0xc000, 0xbc00, 0, 0x3c00, 0x4000};
    return patterns[value + 2];
  };
  for (unsigned q = 0; q < 4; ++q) {
    for (auto& row : a[q])
      for (int& element : row) element = small();
    for (auto& row : b[q])
      for (int& element : row) element = small();
    for (auto& row : c[q])
      for (int& element : row) element = small();
  }
  // Lane l: quad pair l / 4 % 4; its upper half of lanes has rows 4 to 7 of A and columns 4 to 7 of B.
  const auto set_half = [](std::uint32_t& word, unsigned half, std::uint32_t value) { word |= value << 16 * half; };
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned q = lane / 4 % 4, line = lane % 4 + lane / 16 * 4;
    for (unsigned k = 0; k < 4; ++k) {
      set_half(a_registers[k / 2][lane], k % 2, half_of(a[q][line][k]));
      set_half(b_registers[k / 2][lane], k % 2, half_of(b[q][k][line]));
    }
  }
  const auto accumulator = [](unsigned lane, unsigned i, bool f32, unsigned& row, unsigned& column) {
    row = f32 ? (lane & 1U) + (i & 2U) + lane / 16 * 4 : lane % 4 + lane / 16 * 4;
    column = f32 ? (i & 4U) + (lane & 2U) + (i & 1U) : i;
  };
  const bool c_is_f32 = types == "F32.F32";
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 8; ++i) {
      unsigned row, column;
      accumulator(lane, i, c_is_f32, row, column);
      const int value = c[lane / 4 % 4][row][column];
      const auto as_float = static_cast<float>(value);
      if (c_is_f32)
        std::memcpy(&c_registers[i][lane], &as_float, 4);
      else
        set_half(c_registers[i / 2][lane], i % 2, half_of(value));
    }
  for (unsigned step = 0; step < steps; ++step) {
    const isa::instruction code =
        isa::parse_operation("HMMA.884." + types + ".STEP" + std::to_string(step) + " R16, R4.ROW, R6.COL, R8", isa::architecture::sm_75);
    const unsigned first_c = c_is_f32 == is_f32 ? 2 * step : step / 2 * 2;
    execution::quad_pair_product(*code.mma, turing.sm.sub_core.tensor_core.arithmetic)
        .multiply(a_registers.data(), b_registers.data(), &c_registers[first_c], &d_registers[2 * step]);
  }
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 8; ++i) {
      unsigned row, column;
      accumulator(lane, i, is_f32, row, column);
      const unsigned q = lane / 4 % 4;
      int expected = c[q][row][column];
      for (unsigned k = 0; k < 4; ++k) expected += a[q][row][k] * b[q][k][column];
      float value;
      std::memcpy(&value, &d_registers[i][lane], 4);
      if (!is_f32) {
        const std::uint64_t half = d_registers[i / 2][lane] >> 16 * (i % 2) & 0xffffU;
        const numerics::unpacked_number number = numerics::unpack(half, numerics::f16);
        value = std::ldexp(static_cast<float>(number.significand), number.exponent - 10) * (number.negative ? -1.0F : 1.0F);
      }
      EXPECT_EQ(value, static_cast<float>(expected)) << lane << ", " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(forms, quad_pairs, testing::Values("F32.F32", "F32.F16", "F16.F16"));

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
