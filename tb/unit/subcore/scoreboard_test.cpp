// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/subcore/issue/scoreboard.hpp>

namespace scoreboard_test {

namespace {

using namespace tc;
using links::unknown_cycle;

class scoreboard_test : public testing::Test {
 protected:
  isa::instruction parse(const std::string& text) { return isa::parse_operation(text, isa::architecture::sm_90); }

  isa::instruction with_control(const std::string& text) {
    return isa::parse_instruction("/*0000*/ [B------:R-:W-:-:S01] " + text, isa::architecture::sm_90);
  }

  /// Issues an instruction whose result is visible in `result`, 0 if that is not known.
  links::warp_instruction& issue(subcore::scoreboard& board, const isa::instruction& code, fabric::cycle_t result,
                                 fabric::cycle_t operands_read = 0, std::uint32_t mask = 0xffffffff) {
    auto& instruction = *in_flight_.emplace_back(std::make_unique<links::warp_instruction>());
    instruction.step.code = &code;
    instruction.step.mask = mask;
    instruction.id = in_flight_.size();
    instruction.warp = &warp_;
    instruction.result = result;
    instruction.promised_result = result;
    instruction.operands_read = operands_read;
    instruction.operands_read_known = operands_read != unknown_cycle;
    board.issued(instruction, instruction.issued);
    return instruction;
  }

  /// Of an instruction with these active lanes.
  static fabric::cycle_t earliest_issue(const subcore::scoreboard& board, const isa::instruction& code, unsigned warp_slot,
                                        std::uint32_t mask = 0xffffffff) {
    warp::warp_step step;
    step.code = &code;
    step.mask = mask;
    return board.earliest_issue(step, warp_slot);
  }

  warp::warp_context warp_{};
  std::vector<std::unique_ptr<links::warp_instruction>> in_flight_;
};

TEST_F(scoreboard_test, consumer_issues_so_that_its_operands_arrive_with_the_result) {
  subcore::scoreboard board({6, 1, false}, 4);
  const auto producer = parse("IADD3 R4, R2, R3, RZ");
  issue(board, producer, 110);
  EXPECT_EQ(earliest_issue(board, parse("IADD3 R5, R4, R3, RZ"), 0), 104u);
  EXPECT_EQ(earliest_issue(board, parse("HMMA.1688.F32 R8, R4, R3, R8"), 0), 105u);
  EXPECT_EQ(earliest_issue(board, parse("IADD3 R5, R6, R3, RZ"), 0), 0u);
}

TEST_F(scoreboard_test, every_register_of_a_wide_operand_counts) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto producer = parse("MOV R7, R2");
  issue(board, producer, 110);
  EXPECT_EQ(earliest_issue(board, parse("HMMA.16816.F32 R8, R4, R2, R8"), 0), 104u);
}

TEST_F(scoreboard_test, keeps_the_time_of_the_last_writer) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto first = parse("IADD3 R4, R2, R3, RZ"), second = parse("IADD3 R4, R4, R3, RZ");
  auto& retiring = issue(board, first, 110);
  issue(board, second, 114);
  board.retired(retiring);
  EXPECT_EQ(earliest_issue(board, parse("MOV R5, R4"), 0), 108u);
}

TEST_F(scoreboard_test, says_whose_result_comes_last) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto product = parse("HMMA.16816.F32 R8, R4, R2, R8"), sum = parse("IADD3 R16, R2, R3, RZ"), load = parse("LDG.E R20, [R2]");
  issue(board, product, 130);
  issue(board, sum, 110);
  issue(board, load, unknown_cycle);
  EXPECT_EQ(board.awaited_source(parse("FADD R5, R8, R16"), 0), links::result_source::matrix);
  EXPECT_EQ(board.awaited_source(parse("FADD R5, R16, R3"), 0), links::result_source::arithmetic);
  EXPECT_EQ(board.awaited_source(parse("FADD R5, R8, R20"), 0), links::result_source::global_memory);
}

TEST_F(scoreboard_test, guard_is_needed_at_issue) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto producer = parse("ISETP.NE.AND P0, PT, R2, RZ, PT");
  issue(board, producer, 110);
  EXPECT_EQ(earliest_issue(board, parse("@P0 MOV R5, R4"), 0), 110u);
  EXPECT_EQ(earliest_issue(board, parse("SEL R5, R4, R6, P0"), 0), 104u);
}

