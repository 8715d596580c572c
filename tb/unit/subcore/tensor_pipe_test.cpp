// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <ostream>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <tc/subcore/tensor/tensor_reports.hpp>

#include "tensor_bench.hpp"
#include "tensor_links.hpp"

namespace tc::subcore::tensor_pipe_test {
namespace {

using test::ampere;
using test::counters_below;
using test::hopper;
using test::registers;
using test::statistics_map;
using test::tensor_bench;
using test::tensor_machine;
using test::turing;

void expect_product(const links::warp_instruction& instruction, const tensor_bench::operands& values, const tensor_machine& machine) {
  const isa::mma_operation& mma = *instruction.code().mma;
  const test::matrix expected = test::multiply(mma, machine.parameters.arithmetic, values.a, values.b, values.c);
  const test::matrix actual = test::matrix_of(tensor_bench::result_of(instruction), mma, isa::fragment::d, isa::format_of(mma.d));
  EXPECT_EQ(actual.elements, expected.elements);
}

/// A machine and a change of its structure that no bit may depend on.
struct variant {
  const char* name;
  tensor_machine (*machine)();
  void (*change)(config::tensor_core_parameters&);
};

std::ostream& operator<<(std::ostream& out, const variant& one) { return out << one.name; }

class tensor_pipe_of : public testing::TestWithParam<variant> {
 protected:
  tensor_pipe_of() { GetParam().change(machine.parameters); }
  tensor_machine machine = GetParam().machine();
  std::mt19937 random{5};
};

/// Bits of a register that are random; floating-point elements of 16 and 32 bits without their largest exponent bit are finite.
constexpr std::uint32_t any_bits = 0xffffffff, finite = 0xbfffbfff;

TEST_P(tensor_pipe_of, multiplies_every_shape_and_type_exactly) {
  links::link_binder binder;
  tensor_bench bench("bench", machine.parameters, binder);
  for (const std::string& mnemonic : machine.operations) {
    SCOPED_TRACE(mnemonic);
    const isa::instruction code = test::matrix_instruction(mnemonic, machine.arch);
    for (const std::uint32_t mask : {any_bits, finite, finite}) {
      const tensor_bench::operands values = tensor_bench::random_operands(*code.mma, random, mask);
      expect_product(bench.run(code, values), values, machine);
    }
  }
}

/// The same instructions in a unit that has taps on its links, and in one without.
void expect_the_same_watched(const tensor_machine& machine) {
  links::link_binder binder;
  test::interposing_binder watching;
  tensor_bench alone("alone", machine.parameters, binder), watched("watched", machine.parameters, watching);
  std::mt19937 random(11);
  for (const std::string& mnemonic : machine.operations) {
    SCOPED_TRACE(mnemonic);
    const isa::instruction code = test::matrix_instruction(mnemonic, machine.arch);
    const tensor_bench::operands values = tensor_bench::random_operands(*code.mma, random);
    links::warp_instruction &one = alone.announce(code, values), &other = watched.announce(code, values);
    alone.deliver(one);
    watched.deliver(other);
    EXPECT_EQ(tensor_bench::result_of(one), tensor_bench::result_of(other));
    EXPECT_EQ(one.operands_read, other.operands_read);
    ASSERT_EQ(alone.arrivals.size(), watched.arrivals.size());
    EXPECT_EQ(alone.arrivals.back().cycle, watched.arrivals.back().cycle);
  }
  const statistics_map counted;
  EXPECT_EQ(counters_below("alone.", counted), counters_below("watched.", counted));
  EXPECT_GT(counted.at("watched.pipe.b_buffer_0.reads"), 0u);
}

TEST_P(tensor_pipe_of, does_the_same_when_its_links_are_watched) { expect_the_same_watched(machine); }

TEST(tensor_pipe, does_the_same_with_octets_when_its_links_are_watched) { expect_the_same_watched(test::volta()); }

TEST_P(tensor_pipe_of, delivers_results_in_the_announced_cycle) {
  links::link_binder binder;
  tensor_bench bench("bench", machine.parameters, binder);
  for (const std::string& mnemonic : machine.operations) {
    SCOPED_TRACE(mnemonic);
    const isa::instruction code = test::matrix_instruction(mnemonic, machine.arch);
    const tensor_demand demand = test::demand_of(*code.mma, machine.parameters);
    const links::warp_instruction& instruction = bench.run(code, tensor_bench::random_operands(*code.mma, random));
    EXPECT_EQ(instruction.operands_read, instruction.dispatch + demand.transfer);
    EXPECT_EQ(instruction.result, instruction.dispatch + demand.result);
    EXPECT_EQ(bench.arrivals.back().instruction, &instruction);
    EXPECT_EQ(bench.arrivals.back().cycle, instruction.result);
  }
}

TEST_P(tensor_pipe_of, keeps_instructions_apart_that_follow_each_other_at_once) {
  links::link_binder binder;
  tensor_bench bench("bench", machine.parameters, binder);
  const isa::instruction code = test::matrix_instruction("HMMA.1688.F32", machine.arch);
  std::vector<tensor_bench::operands> values;
  std::vector<links::warp_instruction*> instructions;
  for (unsigned i = 0; i < 8; ++i) values.push_back(tensor_bench::random_operands(*code.mma, random));
  for (unsigned i = 0; i < values.size(); i += 2) {  // two announced before the first of them has its operands
    instructions.push_back(&bench.announce(code, values[i]));
    instructions.push_back(&bench.announce(code, values[i + 1]));
    bench.deliver(*instructions[i]);
    bench.deliver(*instructions[i + 1]);
  }
  for (unsigned i = 0; i < values.size(); ++i) expect_product(*instructions[i], values[i], machine);
}

void keep(config::tensor_core_parameters&) {}
void split(config::tensor_core_parameters& p) { p.count = 4; }
void unshare(config::tensor_core_parameters& p) { p.b_buffer.shared = false; }
void flatten(config::tensor_core_parameters& p) { p.a_buffer.depth_tiles = p.accumulator_buffer.depth_tiles = p.b_buffer.depth_tiles = 1; }
void stagger(config::tensor_core_parameters& p) {
  p.a_buffer.depth_tiles = 3;
  p.b_buffer.depth_tiles = 5;
}
void narrow(config::tensor_core_parameters& p) {
  p.operand_bus.a_registers_per_cycle = p.operand_bus.b_registers_per_cycle = p.operand_bus.c_registers_per_cycle = 1;
  p.b_buffer.shared = false;
}

INSTANTIATE_TEST_SUITE_P(machines, tensor_pipe_of,
                         testing::Values(variant{"turing", turing, keep}, variant{"ampere", ampere, keep}, variant{"hopper", hopper, keep},
                                         variant{"turing with a B buffer for each tensor core", turing, unshare},
                                         variant{"turing with narrow buses", turing, narrow},
                                         variant{"ampere of four tensor cores", ampere, split},
                                         variant{"turing with buffers of one tile", turing, flatten},
                                         variant{"hopper with buffers of one tile", hopper, flatten},
                                         variant{"ampere with buffers of unequal depth", ampere, stagger}));

/// Of one f64 in two registers.
double value_of(const registers& values, const isa::fragment_element& at) {
  const std::uint64_t bits = values[at.reg][at.lane] | std::uint64_t{values[at.reg + 1][at.lane]} << 32;
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

TEST(tensor_pipe, chains_fused_multiply_adds_of_f64) {
  const tensor_machine machine = hopper();
  links::link_binder binder;
  tensor_bench bench("bench", machine.parameters, binder);
  std::mt19937 random(7);
  const isa::instruction code = test::matrix_instruction("DMMA.16816", machine.arch);
  const isa::fragment_layout a(*code.mma, isa::fragment::a), b(*code.mma, isa::fragment::b), c(*code.mma, isa::fragment::c);
  const tensor_bench::operands values = tensor_bench::random_operands(*code.mma, random, finite);
  const registers d = tensor_bench::result_of(bench.run(code, values));
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned column = 0; column < 8; ++column) {
      double sum = value_of(values.c, *c.holder(row, column));
      for (unsigned k = 0; k < 16; ++k)
        sum = std::fma(value_of(values.a, *a.holder(row, k)), value_of(values.b, *b.holder(k, column)), sum);
      EXPECT_EQ(value_of(d, *c.holder(row, column)), sum);
    }
  }
}

TEST(tensor_pipe, says_how_long_it_is_busy) {
  links::link_binder binder;
  tensor_bench bench("bench", turing().parameters, binder);
  const isa::instruction code = test::matrix_instruction("HMMA.1688.F32", turing().arch);
  EXPECT_EQ(bench.earliest_dispatch(code, 5).cycle, 5u);
  EXPECT_EQ(bench.earliest_dispatch(code, 5).cause, links::stall_cause::none);
  std::mt19937 random(1);
  const links::warp_instruction& first = bench.announce(code, tensor_bench::random_operands(*code.mma, random));
  const links::availability next = bench.earliest_dispatch(code, first.dispatch + 1);
  EXPECT_EQ(next.cycle, first.dispatch + 8);
  EXPECT_EQ(next.cause, links::stall_cause::tensor_busy);
  EXPECT_EQ(bench.earliest_dispatch(code, first.dispatch + 8).cause, links::stall_cause::none);
}

TEST(tensor_pipe, without_data_takes_the_same_time_and_counts_the_same) {
  links::link_binder binder;
  tensor_bench bench("bench", ampere().parameters, binder, false);
  const isa::instruction code = test::matrix_instruction("HMMA.16816.F32", ampere().arch);
  std::mt19937 random(1);
  const tensor_bench::operands values = tensor_bench::random_operands(*code.mma, random);
  links::warp_instruction& instruction = bench.announce(code, values);
  instruction.result_registers = {};
  bench.deliver(instruction);
  EXPECT_EQ(bench.arrivals.back().cycle, instruction.dispatch + 24);
  EXPECT_EQ(instruction.result_registers, decltype(instruction.result_registers){});
  const statistics_map counted;
  EXPECT_EQ(counted.at("bench.pipe.multiply_accumulates"), 2048u);
  EXPECT_EQ(counted.at("bench.pipe.b_buffer_0.registers_filled"), 2u);
  EXPECT_EQ(counted.at("bench.pipe.tensor_core_0.dot_products"), 128u);
}

TEST(tensor_pipe, counts_what_a_shared_b_buffer_saves) {
  links::link_binder binder;
  tensor_bench bench("bench", turing().parameters, binder);
  const isa::instruction code = test::matrix_instruction("HMMA.1688.F32", turing().arch);
  std::mt19937 random(1);
  for (unsigned i = 0; i < 3; ++i) bench.run(code, tensor_bench::random_operands(*code.mma, random));
  const statistics_map counted;
  EXPECT_EQ(counted.at("bench.pipe.instructions"), 3u);
  EXPECT_EQ(counted.at("bench.pipe.multiply_accumulates"), 3 * 1024u);
  EXPECT_EQ(counted.at("bench.pipe.busy_cycles"), 3 * 8u);
  EXPECT_EQ(counted.at("bench.pipe.bus_cycles"), 3 * 2u);
  EXPECT_EQ(counted.at("bench.pipe.b_buffer_0.fills"), 3u);
  EXPECT_EQ(counted.at("bench.pipe.b_buffer_0.reads"), 6u);
  EXPECT_EQ(counted.at("bench.pipe.tensor_core_1.fills"), 3u);
  EXPECT_EQ(counted.at("bench.pipe.tensor_core_1.dot_products"), 3 * 64u);
  EXPECT_EQ(counted.at("bench.pipe.tensor_core_1.beats"), 3 * 8u);
}

TEST(tensor_pipe, fills_b_buffers_of_their_own_each) {
  config::tensor_core_parameters parameters = turing().parameters;
  parameters.b_buffer.shared = false;
  links::link_binder binder;
  tensor_bench bench("bench", parameters, binder);
  const isa::instruction code = test::matrix_instruction("HMMA.1688.F32", turing().arch);
  std::mt19937 random(1);
  for (unsigned i = 0; i < 3; ++i) bench.run(code, tensor_bench::random_operands(*code.mma, random));
  const statistics_map counted;
  for (const char* buffer : {"bench.pipe.b_buffer_0", "bench.pipe.b_buffer_1"}) {
    EXPECT_EQ(counted.at(std::string(buffer) + ".fills"), 3u);
    EXPECT_EQ(counted.at(std::string(buffer) + ".reads"), 3u);
  }
}

TEST(tensor_pipe, passes_undefined_lanes_on_to_the_results_that_need_them) {
  links::link_binder binder;
  tensor_bench bench("bench", turing().parameters, binder);
  const isa::instruction code = test::matrix_instruction("HMMA.1688.F32", turing().arch), culprit = code;
  std::mt19937 random(1);
  const auto undefined_lanes = [&](unsigned source, std::uint32_t lanes) {
    links::warp_instruction& instruction = bench.announce(code, tensor_bench::random_operands(*code.mma, random));
    instruction.sources[source].undefined_lanes = lanes;
    instruction.sources[source].origin = {&culprit, 7};
    bench.deliver(instruction);
    EXPECT_EQ(instruction.origin.code, instruction.undefined_lanes != 0 ? &culprit : nullptr);
    return instruction.undefined_lanes;
  };
  EXPECT_EQ(undefined_lanes(0, 0), 0u);
  EXPECT_EQ(undefined_lanes(0, 0x00000020), 0x000000f0u) << "a row of A reaches its threadgroup";
  EXPECT_EQ(undefined_lanes(1, 0x00000020), 0xffffffffu) << "a column of B reaches every row";
  EXPECT_EQ(undefined_lanes(2, 0x00000020), 0x00000020u) << "an element of C reaches its own lane";
}

TEST(tensor_pipe, blames_the_first_undefined_source) {
  links::link_binder binder;
  tensor_bench bench("bench", turing().parameters, binder);
  const isa::instruction code = test::matrix_instruction("HMMA.1688.F32", turing().arch);
  std::mt19937 random(1);
  const auto blamed_line = [&](std::initializer_list<unsigned> undefined_sources) {
    links::warp_instruction& instruction = bench.announce(code, tensor_bench::random_operands(*code.mma, random));
    for (const unsigned source : undefined_sources) {
      instruction.sources[source].undefined_lanes = 1;
      instruction.sources[source].origin = {&code, 100 + source};
    }
    bench.deliver(instruction);
    return instruction.origin.line;
  };
  EXPECT_EQ(blamed_line({0, 1, 2}), 100u);
  EXPECT_EQ(blamed_line({1, 2}), 101u);
  EXPECT_EQ(blamed_line({2}), 102u);
}

}  // namespace
}  // namespace tc::subcore::tensor_pipe_test
