// SPDX-License-Identifier: Apache-2.0
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tensor_bench.hpp"
#include "tensor_links.hpp"

// Steps of HMMA.884 in the octets of the tensor cores.

namespace tc::subcore::tensor_octet_test {
namespace {

using test::registers;
using test::tensor_bench;

std::uint32_t half_at(const registers& values, const isa::fragment_element& at) {
  return values[at.reg][at.lane] >> (16 * at.element) & 0xffff;
}

/// D of one step by the fragments of the PTX ISA: element by element, for each quad pair.
registers expected_step(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic,
                        const tensor_bench::operands& values) {
  const isa::fragment_layout a(mma, isa::fragment::a), b(mma, isa::fragment::b), c(mma, isa::fragment::c), d(mma, isa::fragment::d);
  const numerics::dot_product dot = dot_product_of(mma, arithmetic);
  registers result = values.c;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    for (unsigned reg = 0; reg < mma.d_registers(); ++reg) {
      for (unsigned e = 0; e < 32 / isa::bits(mma.d); ++e) {
        const isa::matrix_position at = d.position(lane, reg, e);
        std::array<std::uint32_t, 2> x{}, y{};
        for (unsigned k = 0; k < mma.k; ++k) {
          x[k / 2] |= half_at(values.a, *a.holder(at.row, k, at.matrix)) << (16 * (k % 2));
          y[k / 2] |= half_at(values.b, *b.holder(k, at.column, at.matrix)) << (16 * (k % 2));
        }
        std::uint32_t& word = result[reg][lane];
        if (mma.c != mma.d) {
          const double addend = numerics::value_of(half_at(values.c, *c.holder(at.row, at.column, at.matrix)), numerics::f16);
          word = static_cast<std::uint32_t>(dot(x.data(), y.data(), mma.k, numerics::encode(addend, numerics::f32)));
        } else if (isa::bits(mma.d) == 32) {
          word = static_cast<std::uint32_t>(dot(x.data(), y.data(), mma.k, word));
        } else {
          const auto sum = static_cast<std::uint32_t>(dot(x.data(), y.data(), mma.k, word >> (16 * e) & 0xffff));
          word = (word & ~(0xffffu << (16 * e))) | sum << (16 * e);
        }
      }
    }
  }
  return result;
}

/// Two tensor cores with a B buffer each, half of whose lanes a step fills.
test::tensor_machine volta_by_core() {
  test::tensor_machine machine = test::volta();
  machine.name = "volta_by_core";
  machine.parameters.b_buffer.per_octet = false;
  return machine;
}

/// Volta, and tensor cores with other B buffers, which take HMMA.884 too: one for both as Turing's, or one each.
class octet_step_of : public testing::TestWithParam<test::tensor_machine> {};

TEST_P(octet_step_of, multiplies_all_orders_exactly) {
  const config::tensor_core_parameters& parameters = GetParam().parameters;
  links::link_binder binder;
  tensor_bench bench("bench", parameters, binder);
  std::mt19937 random(7);
  for (const std::string& mnemonic : test::volta().operations) {
    for (const char* orders : {" R8, R16.ROW, R32.COL, R8", " R8, R16.COL, R32.ROW, R8", " R8, R16.COL, R32.COL, R8"}) {
      SCOPED_TRACE(mnemonic + orders);
      const isa::instruction code = isa::parse_operation(mnemonic + orders, isa::architecture::sm_70);
      const auto values = tensor_bench::random_operands(*code.mma, random, 0xbfffbfff);
      EXPECT_EQ(tensor_bench::result_of(bench.run(code, values)), expected_step(*code.mma, parameters.arithmetic, values));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(machines, octet_step_of, testing::Values(test::volta(), test::turing(), volta_by_core()),
                         [](const auto& machine) { return std::string(machine.param.name); });

TEST(octet_step, reads_the_b_tile_of_its_octet_alone) {
  test::interposing_binder binder;
  tensor_bench bench("bench", test::volta().parameters, binder);
  EXPECT_EQ(binder.b_tile_links["b_fill"].size(), 4u);
  EXPECT_EQ(binder.b_tile_links["b_read"].size(), 4u);
  const isa::instruction code = test::matrix_instruction("HMMA.884.F32.F32.STEP0", isa::architecture::sm_70);
  std::mt19937 random(3);
  const auto values = tensor_bench::random_operands(*code.mma, random, 0xbfffbfff);
  const registers undisturbed = tensor_bench::result_of(bench.run(code, values));
  binder.b_tile_links["b_read"][2]->on_the_way_back = [](links::b_tile_transfer& tile) { test::flip_word(tile.words[0], 0x4000); };
  const registers disturbed = tensor_bench::result_of(bench.run(code, values));
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const bool differs = undisturbed[0][lane] != disturbed[0][lane] || undisturbed[1][lane] != disturbed[1][lane];
    const bool is_of_octet_2 = lane / links::lanes_per_threadgroup % links::octets_per_warp == 2;
    EXPECT_TRUE(is_of_octet_2 || !differs) << lane;
    EXPECT_TRUE(differs || (lane != 8 && lane != 24)) << lane << ": both threadgroups of octet 2";
  }
}

TEST(octet_step, passes_undefined_lanes_on_within_an_octet) {
  links::link_binder binder;
  tensor_bench bench("bench", test::volta().parameters, binder);
  const isa::instruction pure = test::matrix_instruction("HMMA.884.F32.F32.STEP2", isa::architecture::sm_70);
  const isa::instruction mixed = test::matrix_instruction("HMMA.884.F32.F16.STEP2", isa::architecture::sm_70);
  std::mt19937 random(1);
  const auto undefined_lanes = [&](unsigned source, std::uint32_t lanes, const isa::instruction& code) {
    links::warp_instruction& instruction = bench.announce(code, tensor_bench::random_operands(*code.mma, random));
    instruction.sources[source].undefined_lanes = lanes;
    bench.deliver(instruction);
    return instruction.undefined_lanes;
  };
  EXPECT_EQ(undefined_lanes(0, 0x00000020, pure), 0x000000f0u) << "A reaches its threadgroup";
  EXPECT_EQ(undefined_lanes(1, 0x00200000, pure), 0x00f000f0u) << "B of threadgroup 5 reaches octet 1";
  EXPECT_EQ(undefined_lanes(1, 0x00000020, pure), 0u) << "steps 2 and 3 take B of the upper threadgroups";
  EXPECT_EQ(undefined_lanes(2, 0x00000020, pure), 0x00000020u) << "C in f32 reaches its own lane";
  EXPECT_EQ(undefined_lanes(2, 0x00000020, mixed), 0x000000f0u) << "C in f16 a row of its threadgroup";
}

}  // namespace
}  // namespace tc::subcore::tensor_octet_test