TEST_F(scoreboard_test, load_in_flight_has_no_known_end_until_it_retires) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto load = parse("LDS R4, [R2]");
  auto& in_flight = issue(board, load, 0);
  EXPECT_EQ(earliest_issue(board, parse("MOV R5, R4"), 0), unknown_cycle);
  EXPECT_EQ(earliest_issue(board, parse("MOV R4, R5"), 0), unknown_cycle) << "a younger result must not come before an older one";
  in_flight.result = 200;
  board.retired(in_flight);
  EXPECT_EQ(earliest_issue(board, parse("MOV R5, R4"), 0), 194u);
}

/// The latencies of the units of a Turing sub-core: 4 cycles of moves and comparisons, 5 or more of the tensor cores.
subcore::least_latencies own_latencies() { return subcore::least_latencies(config::sub_core_parameters{}); }

TEST_F(scoreboard_test, a_register_may_be_written_again_before_its_first_value_is_there) {
  const subcore::least_latencies latencies = own_latencies();
  subcore::scoreboard board({6, 0, false}, 4, latencies);
  const auto first = parse("IADD3 R4, R2, R3, RZ"), second = with_control("MOV R4, R5");
  issue(board, first, 20);
  EXPECT_EQ(earliest_issue(board, second, 0), 20 - 6 - latencies.cycles(second));
  EXPECT_EQ(earliest_issue(board, with_control("LDS R4, [R2]"), 0), 0U) << "which takes longer";
  EXPECT_EQ(earliest_issue(board, parse("MOV R4, R5"), 0), 20U - 6U) << "without a control code it stands for a compiler";
}

TEST_F(scoreboard_test, results_of_a_unit_that_keeps_their_order_may_follow_each_other) {
  subcore::scoreboard board({6, 0, false}, 4, own_latencies());
  const auto first = parse("FRND.FLOOR R32, R2");
  issue(board, first, 0);
  EXPECT_EQ(earliest_issue(board, with_control("MUFU.SIN R32, R24"), 0), 0U);
  EXPECT_EQ(earliest_issue(board, with_control("MOV R32, R24"), 0), unknown_cycle);
  subcore::scoreboard of_collectors({6, 0, true}, 4, own_latencies());
  issue(of_collectors, first, 0);
  EXPECT_EQ(earliest_issue(of_collectors, with_control("MUFU.SIN R32, R24"), 0), unknown_cycle) << "which pass their operands in any order";
}

TEST_F(scoreboard_test, an_instruction_without_lanes_waits_for_its_guard_alone_and_writes_nothing) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto load = parse("LDS R4, [R2]"), guarded = parse("@P0 MOV R4, R4"), predicate = parse("ISETP.NE.AND P0, PT, R2, RZ, PT");
  issue(board, load, 0);
  issue(board, predicate, 110);
  EXPECT_EQ(earliest_issue(board, guarded, 0), unknown_cycle);
  EXPECT_EQ(earliest_issue(board, guarded, 0, 0), 110U);
  issue(board, guarded, 120, 0, 0);
  EXPECT_EQ(earliest_issue(board, parse("MOV R5, R4"), 0), unknown_cycle) << "the load's value is still to come";
}

TEST_F(scoreboard_test, uniform_registers_and_predicates_are_tracked) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto uniform = parse("UIADD3 UR4, UP0, UR2, UR3, URZ");
  issue(board, uniform, 110);
  EXPECT_EQ(earliest_issue(board, parse("IADD3 R4, R2, UR4, RZ"), 0), 104u);
  EXPECT_EQ(earliest_issue(board, parse("USEL UR6, UR7, UR8, UP0"), 0), 104u);
}

TEST_F(scoreboard_test, warps_are_apart) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto producer = parse("MOV R4, R2");
  issue(board, producer, 110);
  EXPECT_EQ(earliest_issue(board, parse("MOV R5, R4"), 1), 0u);
  board.clear(0);
  EXPECT_EQ(earliest_issue(board, parse("MOV R5, R4"), 0), 0u);
}

