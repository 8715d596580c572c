// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/subcore/operands/operand_plans.hpp>

namespace operand_plan_test {

namespace {

using namespace tc;

/// A stream of one warp's instructions through the reuse cache of a register file.
class operand_stream {
 public:
  explicit operand_stream(unsigned banks = 2, config::bank_mapping mapping = config::bank_mapping::register_modulo)
      : mapping_(file(banks, mapping)), cache_(config::reuse_cache_parameters{}, banks), plans_(mapping_) {}
  explicit operand_stream(std::shared_ptr<subcore::shared_operand_plans> plans)
      : mapping_(file(2, config::bank_mapping::register_modulo)),
        cache_(config::reuse_cache_parameters{}, 2),
        plans_(mapping_, {}, std::move(plans)) {}

  const subcore::operand_plan& issue(const std::string& text, unsigned warp_slot = 0) {
    return issue(codes_.try_emplace(text, isa::parse_operation(text, isa::architecture::sm_80)).first->second, warp_slot);
  }

  const subcore::operand_plan& issue(const isa::instruction& code, unsigned warp_slot = 0) {
    const subcore::operand_plan& plan = plans_.of(code, warp_slot, cache_);
    EXPECT_EQ(&plan, &plans_.of(code, warp_slot, cache_));
    subcore::use_reuse_cache(code, warp_slot, mapping_, cache_);
    subcore::void_written_entries(code, warp_slot, cache_);
    return plan;
  }

  void launch(std::uint32_t kernel) {
    warp_.kernel = kernel;
    plans_.launch(warp_);
  }

  std::uint64_t changes(unsigned warp_slot) const { return cache_.changes(warp_slot); }

  /// Registers that the busiest bank delivers: the cycles an instruction occupies single-ported banks.
  unsigned bank_cycles(const std::string& text, unsigned warp_slot = 0) {
    const auto plan = issue(text, warp_slot);
    return *std::max_element(plan.registers_of_bank.begin(), plan.registers_of_bank.end());
  }

 private:
  static config::register_file_parameters file(unsigned banks, config::bank_mapping mapping) {
    config::register_file_parameters parameters;
    parameters.banks = banks;
    parameters.mapping = mapping;
    return parameters;
  }

