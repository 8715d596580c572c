#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/special_register.hpp>

namespace tc::isa {
namespace {

TEST(Opcode, IsFoundByItsMnemonic) {
  for (unsigned n = 0; n <= static_cast<unsigned>(opcode::bpt); ++n) {
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

TEST(Opcode, ExistsFromItsFirstArchitectureOn) {
  EXPECT_NO_THROW(parse_operation("LDSM.16.M88 R4, [R5]", architecture::sm_75));
  EXPECT_THROW(parse_operation("LDSM.16.M88 R4, [R5]", architecture::sm_70), syntax_error);
  EXPECT_NO_THROW(parse_operation("VIADD R4, R5, 0x1", architecture::sm_90));
  EXPECT_THROW(parse_operation("VIADD R4, R5, 0x1", architecture::sm_89), syntax_error);
}

TEST(Architecture, IsFoundByItsName) {
  for (const char* text : {"sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100"}) {
    ASSERT_TRUE(find_architecture(text)) << text;
    EXPECT_EQ(name(*find_architecture(text)), text);
  }
  EXPECT_FALSE(find_architecture("sm_71"));
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
}  // namespace tc::isa
