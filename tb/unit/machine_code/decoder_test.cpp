// SPDX-License-Identifier: Apache-2.0
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <tc/machine_code/cubin.hpp>
#include <tc/machine_code/decoder.hpp>

#include "kernel_files.hpp"

namespace decoder_test {

using namespace tc;
using machine_code::decoder;

/// Spaces at the end, which nvdisasm writes behind infinities, say nothing.
std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string text_of(isa::architecture arch, const char* word, std::uint64_t pc = 0) {
  return decoder(arch).text(isa::parse_word(word), pc).value_or("none");
}

TEST(decoder, writes_what_nvdisasm_writes_of_every_word_of_kernels_for_each_architecture) {
  for (const auto& target : test::kernel_targets()) {
    const machine_code::cubin code(target, test::cubin_bytes(target));
    const decoder decoder(code.arch());
    const auto expected = test::disassembled(target);
    ASSERT_EQ(expected.size(), code.functions().size());
    for (const auto& function : code.functions()) {
      const auto& texts = expected.at(function.name);
      ASSERT_EQ(texts.size(), function.words.size());
      for (std::size_t i = 0; i < texts.size(); ++i)
        EXPECT_EQ(trimmed(decoder.text(function.words[i], i * 16).value_or("none")), trimmed(texts[i]))
            << target << ' ' << function.name << ' ' << isa::text_of(function.words[i]);
    }
  }
}

TEST(decoder, says_guard_modifiers_signs_and_reuse) {
  EXPECT_EQ(text_of(isa::architecture::sm_80, "0000000803068210 000fe20007ffe0ff"), "@!P0 IADD3 R6, R3, R8, RZ");
  EXPECT_EQ(text_of(isa::architecture::sm_80, "8000000803067210 000fe20007ffe0ff"), "IADD3 R6, R3, -R8, RZ");
  EXPECT_EQ(text_of(isa::architecture::sm_80, "0000000800087223 040fe2000001e0ff"), "FFMA.FTZ.RZ.SAT R8, R0.reuse, R8, RZ");
}

/// What nvdisasm 13.0 writes of words that ptxas 13.0 makes of instructions of PTX that few kernels have.
TEST(decoder, knows_forms_that_few_kernels_have) {
  for (const auto arch :
       {isa::architecture::sm_75, isa::architecture::sm_80, isa::architecture::sm_86, isa::architecture::sm_89, isa::architecture::sm_90}) {
    EXPECT_EQ(text_of(arch, "000000230000721f 000fe40000700202"), "PLOP3.LUT P0, PT, R0.SIGN, R35.SIGN, R2.SIGN, 0x2, 0x0");  // add.sat
    EXPECT_EQ(text_of(arch, "0080000005007a1f 000fc40000702000"), "PLOP3.LUT P0, PT, R5.SIGN, c[0x2][0x0].SIGN, R0.SIGN, 0x20, 0x0");
  }
  const std::pair<const char*, const char*> words[] = {
      {"00000004ffff79aa 000e220008000100", "QSPC.E.G P0, RZ, [RZ.U32+UR4]"},             // isspacep of a uniform register
      {"0000000108047547 001fea000b800000", "BRA.U !UP0, 0x20"},                          // fence.proxy.alias
      {"0000000780007352 001fcc0000000000", "RPCMOV.32 Rpc.HI, R7"},                      // mbarrier.arrive.noComplete
      {"0000000080077353 000fc80000000000", "RPCMOV.32 R7, Rpc.HI"},                      //
      {"00000000050079b1 008fe6000800003f", "SYNCS.CCTL.IV [R5+URZ]"},                    // mbarrier.inval
      {"00000006050073bb 0003d800080a0404", "UBLKRED.G.S.ADD.F32.RN [UR6], [UR5], UR4"},  // cp.reduce.async.bulk
      {"00000006050073bb 0001d80008000604", "UBLKRED.S.S.ADD [UR6], [UR5], UR4"},
      {"00000006050073bb 0003d800080a1404", "UBLKRED.G.S.ADD.F32.RN [UR6], [UR5], UR4, desc[UR0]"},
      {"00000000060073bc 0001e20008000004", "UBLKPF.L2 [UR6], UR4"},                        // cp.async.bulk.prefetch
      {"00000006040075b8 0001e60008008000", "UTMAPF.L2.2D [UR6], [UR4]"},                   // the same of a tensor
      {"00000000040779a4 010f28000881437f", "LDGMC.E.MIN.S32.STRONG.SYS R7, [R4.64+URZ]"},  // multimem.ld_reduce
      {"0000000704007dbe 008fe8000800013f", "REDAS.ADD [R4.64], R7"}};                      // red.async
  for (const auto& [word, text] : words) EXPECT_EQ(text_of(isa::architecture::sm_90, word), text);
}

TEST(decoder, tells_architectures_apart) {
  const char* const load = "0000000406118981 000ea8000c1e1500";
  EXPECT_EQ(text_of(isa::architecture::sm_80, load), "@!P0 LDG.E.U16 R17, [R6.64]");
  EXPECT_EQ(text_of(isa::architecture::sm_90, load), "@!P0 LDG.E.U16 R17, desc[UR4][R6.64]");
}

TEST(decoder, counts_branches_from_the_next_instruction) {
  const auto word = isa::parse_word("fffffffc00fc7947 000fc0000383ffff");
  const decoder hopper(isa::architecture::sm_90);
  EXPECT_EQ(hopper.text(word, 0x120), "BRA 0x120");
  EXPECT_EQ(hopper.target(word, 0x120), 0x120U);
  EXPECT_EQ(hopper.target(isa::parse_word("0000000803067210 000fe20007ffe0ff"), 0), std::nullopt);
}

TEST(decoder, has_no_text_for_an_opcode_that_is_none) {
  EXPECT_EQ(decoder(isa::architecture::sm_90).text({0xfff, 0}), std::nullopt);
  EXPECT_EQ(decoder(isa::architecture::sm_80).text({0xdf0, 0}), std::nullopt) << "HGMMA came with Hopper";
}

TEST(decoder, refuses_an_architecture_without_tables) {
  EXPECT_FALSE(machine_code::can_decode(isa::architecture::sm_100));
  EXPECT_THROW(decoder{isa::architecture::sm_100}, std::invalid_argument);
}

TEST(decoder, decodes_every_form_with_any_other_bits) {
  std::mt19937_64 random(41);
  for (const auto& row : isa::all_architectures()) {
    if (!machine_code::can_decode(row.arch)) continue;
    const decoder decoder(row.arch);
    for (const auto* form : decoder.forms())
      for (int i = 0; i < 20; ++i) {
        isa::instruction_word word{random(), random()};
        word.low = (word.low & ~std::uint64_t{0xfff}) | form->opcode;
        word.low = (word.low & ~form->mask.low) | form->value.low;
        word.high = (word.high & ~form->mask.high) | form->value.high;
        EXPECT_TRUE(decoder.text(word).has_value() || form->power.range_count != 0) << form->mnemonic << ' ' << isa::text_of(word);
      }
  }
}

TEST(decoder, has_no_form_that_others_hide) {
  for (const auto& row : isa::all_architectures()) {
    if (!machine_code::can_decode(row.arch)) continue;
    const decoder decoder(row.arch);
    for (const auto* form : decoder.forms()) {
      bool is_found = false;
      std::mt19937_64 random(7);
      for (int i = 0; i < 4000 && !is_found; ++i) {
        isa::instruction_word word{random(), random()};
        if (form->power.range_count != 0) word.low = std::uint64_t{1} << (34U + static_cast<unsigned>(i) % 8U);
        word.low = (word.low & ~std::uint64_t{0xfff}) | form->opcode;
        word.low = (word.low & ~form->mask.low) | form->value.low;
        word.high = (word.high & ~form->mask.high) | form->value.high;
        is_found = decoder.find(word) == form;
      }
      EXPECT_TRUE(is_found) << form->mnemonic << " of line " << form->line << " on " << row.name;
    }
  }
}

}  // namespace decoder_test
