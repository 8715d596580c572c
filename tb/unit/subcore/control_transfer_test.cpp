// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/subcore/issue/control_transfer.hpp>

namespace tc::subcore::control_transfer_test {

struct transfer {
  const char* name;
  const char* code;
  std::uint32_t lanes;  ///< in front, of a warp whose lanes are known; 0: of a trace, whose instruction all lanes execute
  std::uint32_t next_pc, next_lanes;
  fabric::cycle_t cycles;
};

std::string name_of(const testing::TestParamInfo<transfer>& info) { return info.param.name; }

class control_transfer : public testing::TestWithParam<transfer> {};

TEST_P(control_transfer, takes_its_cycles) {
  config::branch_parameters parameters;
  parameters.taken_cycles = 1;
  parameters.computed_cycles = 10;
  parameters.divergence_cycles = 100;
  parameters.convergence_cycles = 1000;
  parameters.reconvergence_cycles = 10000;
  parameters.switch_cycles = 100000;
  const isa::instruction code = isa::parse_instruction(std::string("/*0100*/ ") + GetParam().code, isa::architecture::sm_90);
  const bool is_known = GetParam().lanes != 0;
  warp::warp_step next;
  next.pc = GetParam().next_pc;
  next.mask = GetParam().next_lanes;
  EXPECT_EQ(transfer_cycles(parameters, {&code, 0x100, is_known ? GetParam().lanes : ~0U, is_known}, next), GetParam().cycles);
}

constexpr std::uint32_t all = ~0U, half = 0xffff, other_half = 0xffff0000;

INSTANTIATE_TEST_SUITE_P(all, control_transfer,
                         testing::Values(transfer{"not_taken", "@P0 BRA `(.L_1)", all, 0x110, all, 0},
                                         transfer{"taken", "BRA `(.L_1)", all, 0x200, all, 1},
                                         transfer{"taken_in_a_trace", "@P0 BRA `(.L_1)", 0, 0x200, half, 1},
                                         transfer{"call", "CALL.REL.NOINC `(.L_1)", all, 0x400, all, 1},
                                         transfer{"others_wait_at_the_branch", "@P0 BRA `(.L_1)", all, 0x110, half, 0},
                                         transfer{"the_fewer_go_elsewhere_first", "@P0 BRA `(.L_1)", all, 0x200, 1, 101},
                                         transfer{"others_go_on_where_these_loop", "BRA `(.L_1)", half, 0x300, other_half, 100000},
                                         transfer{"returns", "RET.REL.NODEC R2 `(f)", all, 0x300, all, 10},
                                         transfer{"all_come_together", "BSYNC B0", all, 0x110, all, 1000},
                                         transfer{"others_have_waited", "BSYNC B0", half, 0x110, all, 10000},
                                         transfer{"others_have_waited_in_a_trace", "BSYNC B0", half, 0x110, all, 10000},
                                         transfer{"waits_for_others", "BSYNC B0", half, 0x200, other_half, 100000},
                                         transfer{"has_ended", "EXIT", half, 0x200, other_half, 100000},
                                         transfer{"sets_a_barrier", "BSSY B0, `(.L_1)", all, 0x110, all, 0}),
                         name_of);

}  // namespace tc::subcore::control_transfer_test
