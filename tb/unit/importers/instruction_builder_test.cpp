// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <gtest/gtest.h>

#include <tc/importers/instruction_builder.hpp>
#include <tc/isa/instruction_parser.hpp>

namespace tc::importers::instruction_builder_test {
namespace {

using isa::architecture;

register_list registers(const std::vector<int>& numbers) {
  register_list list;
  for (const int number : numbers) list.push_back(static_cast<std::uint8_t>(number));
  return list;
}

struct recording {
  const char* opcode;
  std::vector<int> destinations, sources;
  const char* text;
  architecture arch = architecture::sm_80;
  bool has_immediate = false;
};

class instruction_builder : public testing::TestWithParam<recording> {};

TEST_P(instruction_builder, gives_the_recorded_registers_their_places) {
  const recording& given = GetParam();
  const std::string text =
      instruction_text({given.opcode, registers(given.destinations), registers(given.sources), given.has_immediate}, given.arch);
  EXPECT_EQ(text, given.text);
  EXPECT_NO_THROW(isa::parse_operation(text, given.arch));
}

INSTANTIATE_TEST_SUITE_P(
    opcodes, instruction_builder,
    testing::Values(
        recording{"FFMA", {1}, {2, 3, 4}, "FFMA R1, R2, R3, R4"}, recording{"FFMA", {1}, {2, 4}, "FFMA R1, R2, R4, 0x0"},
        recording{"IMAD.WIDE", {4}, {2, 6}, "IMAD.WIDE R4, R2, 0x0, R6", architecture::sm_80, true},
        recording{"IMAD.WIDE", {4}, {2, 7}, "IMAD.WIDE R4, R2, R7, 0x0"}, recording{"MOV", {1}, {}, "MOV R1, 0x0"},
        recording{"S2R", {1}, {}, "S2R R1, SRZ"}, recording{"HMMA.16816.F32", {16}, {8, 4, 255}, "HMMA.16816.F32 R16, R8, R4, RZ"},
        recording{"DFMA", {2}, {4, 6}, "DFMA R2, R4, R6, 0x0"}, recording{"LDG.E.128", {8}, {4}, "LDG.E.128 R8, [R4]"},
        recording{"LDG.E", {8}, {5}, "LDG.E R8, [R5.U32]"}, recording{"STG.E.64", {}, {4, 8}, "STG.E.64 [R4], R8"},
        recording{"STS", {}, {8}, "STS [RZ], R8"}, recording{"LDGSTS.E.BYPASS.128", {}, {3, 4}, "LDGSTS.E.BYPASS.128 [R3], [R4]"},
        recording{"LDSM.16.M88.4", {8}, {3}, "LDSM.16.M88.4 R8, [R3]"}, recording{"LDC.64", {8}, {}, "LDC.64 R8, c[0x0][0x0]"},
        recording{"ULDC.64", {}, {}, "ULDC.64 URZ, c[0x0][0x0]"}, recording{"UIADD3", {}, {}, "UIADD3 URZ, 0x0, 0x0, 0x0"},
        recording{"R2UR", {}, {7}, "R2UR URZ, R7"}, recording{"SHFL.BFLY", {}, {5, 2}, "SHFL.BFLY PT, R5, R2, 0x0, 0x0"},
        recording{"LOP3.LUT", {}, {255, 2, 255}, "LOP3.LUT PT, RZ, R2, RZ, 0x0, 0x0, PT"},
        recording{"ATOMG.E.ADD.STRONG.GPU", {}, {2, 4, 6}, "ATOMG.E.ADD.STRONG.GPU PT, R2, [R4], R6"},
        recording{"ATOMS.ADD", {2}, {3, 6}, "ATOMS.ADD R2, [R3], R6"},
        recording{"ISETP.GE.AND", {}, {2, 3}, "ISETP.GE.AND PT, PT, R2, R3, PT"}, recording{"RET.REL.NODEC", {20}, {}, "RET.REL.NODEC R20"},
        recording{"BSSY", {}, {}, "BSSY B0"}, recording{"DEPBAR.LE", {}, {}, "DEPBAR.LE SB0"},
        recording{"VOTE.ALL", {}, {}, "VOTE.ALL PT, PT"}, recording{"ELECT", {}, {}, "ELECT PT, PT", architecture::sm_90},
        recording{"PLOP3.LUT", {}, {}, "PLOP3.LUT PT, PT, PT, PT, PT, 0x0, 0x0"},
        recording{"LEA.HI", {4}, {2, 3}, "LEA.HI R4, R2, R3, 0x0, 0x0"}, recording{"P2R", {4}, {2}, "P2R R4, PT, R2"}));

TEST(instruction_builder_errors, opcodes_of_another_architecture_are_unknown) {
  EXPECT_THROW(instruction_text({"LDGSTS.E", {}, registers({2, 4}), false}, architecture::sm_70), isa::syntax_error);
  EXPECT_THROW(instruction_text({"HGMMA.64x8x16.F32", {}, {}, false}, architecture::sm_90), isa::syntax_error);
}

TEST(shared_memory_opcode, has_the_width_of_the_generic_access) {
  const auto opcode = [](const char* text) { return shared_memory_opcode(isa::parse_operation(text, architecture::sm_70)); };
  EXPECT_EQ(opcode("LD.E.SYS R0, [R2]"), "LDS");
  EXPECT_EQ(opcode("LD.E.S16 R0, [R2]"), "LDS.S16");
  EXPECT_EQ(opcode("ST.E.128 [R2], R4"), "STS.128");
  EXPECT_EQ(opcode("LDG.E R0, [R2]"), "");
  EXPECT_EQ(opcode("ATOM.E.ADD R0, [R2], R4"), "");
}

}  // namespace
}  // namespace tc::importers::instruction_builder_test
