// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <engine/tensor_mma_cases.hpp>
#include <functional>

#include <gtest/gtest.h>

#include "canonical_matrix.hpp"
#include "tensor_kernel.hpp"

// Layouts, descriptors and masks of tcgen05.mma, as traces use them.

namespace tc::device::test::tensor::tensor_mma_run_test {
namespace {

using namespace engine::test;
using kind = isa::mma_kind;
using type = isa::element_type;
using isa::matrix_major;
using isa::scale_vector;

constexpr typed_kind f16_to_f32{};

std::uint32_t f32_bits(double value) { return bits_of(value, type::f32); }
std::uint32_t f16_bits(double value) { return bits_of(value, type::f16); }

/// An operation of kind f16 with D = 256 m + n; columns of B are counted from the first one in shared memory.
tensor_mma_bench numbered(const isa::tensor_mma_operation& operation) {
  tensor_mma_bench bench(operation);
  for (unsigned row = 0; row < bench.plan().m(); ++row)
    for (unsigned k = 0; k < 16; ++k) bench.set_a(row, k, f16_bits(k == 0 ? row : k == 1 ? 1 : 0));
  for (unsigned column = 0; column < bench.plan().first_column() + bench.plan().n(); ++column)
    for (unsigned k = 0; k < 16; ++k) bench.set_b(column, k, f16_bits(k == 0 ? 256 : k == 1 ? column : 0));
  return bench;
}

isa::tensor_mma_operation f16_operation(unsigned m, unsigned n, bool stationary = false, bool a_in_tensor_memory = false) {
  const isa::mma_form form{kind::f16, isa::cta_group::one, stationary};
  isa::tensor_mma_operation operation = make_operation(form, descriptor_of(f16_to_f32, m, n), a_in_tensor_memory);
  operation.enable_input_d = false;
  return operation;
}

struct layout_case {
  const char* name;
  unsigned m, n;
  bool stationary;
  unsigned first_lane;
  isa::tensor_address (*place)(unsigned row, unsigned column);  ///< of an element of D
  isa::accumulator_place element;                               ///< an example
  isa::tensor_address cell;                                     ///< and its place
};

class tensor_layout : public testing::TestWithParam<layout_case> {};

isa::tensor_address in_d(unsigned m, unsigned n) { return {m, n}; }
isa::tensor_address in_e(unsigned m, unsigned n) { return {m + n / 64 * 64, n % 64}; }
isa::tensor_address in_f(unsigned m, unsigned n) { return {m % 16 + m / 16 * 32, n}; }
isa::tensor_address in_f_from_16(unsigned m, unsigned n) { return {m % 16 + m / 16 * 32 + 16, n}; }
isa::tensor_address in_g(unsigned m, unsigned n) { return {m + n / 32 * 32, n % 32}; }

INSTANTIATE_TEST_SUITE_P(case_10, tensor_layout,
                         testing::Values(layout_case{"D", 128, 64, false, 0, in_d, {100, 40}, {100, 40}},
                                         layout_case{"E", 64, 128, true, 0, in_e, {40, 70}, {104, 6}},
                                         layout_case{"F", 64, 16, false, 0, in_f, {40, 7}, {72, 7}},
                                         layout_case{"F_from_lane_16", 64, 16, false, 16, in_f_from_16, {40, 7}, {88, 7}},
                                         layout_case{"G", 32, 128, true, 0, in_g, {5, 100}, {101, 4}}),
                         [](const auto& of) { return of.param.name; });

TEST_P(tensor_layout, has_the_elements_of_d) {
  const layout_case& of = GetParam();
  isa::tensor_mma_operation operation = f16_operation(of.m, of.n, of.stationary);
  operation.d |= of.first_lane << 16;
  tensor_kernel kernel = kernel_of(operation, numbered(operation));
  expect_finished(run(kernel));
  for (unsigned row = 0; row < of.m; ++row)
    for (unsigned column = 0; column < of.n; ++column)
      ASSERT_EQ(kernel.cell(of.place(row, column)), f32_bits(256 * row + column)) << row << ", " << column;
  EXPECT_EQ(of.place(of.element.row, of.element.column), of.cell);
}

TEST(tensor_mma, case_4_multiplies_what_it_then_shifts) {
  isa::tensor_mma_operation operation = f16_operation(128, 8, false, true);
  operation.shift_a = true;
  tensor_mma_bench bench(operation);
  for (unsigned k = 0; k < 16; ++k) {
    for (unsigned row = 0; row < 128; ++row) bench.set_a(row, k, f16_bits(k == 0 ? row : 0));
    for (unsigned column = 0; column < 8; ++column) bench.set_b(column, k, f16_bits(1));
  }
  const std::string first = multiply(operation);
  operation.enable_input_d = true;
  tensor_kernel kernel = kernel_of(first + multiply(operation) + multiply(operation), bench);
  expect_finished(run(kernel));
  for (const auto& [lane, sum] : {std::pair{0, 3}, {1, 6}, {29, 90}, {30, 92}, {31, 93}, {32, 99}, {62, 188}, {63, 189}, {127, 381}})
    EXPECT_EQ(kernel.cell({static_cast<unsigned>(lane), 7}), f32_bits(sum)) << lane;
  for (unsigned lane = 0; lane < 128; ++lane)
    EXPECT_EQ(kernel.cell({lane, 300}) & 0xffff, f16_bits(std::min(lane + 3, lane | 31))) << "A in lane " << lane;
}

TEST(tensor_mma, case_26_leaves_disabled_lanes_alone) {
  isa::tensor_mma_operation operation = f16_operation(128, 8);
  operation.disabled_lanes = {0x80000001, 0x00000001, 0, 0x80000000};
  tensor_mma_bench bench = numbered(operation);
  for (unsigned row = 0; row < 128; ++row) bench.set_c(row, 3, 7);
  tensor_kernel kernel = kernel_of(operation, bench);
  expect_finished(run(kernel));
  for (unsigned lane = 0; lane < 128; ++lane) {
    const bool disabled = lane == 0 || lane == 31 || lane == 32 || lane == 127;
    EXPECT_EQ(kernel.cell({lane, 3}), disabled ? 7 : f32_bits(256 * lane + 3)) << lane;
  }
}

// Of A, and of stationary weights.
TEST(tensor_mma, multiplies_what_a_collector_buffer_holds) {
  using use = isa::collector_use;
  std::vector<tensor_kernel> kernels;
  for (const bool stationary : {false, true}) {
    isa::tensor_mma_operation operation = f16_operation(64, 64, stationary);
    operation.collector = stationary ? 2 : 0;
    std::string instructions;
    for (const use next : {use::fill, use::use, use::last_use, use::use}) {
      operation.use = next;
      instructions += multiply(operation);
      operation.enable_input_d = true;
    }
    kernels.push_back(kernel_of(instructions, numbered(operation), static_cast<unsigned>(kernels.size())));
  }
  expect_finished(run(kernels));
  for (unsigned column = 0; column < 32; ++column) {
    EXPECT_EQ(kernels[0].cell(in_f(37, column)), f32_bits(4 * (256 * 37 + column))) << column;
    EXPECT_EQ(kernels[1].cell(in_e(37, column)), f32_bits(4 * (256 * 37 + column))) << column;
  }
}

struct mask_case {
  unsigned m;
  std::uint64_t descriptor;
  unsigned shift;
  std::vector<unsigned> parts;  ///< the first 16 columns of each part: a bit for each, 1 if it counts as zero
};

// Examples 2 to 4 of the PTX ISA, there with 16 columns a part.
TEST(tensor_mma, case_25_takes_masked_columns_for_zero) {
  const std::array<mask_case, 3> masks{
      mask_case{128, 0x0003028000000000, 0, {0b0011100001110000}},
      mask_case{64, 0x0003028100000000, 0, {0b1100001110000111, 0b0011100001110000}},
      mask_case{32, 0x0203028301020100, 2, {0b1100001110000111, 0b1110000111000011, 0b0000111000011100, 0b0001110000111000}}};
  std::vector<tensor_kernel> kernels;
  std::vector<tensor_mma_bench> benches;
  for (const mask_case& mask : masks) {
    isa::tensor_mma_operation operation = f16_operation(mask.m, 64, true);
    operation.zero_column_mask = mask.descriptor;
    benches.push_back(numbered(operation));
    kernels.push_back(kernel_of(operation, benches.back(), static_cast<unsigned>(kernels.size())));
  }
  expect_finished(run(kernels));
  for (std::size_t i = 0; i < masks.size(); ++i) {
    ASSERT_NO_FATAL_FAILURE(take_product(kernels[i], benches[i]));
    const unsigned columns = 64 / static_cast<unsigned>(masks[i].parts.size());
    for (unsigned part = 0; part < masks[i].parts.size(); ++part)
      for (unsigned bit = 0; bit < 16; ++bit) {
        const unsigned column = part * columns + bit, value = 256 * 9 + column + masks[i].shift;
        EXPECT_EQ(benches[i].d(9, column), (masks[i].parts[part] >> bit & 1) != 0 ? 0 : f32_bits(value)) << i << ", " << column;
      }
  }
}

// Row 77, block 2 has its scale in lanes 13, 45, 77 and 109 of the third column, byte 2.
TEST(tensor_mma, case_24_finds_a_scale) {
  const typed_kind nvf4{kind::mxf4nvf4, type::e2m1, type::e2m1, type::f32, scale_vector::x4, type::ue4m3};
  isa::tensor_mma_operation operation = make_operation(form_of(nvf4), descriptor_of(nvf4, 128, 8), false);
  operation.scale_a = 256;
  operation.enable_input_d = false;
  tensor_mma_bench bench(operation);
  for (unsigned k = 0; k < 64; ++k) {
    for (unsigned row = 0; row < 128; ++row) bench.set_a(row, k, bits_of(1, type::e2m1));
    for (unsigned column = 0; column < 8; ++column) bench.set_b(column, k, bits_of(1, type::e2m1));
  }
  constexpr std::uint32_t ones = 0x38383838, two_in_byte_2 = 0x38403838;
  for (unsigned lane = 0; lane < 128; ++lane) {
    for (unsigned column = 256; column < 260; ++column) bench.cell(0, {lane, column}) = ones;
    bench.cell(0, {lane, bench.plan().columns(engine::tensor_operand::scale_b).first}) = ones;
  }
  for (const unsigned lane : {13U, 45U, 77U, 109U}) bench.cell(0, {lane, 258}) = two_in_byte_2;
  tensor_kernel kernel = kernel_of(operation, bench);
  expect_finished(run(kernel));
  for (unsigned lane = 0; lane < 128; ++lane) EXPECT_EQ(kernel.cell({lane, 5}), f32_bits(lane == 77 ? 80 : 64)) << lane;
}

struct descriptor_case {
  std::uint32_t bits;
  typed_kind types;
  isa::instruction_descriptor fields;
  bool stationary = false;
};

isa::instruction_descriptor fields_of(const typed_kind& types, unsigned m, unsigned n,
                                      const std::function<void(isa::instruction_descriptor&)>& more = {}) {
  isa::instruction_descriptor fields = descriptor_of(types, m, n);
  if (more) more(fields);
  return fields;
}

std::vector<descriptor_case> published_descriptors() {
  const typed_kind f16 = f16_to_f32, bf16{kind::f16, type::bf16, type::bf16}, tf32{kind::tf32, type::tf32, type::tf32},
                   half{kind::f16, type::f16, type::f16, type::f16}, e4m3{kind::f8f6f4, type::e4m3, type::e4m3},
                   mixed{kind::f8f6f4, type::e5m2, type::e2m1, type::f16}, s8{kind::i8, type::s8, type::s8, type::s32},
                   mxf8{kind::mxf8f6f4, type::e4m3, type::e4m3, type::f32, scale_vector::x1, type::ue8m0},
                   mx_mixed{kind::mxf8f6f4, type::e4m3, type::e2m1, type::f32, scale_vector::x1, type::ue8m0},
                   mxf4{kind::mxf4, type::e2m1, type::e2m1, type::f32, scale_vector::x2, type::ue8m0},
                   nvf4{kind::mxf4nvf4, type::e2m1, type::e2m1, type::f32, scale_vector::x4, type::ue4m3};
  return {
      {0x08400010, f16, fields_of(f16, 128, 256)},
      {0x08400490, bf16, fields_of(bf16, 128, 256)},
      {0x08400910, tf32, fields_of(tf32, 128, 256)},
      {0x04100000, half, fields_of(half, 64, 64)},
      {0x08200010, e4m3, fields_of(e4m3, 128, 128)},
      {0x08101480, mixed, fields_of(mixed, 128, 64)},
      {0x084004A8, s8, fields_of(s8, 128, 256, [](auto& fields) { fields.saturate = true; })},
      {0x08410490, bf16, fields_of(bf16, 128, 256, [](auto& fields) { fields.b_major = matrix_major::mn; })},
      {0x82100010, f16, fields_of(f16, 32, 64, [](auto& fields) { fields.max_shift = 16; }), true},
      {0x08C00000, mxf8, fields_of(mxf8, 128, 256)},
      {0x68A01410, mx_mixed,
       fields_of(mx_mixed, 128, 128,
                 [](auto& fields) {
                   fields.scale_a_id = 3;
                   fields.scale_b_id = 1;
                 })},
      {0x48C004A0, mxf4, fields_of(mxf4, 128, 256, [](auto& fields) { fields.scale_a_id = fields.scale_b_id = 2; })},
      {0x08400480, nvf4, fields_of(nvf4, 128, 256)},
  };
}

TEST(tensor_mma, case_11_takes_published_instruction_descriptors) {
  std::vector<descriptor_case> cases = published_descriptors();
  std::vector<integer_matrices> matrices;
  std::vector<tensor_kernel> kernels;
  for (const descriptor_case& each : cases) {
    const isa::mma_form form{each.types.of, isa::cta_group::one, each.stationary, false, each.types.scales};
    isa::tensor_mma_operation operation = make_operation(form, each.fields, false);
    operation.descriptor = each.bits;
    matrices.emplace_back(operation, each.types, 1);
    kernels.push_back(kernel_of(operation, matrices.back().bench(), static_cast<unsigned>(kernels.size())));
  }
  expect_finished(run(kernels));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(testing::Message() << std::hex << cases[i].bits);
    ASSERT_NO_FATAL_FAILURE(take_product(kernels[i], matrices[i].bench()));
    EXPECT_EQ(matrices[i].bench().plan().m(), cases[i].fields.m);
    EXPECT_EQ(matrices[i].bench().plan().n(), cases[i].fields.n);
    matrices[i].expect_product();
  }
}

struct swizzle_case {
  const char* name;
  kind of;
  canonical_matrix a, b;
  unsigned steps = 1;  ///< of 32 bytes along K
};

class tensor_swizzle : public testing::TestWithParam<swizzle_case> {
 protected:
  static constexpr unsigned rows = 128, columns = 64, step_bytes = 32;

