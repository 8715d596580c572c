// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <tc/links/mma_table.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>

#include "tensor_machines.hpp"

namespace tc::subcore::tensor_operation_test {
namespace {

using isa::architecture;
using test::matrix_operation;

TEST(tensor_operation, generations_compute_their_operations) {
  for (const test::tensor_machine& machine : {test::volta(), test::turing(), test::ampere(), test::hopper()}) {
    for (const std::string& mnemonic : machine.operations)
      EXPECT_EQ(unsupported_reason(matrix_operation(mnemonic, machine.arch), machine.parameters), "") << machine.name << ' ' << mnemonic;
  }
}

TEST(tensor_operation, is_refused_by_the_key_of_its_throughput) {
  const auto reason = [](const char* mnemonic, config::tensor_core_parameters parameters) {
    return unsupported_reason(matrix_operation(mnemonic, architecture::sm_80), parameters, "core");
  };
  EXPECT_EQ(reason("IMMA.8832.S4.S4", test::hopper().parameters), "the tensor cores do not multiply s4: core.unit.s4_per_cycle is 0");
  EXPECT_EQ(reason("HMMA.1688.F32.BF16", test::turing().parameters),
            "the tensor cores do not multiply bf16: core.unit.bf16_per_cycle is 0");
  EXPECT_EQ(reason("HMMA.1684.F32.TF32", test::turing().parameters),
            "the tensor cores do not multiply tf32: core.unit.tf32_per_cycle is 0");
  config::tensor_core_parameters none = test::ampere().parameters;
  none.unit.f16_per_cycle = none.unit.s8_per_cycle = none.unit.b1_per_cycle = 0;
  EXPECT_EQ(reason("HMMA.16816.F16", none), "the tensor cores do not multiply f16: core.unit.f16_per_cycle is 0");
  EXPECT_EQ(reason("IMMA.16816.U8.S8", none), "the tensor cores do not multiply u8: core.unit.s8_per_cycle is 0");
  EXPECT_EQ(reason("BMMA.88128.AND.POPC", none), "the tensor cores do not multiply b1: core.unit.b1_per_cycle is 0");
}

TEST(tensor_operation, of_a_shape_that_fills_no_buffer_is_refused) {
  const isa::mma_operation known = test::matrix_operation("HMMA.16816.F32", test::ampere().arch);
  EXPECT_EQ(unsupported_reason(known, test::ampere().parameters), "");
  isa::mma_operation wide = known, high = known, deep = known;
  wide.n = 32;
  high.m = 32;
  deep.k = 256;
  EXPECT_EQ(unsupported_reason(wide, test::ampere().parameters),
            "the tensor cores multiply 8 or 16 rows by 8 or 16 columns, and it has m = 16 and n = 32");
  EXPECT_NE(unsupported_reason(high, test::ampere().parameters), "");
  EXPECT_NE(unsupported_reason(deep, test::ampere().parameters), "");
  EXPECT_THROW(tensor_operation(wide, test::ampere().parameters), std::invalid_argument);
}

TEST(tensor_operation, of_sixteen_columns_takes_twice_the_products_and_no_more_passes) {
  const isa::mma_operation known = test::matrix_operation("HMMA.1688.F32", test::turing().arch);
  isa::mma_operation wide = known;
  wide.n = 16;
  const config::tensor_core_parameters& core = test::turing().parameters;
  const tensor_operation eight(known, core), sixteen(wide, core);
  EXPECT_EQ(sixteen.demand().beats, 2 * eight.demand().beats);
  EXPECT_EQ(sixteen.multiply_accumulates(), 2 * eight.multiply_accumulates());
  EXPECT_EQ(sixteen.b_registers(), 2 * eight.b_registers());
  EXPECT_EQ(sixteen.layout().adder_passes(), eight.layout().adder_passes());
  EXPECT_EQ(sixteen.demand().result - sixteen.demand().fill, eight.demand().result - eight.demand().fill + eight.demand().beats);
}

TEST(tensor_operation, of_fp4_follows_from_the_structure_of_turing) {
  config::tensor_core_parameters core = test::turing().parameters;
  core.unit.f4_per_cycle = 16;
  core.arithmetic.f8f6f4.group_length = 16;
  isa::mma_operation fp4;
  fp4.m = fp4.n = 16;
  fp4.k = 32;
  fp4.a = fp4.b = isa::element_type::e2m1;
  fp4.c = fp4.d = isa::element_type::f32;
  EXPECT_EQ(unsupported_reason(fp4, test::turing().parameters, "core"),
            "the tensor cores do not multiply e2m1: core.unit.f4_per_cycle is 0");
  const tensor_demand demand = tensor_operation(fp4, core).demand();
  EXPECT_EQ(demand.beats, 16U) << "2 x 16 outputs of a threadgroup by 32 k, 4 units of 16 products";
  EXPECT_EQ(demand.transfer, 4U) << "8 registers of C, two in a cycle";
  EXPECT_EQ(demand.fill, 3U) << "C may follow A and B by the multipliers' stage";
  EXPECT_EQ(demand.products, 3U + 16 + 1 + 3)
      << "filled, multiplied in a stage, and added in three, once: a register holds all of a column's k";
  EXPECT_EQ(demand.result, demand.products + 1);
}

TEST(tensor_operation, of_f64_is_refused_without_units) {
  config::tensor_core_parameters parameters = test::ampere().parameters;
  parameters.f64_units = 0;
  const isa::mma_operation f64 = matrix_operation("DMMA.884", architecture::sm_80);
  EXPECT_EQ(unsupported_reason(f64, parameters, "core"), "the tensor cores do not multiply f64: core.f64_units is 0");
  EXPECT_THROW(tensor_operation(f64, parameters), std::invalid_argument);
}

TEST(tensor_operation, needs_more_than_the_b_buffer_of_an_octet) {
  const std::string reason = unsupported_reason(matrix_operation("HMMA.1688.F32", architecture::sm_75), test::volta().parameters, "core");
  EXPECT_NE(reason.find("core.b_buffer.per_octet is true"), std::string::npos) << reason;
}

TEST(tensor_operation, has_the_arithmetic_of_its_format) {
  const std::uint32_t one = 0x3f803f80, c = 0x3f800000;
  const isa::mma_operation bf16 = matrix_operation("HMMA.1688.F32.BF16", architecture::sm_80);
  EXPECT_EQ(dot_product_of(bf16, {})(&one, &one, 2, c), 0x40400000u);
  config::arithmetic_parameters coarse;
  coarse.bf16.f32_kept_fraction_bits = 0;
  EXPECT_EQ(dot_product_of(bf16, coarse)(&one, &one, 2, c), 0x40000000u) << "3 loses its only fraction bit";

  const std::uint32_t large = 0x7fffffff, bytes = 0x01010101;
  EXPECT_EQ(dot_product_of(matrix_operation("IMMA.8816.S8.S8", architecture::sm_80), {})(&bytes, &bytes, 4, large), 0x80000003u);
  EXPECT_EQ(dot_product_of(matrix_operation("IMMA.8816.S8.S8.SAT", architecture::sm_80), {})(&bytes, &bytes, 4, large), large);
}

TEST(mma_table, keeps_apart_what_differs_in_any_field) {
  const isa::mma_operation plain = matrix_operation("IMMA.16816.S8.S8", architecture::sm_80);
  std::vector<isa::mma_operation> operations(15, plain);
  operations[1].m = 8;
  operations[2].n = 16;
  operations[3].k = 32;
  operations[4].a = isa::element_type::u8;
  operations[5].b = isa::element_type::u8;
  operations[6].c = isa::element_type::f32;
  operations[7].d = isa::element_type::f32;
  operations[8].saturate = true;
  operations[9].combine = isa::bit_operation::conjunction;
  operations[10].a_column = true;
  operations[11].b_column = false;
  operations[12].step = 1;
  operations[13].steps = 2;
  operations[14].instances = 4;
  unsigned made = 0;
  links::mma_table<unsigned> table([&made](const isa::mma_operation&) { return made++; });
  for (unsigned round = 0; round < 2; ++round) {
    for (unsigned i = 0; i < operations.size(); ++i) EXPECT_EQ(table.of(operations[i]), i);
  }
  EXPECT_EQ(made, operations.size());
}

}  // namespace
}  // namespace tc::subcore::tensor_operation_test