TEST_F(scoreboard_test, waiting_operands_must_not_be_overwritten) {
  subcore::scoreboard board({6, 0, true}, 4);
  const auto reader = parse("FFMA R1, R2, R4, R6"), second = parse("FFMA R3, R2, R4, R6"), late = parse("FFMA R5, R8, R4, R6");
  issue(board, reader, 0, 50);
  issue(board, second, 0, 40);
  EXPECT_EQ(earliest_issue(board, parse("MOV R2, R9"), 0), 50u);
  auto& unknown = issue(board, late, 0, unknown_cycle);
  EXPECT_EQ(earliest_issue(board, parse("MOV R8, R9"), 0), unknown_cycle);
  unknown.result = 70;
  unknown.dispatch = 60;
  board.retired(unknown);
  EXPECT_EQ(earliest_issue(board, parse("MOV R8, R9"), 0), 60u);
}

TEST_F(scoreboard_test, waiting_operands_must_not_become_accumulators) {
  subcore::scoreboard board({6, 0, true}, 4);
  const auto reader = parse("FFMA R1, R26, R4, R6");
  issue(board, reader, 10, 50);
  EXPECT_EQ(
      earliest_issue(
          board, parse("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R24, R25, R26, R27}, 0x1000080040, 0x10000800c0, 1, 1, 1, 0, 0"),
          0),
      50U);
}

/// One that issues in this cycle, `by_stall_counts` behind the first of its warp.
std::optional<links::early_read> early(subcore::scoreboard& board, const isa::instruction& code, fabric::cycle_t cycle,
                                       fabric::cycle_t by_stall_counts, std::uint32_t mask = 0xffffffff,
                                       const subcore::scoreboard::counter_waits& waits = {}) {
  warp::warp_step step;
  step.code = &code;
  step.mask = mask;
  return board.reads_early(step, 0, {cycle, by_stall_counts}, waits);
}

TEST_F(scoreboard_test, names_the_register_that_is_read_early) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto producer = parse("MOV R4, R2"), consumer = parse("IADD3 R5, R3, R4, RZ");
  issue(board, producer, 110);
  const auto read = early(board, consumer, 101, 200);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->use->index, 4u);
  EXPECT_EQ(read->cycles, 3u);
  EXPECT_EQ(read->kind, links::early_kind::happened);
  EXPECT_FALSE(early(board, consumer, 104, 200).has_value());
}

TEST_F(scoreboard_test, finds_what_only_something_else_has_kept_from_being_early) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto producer = isa::parse_instruction("/*0000*/ [B------:R-:W-:-:S02] MOV R4, R2", isa::architecture::sm_90);
  const auto consumer = parse("IADD3 R5, R3, R4, RZ");
  issue(board, producer, 10);  // its stall counts let it issue in cycle 0, as it did
  const auto read = early(board, consumer, 50, 2);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->cycles, 2u);
  EXPECT_EQ(read->kind, links::early_kind::by_stall_counts);
  EXPECT_FALSE(early(board, consumer, 50, 4).has_value());
}

TEST_F(scoreboard_test, knows_that_consumers_of_a_counter_wait_for_it) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto producer = isa::parse_instruction("/*0000*/ [B------:R-:W0:-:S01] S2UR UR4, SR_CTAID.X", isa::architecture::sm_90);
  const auto consumer = parse("UIADD3 UR5, UR4, 0x1, URZ");
  issue(board, producer, 30);
  const subcore::scoreboard::counter_waits waited{{1}, {}};
  EXPECT_FALSE(early(board, consumer, 24, 2, 0xffffffff, waited).has_value());
  EXPECT_TRUE(early(board, consumer, 23, 2, 0xffffffff, waited).has_value());
}

TEST_F(scoreboard_test, finds_what_nothing_has_waited_for_although_it_is_there_in_time) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto producer = isa::parse_instruction("/*0000*/ [B------:R-:W2:-:S02] LDG.E R4, [R2.64]", isa::architecture::sm_90);
  issue(board, producer, 30);
  const subcore::scoreboard::counter_waits for_another{{0, 7, 0, 9}, {}}, before{}, behind{{0, 0, 1}, {}};
  for (const auto& waits : {for_another, before}) {
    const auto read = early(board, parse("IADD3 R5, R4, R3, RZ"), 1000, 1000, 0xffffffff, waits);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->kind, links::early_kind::read_without_wait);
    const auto written = early(board, parse("MOV R4, R3"), 1000, 1000, 0xffffffff, waits);
    ASSERT_TRUE(written.has_value());
    EXPECT_EQ(written->kind, links::early_kind::overwritten_without_wait);
  }
  EXPECT_FALSE(early(board, parse("IADD3 R5, R4, R3, RZ"), 1000, 1000, 0xffffffff, behind).has_value());
  EXPECT_FALSE(early(board, parse("MOV R4, R3"), 1000, 1000, 0xffffffff, behind).has_value());
}