  unsigned element_bytes() const { return GetParam().of == kind::tf32 ? 4 : 2; }
  unsigned k() const { return GetParam().steps * step_bytes / element_bytes(); }
  std::uint32_t bits(double value) const { return bits_of(value, GetParam().of == kind::tf32 ? type::tf32 : type::f16); }

  static double a(unsigned row, unsigned k) { return static_cast<int>(row * 5 + k * 3) % 7 - 3; }
  static double b(unsigned column, unsigned k) { return static_cast<int>(column * 3 + k * 5) % 7 - 3; }

  template <class Value>
  void put(std::vector<std::uint8_t>& bytes, const canonical_matrix& matrix, unsigned count, const Value& value) const {
    for (unsigned row = 0; row < count; ++row)
      for (unsigned e = 0; e < k(); ++e) {
        const std::uint32_t element = bits(value(row, e));
        std::memcpy(&bytes.at(matrix.address(row, e, element_bytes())), &element, element_bytes());
      }
  }

  std::string instructions() const {
    const swizzle_case& of = GetParam();
    isa::instruction_descriptor fields;
    if (of.of == kind::tf32) fields.a = fields.b = type::tf32;
    fields.n = columns;
    fields.a_major = of.a.along_rows ? matrix_major::mn : matrix_major::k;
    fields.b_major = of.b.along_rows ? matrix_major::mn : matrix_major::k;
    isa::tensor_mma_operation operation;
    operation.form.kind = of.of;
    operation.descriptor = isa::encode(fields, operation.form);
    std::string text;
    for (unsigned step = 0; step < of.steps; ++step) {
      canonical_matrix a = of.a, b = of.b;
      a.start += step * step_bytes;
      b.start += step * step_bytes;
      operation.a_descriptor = a.descriptor();
      operation.b_descriptor = b.descriptor();
      operation.enable_input_d = step != 0;
      text += multiply(operation);
    }
    return text;
  }
};

constexpr unsigned a_at = 0x4000, b_at = 0x10000;

// Offsets are larger than dense matrices need, where the pattern allows that.
INSTANTIATE_TEST_SUITE_P(
    cases_12_and_13, tensor_swizzle,
    testing::Values(swizzle_case{"k_major_none", kind::f16, {a_at, 2304, 144}, {b_at, 128, 256}},
                    swizzle_case{"k_major_32", kind::f16, {a_at, 16, 256, 6}, {b_at, 16, 512, 6}},
                    swizzle_case{"k_major_64", kind::f16, {a_at, 16, 512, 4}, {b_at, 16, 1024, 4}, 2},
                    swizzle_case{"k_major_128", kind::f16, {a_at, 16, 1024, 2}, {b_at, 16, 2048, 2}, 4},
                    swizzle_case{"k_major_128_with_a_base_offset", kind::f16, {0x4180, 16, 1024, 2, false, 0x4180}, {b_at, 16, 1024, 2}, 2},
                    swizzle_case{"mn_major_none", kind::f16, {a_at, 4096, 128, 0, true}, {b_at, 144, 288, 0, true}},
                    swizzle_case{"mn_major_32", kind::f16, {a_at, 512, 256, 6, true}, {b_at, 256, 1024, 6, true}},
                    swizzle_case{"mn_major_64", kind::f16, {a_at, 1024, 512, 4, true}, {b_at, 512, 1024, 4, true}},
                    swizzle_case{"mn_major_128", kind::f16, {a_at, 2048, 1024, 2, true}, {b_at, 16, 1024, 2, true}},
                    swizzle_case{"mn_major_128_of_32", kind::tf32, {a_at, 1024, 512, 1, true}, {b_at, 4096, 512, 1, true}},
                    swizzle_case{"k_and_mn_major", kind::f16, {a_at, 16, 1024, 2}, {b_at, 512, 1024, 4, true}}),
    [](const auto& of) { return of.param.name; });

TEST_P(tensor_swizzle, multiplies_matrices_as_the_tables_place_them) {
  const swizzle_case& of = GetParam();
  std::vector<std::uint8_t> bytes(0x18000, 0xa5);
  put(bytes, of.a, rows, a);
  put(bytes, of.b, columns, b);
  tensor_kernel kernel;
  kernel.put(a_at, {bytes.begin() + a_at, bytes.end()});
  kernel.issue(instructions());
  kernel.wait();
  kernel.send({0, columns});
  expect_finished(run(kernel));
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < columns; ++column) {
      double sum = 0;
      for (unsigned e = 0; e < k(); ++e) sum += a(row, e) * b(column, e);
      ASSERT_EQ(kernel.cell({row, column}), f32_bits(sum + 0.0)) << row << ", " << column;
    }
}

}  // namespace
}  // namespace tc::device::test::tensor::tensor_mma_run_test
