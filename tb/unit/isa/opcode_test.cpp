// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/special_register.hpp>

namespace tc::isa::opcode_test {
namespace {

TEST(Opcode, IsFoundByItsMnemonic) {
  for (std::size_t n = 0; n < opcode_count; ++n) {
    const opcode_info& row = info(static_cast<opcode>(n));
    ASSERT_NE(find_opcode(row.mnemonic), nullptr) << row.mnemonic;
    EXPECT_EQ(find_opcode(row.mnemonic)->op, row.op) << row.mnemonic;
    EXPECT_LE(row.min_sources, row.max_sources) << row.mnemonic;
    EXPECT_LE(row.max_sources, instruction::max_sources) << row.mnemonic;
  }
  EXPECT_EQ(find_opcode("FROB"), nullptr);
}

TEST(Opcode, QueuedInstructionsAreThoseWithAnUnknownLatency) {
  for (const char* queued : {"LDS",  "STS",  "LDG",  "STG",  "LD",  "ST",   "LDSM", "LDC", "ULDC", "S2R",    "S2UR", "MUFU",
                             "DADD", "DFMA", "SHFL", "POPC", "FLO", "BREV", "F2F",  "F2I", "I2F",  "MEMBAR", "MOVM", "ATOMG"}) {
    EXPECT_TRUE(is_queued(find_opcode(queued)->op)) << queued;
  }
  for (const char* fixed : {"IADD3", "IMAD", "LOP3", "MOV", "FFMA", "HFMA2", "HMMA", "IMMA", "BMMA", "DMMA", "CS2R", "R2UR", "UIADD3",
                            "UMOV", "BRA", "EXIT", "NOP"}) {
    EXPECT_FALSE(is_queued(find_opcode(fixed)->op)) << fixed;
  }
}

TEST(Opcode, GoesToItsUnit) {
  EXPECT_EQ(unit_of(opcode::hmma), execution_unit::tensor);
  EXPECT_EQ(unit_of(opcode::imad), execution_unit::fp32);
  EXPECT_EQ(unit_of(opcode::iadd3), execution_unit::integer);
  EXPECT_EQ(unit_of(opcode::ldc), execution_unit::constant_load);
  EXPECT_EQ(unit_of(opcode::ldsm), execution_unit::load_store);
  EXPECT_EQ(unit_of(opcode::uiadd3), execution_unit::uniform);
}

TEST(Opcode, OnlyRegisterFileMatrixInstructionsAreMma) {
  EXPECT_TRUE(is_mma(opcode::hmma));
  EXPECT_TRUE(is_mma(opcode::dmma));
  EXPECT_FALSE(is_mma(opcode::movm));
  EXPECT_FALSE(is_mma(opcode::nop));
}

TEST(Opcode, HasAMemoryUseExactlyIfItsUnitGoesToMemory) {
  for (std::size_t n = 0; n < opcode_count; ++n) {
    const opcode_info& row = info(static_cast<opcode>(n));
    const bool goes_to_memory = row.unit == execution_unit::load_store || row.unit == execution_unit::constant_load;
    EXPECT_EQ(row.memory.action != memory_action::none, goes_to_memory) << row.mnemonic;
    const bool has_address = row.widths == width_rule::load || row.widths == width_rule::store || row.widths == width_rule::atomic ||
                             row.widths == width_rule::copy || row.widths == width_rule::load_matrix ||
                             row.widths == width_rule::store_matrix;
    EXPECT_EQ(row.memory.space != memory_space::none, has_address) << row.mnemonic;
  }
}

TEST(Opcode, ExistsFromItsFirstArchitectureOn) {
  EXPECT_NO_THROW(parse_operation("LDSM.16.M88 R4, [R5]", architecture::sm_75));
  EXPECT_THROW(parse_operation("LDSM.16.M88 R4, [R5]", architecture::sm_70), syntax_error);
  EXPECT_NO_THROW(parse_operation("VIADD R4, R5, 0x1", architecture::sm_90));
  EXPECT_THROW(parse_operation("VIADD R4, R5, 0x1", architecture::sm_89), syntax_error);
}

TEST(Architecture, IsFoundByItsName) {
  for (const char* text : {"sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
    ASSERT_TRUE(find_architecture(text)) << text;
    EXPECT_EQ(name(*find_architecture(text)), text);
  }
  EXPECT_FALSE(find_architecture("sm_71"));
  EXPECT_EQ(find_architecture("sm_90a"), architecture::sm_90) << "with instructions that only Hopper has";
  EXPECT_EQ(find_architecture("sm_100f"), architecture::sm_100) << "and of a family";
  EXPECT_FALSE(find_architecture("sm_80a")) << "which no compiler knows";
  EXPECT_FALSE(find_architecture("a"));
  EXPECT_FALSE(find_architecture(""));
  EXPECT_EQ(architecture_names(), "sm_70, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_120");
  EXPECT_EQ(architecture_names([](const architecture_info& row) { return row.clusters; }), "sm_90, sm_100, sm_120");
}

TEST(Architecture, OfAChipWithoutARowIsTheOneThatItsCodeIsLike) {
  EXPECT_EQ(find_related_architecture("sm_80"), architecture::sm_80);
  EXPECT_EQ(find_related_architecture("sm_72"), architecture::sm_70);
  EXPECT_EQ(find_related_architecture("sm_87"), architecture::sm_86);
  EXPECT_EQ(find_related_architecture("sm_103a"), architecture::sm_100);
  EXPECT_EQ(find_related_architecture("sm_121"), architecture::sm_120);
  EXPECT_FALSE(find_related_architecture("sm_61"));
}

TEST(Architecture, OfGeForceBlackwellHasAdasProductsAndNoTensorMemory) {
  EXPECT_NO_THROW(parse_operation("QMMA.16832.F32.E4M3.E4M3 R8, R4, R8, RZ", architecture::sm_120));
  EXPECT_NO_THROW(parse_operation("LDCU.64 UR4, c[0x0][0x358]", architecture::sm_120));
  EXPECT_THROW(parse_operation("tcgen05.wait::ld.sync.aligned", architecture::sm_120), syntax_error);
  try {
    parse_operation("QMMA.16832.F32.E4M3.E4M3 R8, R4, R8, RZ", architecture::sm_100);
    ADD_FAILURE() << "sm_100 converts instead";
  } catch (const syntax_error& error) {
    EXPECT_STREQ(error.what(), "QMMA.16832 of 'e4m3' elements does not exist on sm_100: sm_89 only, sm_120 only");
  }
}

/// Rows that compiled code contradicts: the first byte of the parameters as listings of each architecture read it.
TEST(Architecture, PassesParametersBehindTheSystemsConstants) {
  EXPECT_EQ(info(architecture::sm_75).parameter_offset, 0x160u);
  EXPECT_EQ(info(architecture::sm_80).parameter_offset, 0x160u);
  EXPECT_EQ(info(architecture::sm_90).parameter_offset, 0x210u);
  EXPECT_EQ(info(architecture::sm_100).parameter_offset, 0x380u);
  EXPECT_EQ(info(architecture::sm_90).grid_extents_offset, 0xcu);
  EXPECT_EQ(info(architecture::sm_100).block_extents_offset, 0x360u);
  EXPECT_EQ(info(architecture::sm_100).grid_extents_offset, 0x370u);
}

TEST(Architecture, RangesFromOneOnReachTheNewest) {
  EXPECT_TRUE(architecture_range::from(architecture::sm_80).contains(newest_architecture));
  EXPECT_FALSE(architecture_range::from(architecture::sm_80).contains(architecture::sm_75));
  EXPECT_EQ(describe(architecture_range::from(architecture::sm_80)), "sm_80 and later");
  EXPECT_EQ(describe(ada_only), "sm_89 only");
  EXPECT_EQ(describe(turing_to_ada), "sm_75 to sm_89");
}

TEST(SpecialRegister, IsFoundByItsName) {
  for (unsigned n = 0; n <= static_cast<unsigned>(special_register::machine_id_1); ++n) {
    const auto reg = static_cast<special_register>(n);
    EXPECT_EQ(find_special_register(name(reg)), reg);
  }
  EXPECT_FALSE(find_special_register("SR_FROB"));
  EXPECT_TRUE(is_clock(special_register::clock_low));
  EXPECT_FALSE(is_clock(special_register::tid_x));
}

}  // namespace
}  // namespace tc::isa::opcode_test
