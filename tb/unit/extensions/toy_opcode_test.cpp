// SPDX-License-Identifier: Apache-2.0
// An instruction of a user's own, from its name to its bits: TOYDIST, the distance of two unsigned numbers.

#include <stdexcept>

#include <gtest/gtest.h>

#include <tc/isa/modifiers.hpp>
#include <tc/lanes/lane_operands.hpp>
#include <tc/lanes/lane_rows.hpp>
#include <tc/trace/trace_error.hpp>

#include "device/test_machine.hpp"

namespace tc::device::test::toy_opcode_test {
namespace {

isa::opcode_info row_of_distance() {
  isa::opcode_info row;
  row.mnemonic = "TOYDIST";
  row.unit = isa::execution_unit::integer;
  row.destinations = {0, isa::register_file::vector};
  row.min_sources = row.max_sources = 2;
  row.modifier_groups = isa::modifier_set(isa::modifier_group::type_32);
  return row;
}

void distance(const lanes::lane_operands& in, lanes::lane_result& out) {
  const warp::lane_vector a = in.word(0), b = in.word(1);
  lanes::set_lanes(out.registers[0], [&](unsigned lane) { return a[lane] > b[lane] ? a[lane] - b[lane] : b[lane] - a[lane]; });
}

class toy_opcode : public testing::Test {
 protected:
  toy_opcode() { lanes::add_lane_operation(op_, distance, lanes::word_form); }

  /// A kernel that stores the distances of two registers, lane by lane, and expects 5, 2, 1 in three lanes.
  static std::string kernel(const std::string& instruction) {
    return kernel_header(1, 1, "memory 0x1000 128 zero\nexpect 0x1000 12 hex 050000000200000001000000\n") + cta_line(0) + warp_line(0) +
           "reg R2 0\nreg R3 0\nreg R4 {7, 1, 0xffffffff" + zeros() + "}\nreg R5 {2, 3, 0xfffffffe" + zeros() + "}\n" + "/*0000*/ " +
           instruction + "\n/*0010*/ STG.E.SYS [R2], R6 @ 0x1000+4\n/*0020*/ EXIT\n";
  }

  isa::opcode op() const { return op_; }

 private:
  static std::string zeros() {
    std::string text;
    for (int lane = 3; lane < 32; ++lane) text += ", 0";
    return text;
  }

  isa::opcode op_ = isa::add_opcode(row_of_distance());
};

TEST_F(toy_opcode, computes_and_has_the_latency_that_a_configuration_gives_it) {
  const config::machine slow = preset("turing", {"sm.sub_core.pipes.integer.opcode_latency_cycles[TOYDIST]=30"});
  run_options options;
  options.timing_of_preset = true;
  test_machine machine(slow, {kernel("TOYDIST.U32 R6, R4, R5"), kernel("IADD3 R6, R4, -R5, RZ")}, options);
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.kernels[0].expectations.at(0).mismatches, 0U);
  EXPECT_NE(result.kernels[1].expectations.at(0).mismatches, 0U) << "only a distance is never negative";
  EXPECT_TRUE(result.undefined_values.empty());
  const auto cycles = [&](std::size_t kernel) { return result.kernels[kernel].cycles(); };
  EXPECT_GT(cycles(0), cycles(1) + 20);
}

TEST_F(toy_opcode, in_a_form_that_is_not_computed_leaves_its_result_undefined) {
  test_machine machine(preset("turing"), {kernel("TOYDIST R6, R4.H0_H0, R5")});
  const accounting::run_result result = machine.run();
  ASSERT_EQ(result.undefined_values.size(), 1U);
  EXPECT_EQ(result.undefined_values[0].producer, "TOYDIST R6, R4.H0_H0, R5");
}

TEST_F(toy_opcode, with_a_wrong_operand_is_an_error_at_its_place) {
  const auto error_of = [](const std::string& instruction) -> std::string {
    try {
      test_machine machine(preset("turing"), {kernel(instruction)});
    } catch (const trace::trace_error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_NE(error_of("TOYDIST R6, R4").find("kernel 0:14:10: TOYDIST takes 2 source operands"), std::string::npos)
      << error_of("TOYDIST R6, R4");
  EXPECT_NE(error_of("TOYDIST R6, R4, P0").find("source 2 of TOYDIST is a value, not a predicate"), std::string::npos);
  EXPECT_NE(error_of("TOYDIST P0, R4, R5").find("kernel 0:14:18: the destination of TOYDIST is a vector register"), std::string::npos);
  EXPECT_NE(error_of("TOYDIST.WIDE R6, R4, R5").find("kernel 0:14:18: TOYDIST has no modifier .WIDE"), std::string::npos);
}

void expect_refusal(const isa::opcode_info& row, const std::string& reason) {
  try {
    isa::add_opcode(row);
    ADD_FAILURE() << "no error: " << reason;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
  }
}

TEST_F(toy_opcode, is_refused_without_what_its_unit_needs) {
  isa::opcode_info row = row_of_distance();
  expect_refusal(row, "opcode TOYDIST: there is one of this name");
  row.mnemonic = "IADD3";
  expect_refusal(row, "opcode IADD3: there is one of this name");
  row.mnemonic = "TOY.DIST";
  expect_refusal(row, "a word without a dot");
  row.mnemonic = "TOYLOAD";
  row.unit = isa::execution_unit::load_store;
  expect_refusal(row, "the load-store and constant-load units, and no other, have a memory use");
  row.memory.action = isa::memory_action::load;
  expect_refusal(row, "a memory space goes with");
  row = row_of_distance();
  row.mnemonic = "TOYJUMP";
  row.unit = isa::execution_unit::branch;
  expect_refusal(row, "not dispatched");
  row.predicates = {1, 9};
  expect_refusal(row, "the range of predicates");
  row.predicates = {};
  row.unit = isa::execution_unit::tensor;
  row.widths = isa::width_rule::matrix_multiply;
  expect_refusal(row, "has shapes and element types");
}

TEST_F(toy_opcode, needs_a_row_a_function_and_a_form_and_a_unit_that_computes) {
  using lanes::add_lane_operation, lanes::word_form;
  EXPECT_THROW(add_lane_operation(op(), distance, word_form), std::invalid_argument) << "it has a function";
  EXPECT_THROW(add_lane_operation(isa::opcode::iadd3, distance, word_form), std::invalid_argument) << "it has a function";
  EXPECT_THROW(add_lane_operation(isa::opcode{250}, distance, word_form), std::invalid_argument) << "no row";
  EXPECT_THROW(add_lane_operation(isa::opcode::ldg, distance, word_form), std::invalid_argument) << "not computed lane by lane";
  EXPECT_THROW(add_lane_operation(isa::opcode::vote, nullptr, word_form), std::invalid_argument);
  EXPECT_THROW(add_lane_operation(isa::opcode::vote, distance, nullptr), std::invalid_argument);
}

}  // namespace
}  // namespace tc::device::test::toy_opcode_test