  subcore::register_mapping mapping_;
  subcore::reuse_cache cache_;
  std::map<std::string, isa::instruction> codes_;
  subcore::operand_plans plans_;
  warp::warp_context warp_{};
};

TEST(operand_plans, are_made_once_for_each_way_in_which_the_reuse_cache_meets_an_instruction) {
  operand_stream stream;
  const std::string text = "FFMA R1, R2.reuse, R4, R6";
  const subcore::operand_plan *missed = &stream.issue(text), *hit = &stream.issue(text);
  EXPECT_NE(missed, hit);
  EXPECT_EQ(missed->reuse_hits, 0U);
  EXPECT_EQ(hit->reuse_hits, 1U);
  EXPECT_EQ(&stream.issue(text), hit);
  EXPECT_EQ(&stream.issue(text, 1), missed) << "another warp finds no entry";
}

TEST(operand_plans, differ_where_the_registers_of_warps_begin_in_different_banks) {
  operand_stream together, apart(2, config::bank_mapping::register_plus_warp_modulo);
  EXPECT_EQ(&together.issue("MOV R1, R4", 0), &together.issue("MOV R1, R4", 1));
  EXPECT_NE(&apart.issue("MOV R1, R4", 0), &apart.issue("MOV R1, R4", 1));
  EXPECT_EQ(&apart.issue("MOV R1, R4", 0), &apart.issue("MOV R1, R4", 2));
}

TEST(operand_plans, are_those_of_others_that_share_them_until_nobody_has_them) {
  const auto shared = std::make_shared<subcore::shared_operand_plans>();
  operand_stream first(shared), second(shared), alone;
  const isa::instruction code = isa::parse_operation("MOV R1, R4", isa::architecture::sm_80);
  const subcore::operand_plan& plan = first.issue(code);
  EXPECT_EQ(&second.issue(code), &plan);
  EXPECT_NE(&alone.issue(code), &plan);
  first.launch(1);
  EXPECT_NE(&first.issue(code), &plan) << "the instruction may be another in the same place";
  EXPECT_EQ(&second.issue(code), &plan) << "the other still runs the kernel before";
  second.launch(1);
  EXPECT_EQ(&second.issue(code), &first.issue(code));
}

// A plan that was made for a warp holds until this number grows.
TEST(operand_plan, is_made_anew_when_the_warps_entries_change) {
  operand_stream stream;
  stream.issue("FFMA R1, R2, R4, R6", 0);
  EXPECT_EQ(stream.changes(0), 0u) << "nothing was kept";
  stream.issue("FFMA R1, R2.reuse, R4, R6", 0);
  EXPECT_EQ(stream.changes(0), 1u) << "an entry has come";
  stream.issue("FFMA R1, R2.reuse, R4, R6", 0);
  EXPECT_EQ(stream.changes(0), 1u) << "it stays";
  stream.issue("FFMA R1, R10.reuse, R4, R6", 0);
  EXPECT_EQ(stream.changes(0), 3u) << "one for another";
  stream.issue("FFMA R1, R3, R5, R7", 1);
  EXPECT_EQ(stream.changes(0), 4u) << "another warp has issued";
  EXPECT_EQ(stream.changes(1), 0u);
  stream.issue("FFMA R1, R2.reuse, R4, R6", 1);
  stream.issue("IADD3 R2, R3, R5, R7", 1);
  EXPECT_EQ(stream.changes(1), 2u) << "the register was written";
}

// Jia et al., arXiv 1804.06826, figure 3.8: three distinct registers of one bank conflict, two do not.
TEST(operand_plan, three_sources_of_one_bank_take_three_reads) {
  EXPECT_EQ(operand_stream().bank_cycles("FFMA R6, R97, R99, R1"), 3u);
  EXPECT_EQ(operand_stream().bank_cycles("FFMA R6, R97, R99, R2"), 2u);
  EXPECT_EQ(operand_stream().bank_cycles("FFMA R16, R12, R80, R16"), 3u);
  EXPECT_EQ(operand_stream().bank_cycles("FFMA R17, R12, R80, R17"), 2u);
}

// Huerta et al., arXiv 2503.20481, section 5.3: FMUL with both sources in one bank has one bubble.
TEST(operand_plan, two_sources_of_one_bank_take_two_reads) {
  EXPECT_EQ(operand_stream().bank_cycles("FMUL R1, R2, R4"), 2u);
  EXPECT_EQ(operand_stream().bank_cycles("FMUL R1, R2, R5"), 1u);
}

// Recorded on an H200: a register named in two slots is read once.
TEST(operand_plan, same_register_in_two_slots_is_read_once) {
  EXPECT_EQ(operand_stream().bank_cycles("FFMA R1, R2, R2, R5"), 1u);
  EXPECT_EQ(operand_stream().bank_cycles("FFMA R1, R2, R2, R4"), 2u);
}

// Recorded on an H200: a reuse hit in one of two slots that name the same register does not serve the other.
TEST(operand_plan, reuse_hit_does_not_serve_another_slot) {
  operand_stream stream;
  stream.issue("FFMA R1, R2.reuse, R2, R4");
  EXPECT_EQ(stream.bank_cycles("FFMA R1, R2.reuse, R2, R4"), 2u);
}

// Recorded on an H200: FFMA of three even registers takes 3 cycles, with reuse on A 2, on A and B 1.
TEST(operand_plan, reuse_flags_take_reads_off_a_bank) {
  operand_stream none, a, a_and_b;
  none.issue("FFMA R1, R2, R4, R6");
  EXPECT_EQ(none.bank_cycles("FFMA R1, R2, R4, R6"), 3u);
  a.issue("FFMA R1, R2.reuse, R4, R6");
  EXPECT_EQ(a.bank_cycles("FFMA R1, R2.reuse, R4, R6"), 2u);
  a_and_b.issue("FFMA R1, R2.reuse, R4.reuse, R6");
  EXPECT_EQ(a_and_b.bank_cycles("FFMA R1, R2.reuse, R4.reuse, R6"), 1u);
}

// The four worked examples of Huerta et al., arXiv 2503.20481, section 5.3.1.
TEST(operand_plan, entry_lasts_until_its_slot_is_read_without_the_flag) {
  operand_stream stream;
  stream.issue("IADD3 R1, R2.reuse, R3, R4");
  EXPECT_EQ(stream.issue("FFMA R5, R2, R7, R8").reuse_hits, 1u);
  EXPECT_EQ(stream.issue("IADD3 R10, R2, R12, R13").reuse_hits, 0u);
}

TEST(operand_plan, entry_lasts_while_hits_set_the_flag) {
  operand_stream stream;
  stream.issue("IADD3 R1, R2.reuse, R3, R4");
  EXPECT_EQ(stream.issue("FFMA R5, R2.reuse, R7, R8").reuse_hits, 1u);
  EXPECT_EQ(stream.issue("IADD3 R10, R2, R12, R13").reuse_hits, 1u);
}

TEST(operand_plan, entry_serves_its_own_slot_only) {
  operand_stream stream;
  stream.issue("IADD3 R1, R2.reuse, R3, R4");
  EXPECT_EQ(stream.issue("FFMA R5, R7, R2, R8").reuse_hits, 0u);
}

TEST(operand_plan, another_register_of_the_bank_empties_the_entry_and_one_of_the_other_bank_does_not) {
  operand_stream same_bank, other_bank;
  same_bank.issue("IADD3 R1, R2.reuse, R3, R4");
  same_bank.issue("FFMA R5, R4, R7, R8");
  EXPECT_EQ(same_bank.issue("IADD3 R10, R2, R12, R13").reuse_hits, 0u);
  other_bank.issue("IADD3 R1, R2.reuse, R3, R4");
  other_bank.issue("FFMA R5, R7, R7, R8");
  EXPECT_EQ(other_bank.issue("IADD3 R10, R2, R12, R13").reuse_hits, 1u);
}

TEST(operand_plan, another_warp_empties_the_cache) {
  operand_stream stream;
  stream.issue("IADD3 R1, R2.reuse, R3, R4", 0);
  stream.issue("MOV R9, R11", 1);
  EXPECT_EQ(stream.issue("FFMA R5, R2, R7, R8", 0).reuse_hits, 0u);
}

TEST(operand_plan, write_voids_the_entry) {
  operand_stream stream;
  stream.issue("IADD3 R1, R2.reuse, R3, R4");
  stream.issue("MOV R2, R11");
  EXPECT_EQ(stream.issue("FFMA R5, R2, R7, R8").reuse_hits, 0u);
}

TEST(operand_plan, accumulators_of_a_warpgroup_void_their_entries) {
  operand_stream stream;
  stream.issue("FFMA R1, R26.reuse, R4, R6");
  EXPECT_EQ(stream.issue("FFMA R1, R26.reuse, R4, R6").reuse_hits, 1U);
  const isa::instruction product = isa::parse_operation(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R24, R25, R26, R27}, 0x1000080040, 0x10000800c0, 1, 1, 1, 0, 0",
      isa::architecture::sm_90);
  stream.issue(product);
  EXPECT_EQ(stream.issue("FFMA R1, R26.reuse, R4, R6").reuse_hits, 0U);
}

TEST(operand_plan, matrix_operands_need_one_transaction_for_each_bank) {
  const auto plan = operand_stream().issue("HMMA.16816.F32 R4, R8, R12, R4");
  EXPECT_EQ(plan.read_count, 6u);
  EXPECT_EQ(plan.registers_of_bank[0], 5u);
  EXPECT_EQ(plan.registers_of_bank[1], 5u);
}

TEST(operand_plan, matrix_pair_fills_both_entries_of_its_slot) {
  operand_stream stream;
  stream.issue("HMMA.1688.F32 R4, R8.reuse, R12, R4");
  EXPECT_EQ(stream.issue("HMMA.1688.F32 R4, R8, R13, R4").reuse_hits, 2u);
}

TEST(operand_plan, registers_of_one_bank_follow_each_other) {
  const auto plan = operand_stream().issue("HMMA.16816.F32 R4, R8, R12, R4");
  const auto& a = plan.sources[0];
  ASSERT_EQ(a.count, 4u);
  EXPECT_EQ(a.position[2], a.position[0] + 1);
  EXPECT_EQ(a.position[3], a.position[1] + 1);
}

TEST(operand_plan, zero_register_is_not_read) {
  const auto plan = operand_stream().issue("HMMA.1688.F32 R4, R8, R12, RZ");
  EXPECT_EQ(plan.registers_of_bank[0] + plan.registers_of_bank[1], 3);
  EXPECT_NE(plan.zero_position, subcore::operand_plan::no_position);
}

TEST(operand_plan, addresses_are_read_too) {
  const auto plan = operand_stream().issue("STG.E.64 [R2.64+0x10], R8");
  EXPECT_EQ(plan.registers_of_bank[0], 2u);
  EXPECT_EQ(plan.registers_of_bank[1], 2u);
}

TEST(operand_plan, constant_addend_of_a_wide_product_takes_two_words) {
  const auto plan = operand_stream().issue("IMAD.WIDE R2, R4, R5, c[0x0][0x160]");
  EXPECT_EQ(plan.sources[2].count, 2u);
  EXPECT_EQ(operand_stream().issue("IMAD R2, R4, R5, c[0x0][0x160]").sources[2].count, 1u);
}

TEST(operand_plan, constants_come_from_elsewhere_unless_a_register_says_which) {
  const auto from_elsewhere = [](const std::string& text) {
    const auto plan = operand_stream().issue(text);
    return plan.outside_banks.end() - plan.outside_banks.begin();
  };
  EXPECT_EQ(from_elsewhere("MOV R2, c[0x0][0x160]"), 1);
  EXPECT_EQ(from_elsewhere("LDC R2, c[0x3][RZ+0x10]"), 1);
  EXPECT_EQ(from_elsewhere("LDC R2, c[0x3][R4+0x10]"), 0);
}

TEST(operand_plan, warp_can_be_part_of_the_mapping) {
  operand_stream stream(4, config::bank_mapping::register_plus_warp_modulo);
  EXPECT_EQ(stream.issue("MOV R1, R4", 0).registers_of_bank[0], 1u);
  EXPECT_EQ(stream.issue("MOV R1, R4", 3).registers_of_bank[3], 1u);
}

// Property: whatever the mapping, each register of a warp has a row of its own.
TEST(register_mapping, gives_each_register_its_own_row) {
  for (const unsigned banks : {1u, 2u, 4u, 8u, 32u}) {
    for (const auto kind : {config::bank_mapping::register_modulo, config::bank_mapping::register_plus_warp_modulo}) {
      config::register_file_parameters parameters;
      parameters.banks = banks;
      parameters.mapping = kind;
      const subcore::register_mapping mapping(parameters);
      std::vector<bool> taken(std::size_t{banks} * mapping.rows_per_warp() * 4);
      for (unsigned warp = 0; warp < 4; ++warp)
        for (unsigned index = 0; index < subcore::register_mapping::registers_per_warp; ++index) {
          const auto at = mapping.locate(warp, index);
          const std::size_t row = at.bank * std::size_t{mapping.rows_per_warp()} * 4 + at.row;
          ASSERT_FALSE(taken.at(row)) << banks << " banks, warp " << warp << ", R" << index;
          taken[row] = true;
        }
    }
  }
}

}  // namespace

}  // namespace operand_plan_test