TEST_F(scoreboard_test, finds_what_is_overwritten_before_a_store_may_have_read_it) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto store = isa::parse_instruction("/*0000*/ [B------:R1:W-:-:S02] STG.E.64 [R2.64], R4", isa::architecture::sm_90);
  issue(board, store, 0);
  const subcore::scoreboard::counter_waits before{}, behind{{0, 1}, {}}, behind_a_later_access{{0, 0, 0, 2}, {0, 0, 0, 2, 0}};
  for (const char* const writer : {"MOV R5, R9", "MUFU.RCP R2, R9", "IADD3 R3, R9, R9, RZ"}) {
    const auto written = early(board, parse(writer), 1000, 1000, 0xffffffff, before);
    ASSERT_TRUE(written.has_value()) << writer;
    EXPECT_EQ(written->kind, links::early_kind::overwritten_before_read);
    EXPECT_FALSE(early(board, parse(writer), 1000, 1000, 0xffffffff, behind).has_value());
    EXPECT_FALSE(early(board, parse(writer), 1000, 1000, 0xffffffff, behind_a_later_access).has_value());
  }
  EXPECT_FALSE(early(board, parse("MOV R6, R4"), 1000, 1000, 0xffffffff, before).has_value()) << "reads alone";
  EXPECT_FALSE(early(board, parse("LDS R4, [R9]"), 1000, 1000, 0xffffffff, before).has_value()) << "comes behind the store";
  EXPECT_FALSE(early(board, parse("MOV R5, R9"), 1000, 1000, 0, before).has_value()) << "writes nothing";
  issue(board, store, 0, 0, 0xff);
  EXPECT_TRUE(early(board, parse("MOV R5, R9"), 1000, 1000, 0xf0, before).has_value());
  EXPECT_FALSE(early(board, parse("MOV R5, R9"), 1000, 1000, 0xff00, before).has_value()) << "other lanes";
}

TEST_F(scoreboard_test, a_result_that_has_come_says_that_its_operands_have_been_read) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto load = isa::parse_instruction("/*0000*/ [B------:R0:W2:-:S02] LDG.E R4, [R2.64]", isa::architecture::sm_90);
  issue(board, load, 30);
  EXPECT_TRUE(early(board, parse("MOV R2, R9"), 1000, 1000, 0xffffffff, {}).has_value());
  EXPECT_FALSE(early(board, parse("MOV R2, R9"), 1000, 1000, 0xffffffff, {{0, 0, 1}, {}}).has_value());
}

TEST_F(scoreboard_test, an_unknown_end_stays_early_however_much_later_the_reader_issues) {
  links::operand_timing operands{6, 0, false};
  operands.guard_lead_cycles = 3;
  subcore::scoreboard board(operands, 4);
  const auto producer = parse("MUFU.RCP R4, R2"), consumer = parse("FADD R5, R3, R4");
  issue(board, producer, 0);
  for (const fabric::cycle_t cycle : {2U, 5U, 9U, 40U}) {
    const auto read = early(board, consumer, cycle, cycle);
    ASSERT_TRUE(read.has_value()) << cycle;
    EXPECT_EQ(read->kind, links::early_kind::happened);
  }
}

TEST_F(scoreboard_test, an_unknown_end_is_early_by_any_number_of_cycles) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto producer = parse("MUFU.RCP R4, R2"), consumer = parse("FADD R5, R3, R4");
  issue(board, producer, 0);
  const auto read = early(board, consumer, 1000, 2);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->cycles, unknown_cycle);
}

TEST_F(scoreboard_test, a_guard_is_there_before_its_instruction_issues) {
  links::operand_timing operands{6, 0, false};
  operands.guard_lead_cycles = 3;
  subcore::scoreboard board(operands, 4);
  const auto producer = parse("ISETP.GE.AND P0, PT, R2, R3, PT"), guarded = parse("@P0 MOV R5, R2"), selects = parse("SEL R5, R2, R3, P0");
  issue(board, producer, 10);
  EXPECT_EQ(earliest_issue(board, guarded, 0), 13u);
  EXPECT_EQ(earliest_issue(board, selects, 0), 4u);
  EXPECT_TRUE(early(board, guarded, 12, 12).has_value());
  EXPECT_TRUE(early(board, guarded, 12, 12, 0).has_value()) << "whether lanes are active follows from the guard";
  EXPECT_FALSE(early(board, guarded, 13, 13).has_value());
  EXPECT_FALSE(early(board, selects, 4, 4).has_value());
}

TEST_F(scoreboard_test, a_result_comes_later_to_another_pipe) {
  links::operand_timing operands{6, 0, false};
  operands.other_pipe_cycles = 1;
  subcore::scoreboard board(operands, 4);
  const auto producer = parse("IADD3 R4, R2, R3, RZ");
  issue(board, producer, 10);
  EXPECT_EQ(earliest_issue(board, parse("LOP3.LUT R5, R4, R3, RZ, 0xc0, !PT"), 0), 4u);
  EXPECT_EQ(earliest_issue(board, parse("FADD R5, R4, R3"), 0), 5u);
  EXPECT_EQ(earliest_issue(board, parse("LDG.E R5, [R4.64]"), 0), 5u);
  EXPECT_EQ(earliest_issue(board, parse("STG.E [R2.64], R4"), 0), 4u) << "data are read late enough";
}

TEST_F(scoreboard_test, operands_that_are_read_late_may_come_late) {
  links::operand_timing operands{6, 0, false};
  operands.late = {2, 1, 3};
  subcore::scoreboard board(operands, 4);
  const auto low = parse("MOV R4, R2"), high = parse("MOV R5, R2");
  issue(board, low, 10);
  EXPECT_EQ(earliest_issue(board, parse("IMAD.WIDE R6, R2, R3, R4"), 0), 4u);
  issue(board, high, 11);
  EXPECT_EQ(earliest_issue(board, parse("IMAD.WIDE R6, R2, R3, R4"), 0), 4u);
  EXPECT_EQ(earliest_issue(board, parse("IMAD.HI R6, R2, R3, R4"), 0), 4u);
  EXPECT_EQ(earliest_issue(board, parse("IADD3 R6, R5, R3, RZ"), 0), 5u);
  EXPECT_EQ(earliest_issue(board, parse("STG.E [R2.64], R5"), 0), 4u);
  EXPECT_EQ(earliest_issue(board, parse("STG.E [R4.64], R2"), 0), 5u);
  EXPECT_EQ(earliest_issue(board, parse("F2F.F32.F64 R6, R4"), 0), 2u);
}

class wide_result : public scoreboard_test {
 protected:
  /// IMAD.WIDE of which the lower half is visible two cycles before the upper one, in cycle 10.
  void issue_wide(subcore::scoreboard& board, const isa::instruction& code) {
    auto& instruction = *in_flight_.emplace_back(std::make_unique<links::warp_instruction>());
    instruction.step.code = &code;
    instruction.warp = &warp_;
    instruction.result = instruction.promised_result = 10;
    instruction.lower_half_lead = 2;
    board.issued(instruction, 0);
  }
};

TEST_F(wide_result, has_a_lower_half_that_leads) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto producer = parse("IMAD.WIDE R4, R2, R3, R8");
  issue_wide(board, producer);
  EXPECT_EQ(earliest_issue(board, parse("MOV R6, R4"), 0), 2u);
  EXPECT_EQ(earliest_issue(board, parse("MOV R6, R5"), 0), 4u);
}

TEST_F(wide_result, has_a_carry_that_does_not_lead) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto producer = parse("IMAD.WIDE.U32 R4, P0, R2, R3, R8");
  issue_wide(board, producer);
  EXPECT_EQ(earliest_issue(board, parse("SEL R6, R2, R3, P0"), 0), 4u);
}

TEST_F(wide_result, without_a_stall_count_promises_nothing_by_them) {
  subcore::scoreboard board({6, 0, false}, 4);
  const auto producer = parse("IMAD.WIDE R4, R2, R3, R8");
  issue_wide(board, producer);
  EXPECT_FALSE(early(board, parse("MOV R6, R4"), 50, 1).has_value());
}

}  // namespace

}  // namespace scoreboard_test
