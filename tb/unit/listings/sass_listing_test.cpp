// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <scratch_folder.hpp>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/listings/sass_listing.hpp>
#include <tc/trace/trace_error.hpp>

#include "sass_text.hpp"

namespace tc::listings::sass_listing_test {
namespace {

using test::sass_text;

class sass_listing : public testing::Test {
 protected:
  sass_kernel read(const std::string& text, const std::string& kernel = {}, std::size_t max_instructions = max_listed_instructions,
                   std::optional<isa::architecture> arch = std::nullopt) const {
    return read_sass(test::write_text(folder_.path(), text), kernel, max_instructions, arch);
  }
  /// What the error says behind the file's name.
  std::string error_of(const std::string& text, const std::string& kernel = {},
                       std::size_t max_instructions = max_listed_instructions) const {
    try {
      read(text, kernel, max_instructions);
    } catch (const trace::trace_error& error) {
      const std::string message = error.what();
      return message.substr(message.find("kernel.sass:") + sizeof("kernel.sass:") - 1);
    }
    return "no error";
  }

 private:
  scratch_folder folder_;
};

TEST_F(sass_listing, holds_words_labels_and_registers) {
  const sass_kernel kernel = read(sass_text("sm_90a", {"MOV R1, 0x2", ".L_x_0", "@!P0 BRA `(.L_x_0)", "EXIT"}));
  EXPECT_EQ(kernel.arch, isa::architecture::sm_90) << "sm_90a is sm_90 with more instructions";
  EXPECT_EQ(kernel.name, "kernel");
  EXPECT_EQ(kernel.registers, 40U);
  EXPECT_EQ(kernel.labels.at(".L_x_0"), 0x10U);
  ASSERT_EQ(kernel.code.size(), 3U);
  EXPECT_EQ(kernel.code[1].text, "@!P0 BRA `(.L_x_0)");
  EXPECT_EQ(kernel.code[1].line, 7U);
  EXPECT_EQ(isa::fields_of(kernel.code[1].word).control.stall_cycles, 4);
}

TEST_F(sass_listing, keeps_the_kernel_that_is_asked_for) {
  const std::string two = sass_text("sm_75", {"EXIT"}) + "\t.section\t.text.other,\"ax\",@progbits\n";
  EXPECT_EQ(read(two, "kernel").code.size(), 1U);
  EXPECT_EQ(error_of(two), "2:1: 2 kernels; name the one to import: kernel, other");
  EXPECT_EQ(error_of(two, "third"), "1:1: no kernel 'third'; there are kernel, other");
}

TEST_F(sass_listing, has_no_more_instructions_than_it_may) {
  const std::string three = sass_text("sm_75", {"MOV R1, 0x2", "NOP", "EXIT"});
  EXPECT_EQ(read(three, {}, 3).code.size(), 3U);
  EXPECT_EQ(error_of(three, {}, 2), "8:1: more than 2 instructions in the kernel");
}

TEST_F(sass_listing, says_what_is_wrong_and_where) {
  const std::string head = sass_text("sm_75", {});
  const auto expect = [&](const std::string& text, const std::string& place, const std::string& words) {
    const std::string error = error_of(text);
    EXPECT_EQ(error.rfind(place, 0), 0U) << error;
    EXPECT_NE(error.find(words), std::string::npos) << error;
  };
  expect("nothing like it\n", "1:1", "no kernel");
  expect(head, "2:1", "no instructions");
  expect(sass_text("sm_61", {"EXIT"}), "1:10", "unknown target 'sm_61'");
  expect(head + "/*0000*/ EXIT ;\n", "4:16", "nvdisasm -hex");
  expect(head + "/*0000*/ EXIT /* 0x0000000000000000 */\n", "4:10", "no ';'");
  expect(head + "/*0000*/ EXIT ; /* 0x00 */\n", "4:22", "half of a word");
  expect(head + "/*0000*/ EXIT ; /* 0x0000000000000000 */\n", "4:1", "cut off");
  expect(head + "/*0000*/ NOP ; /* 0x0000000000000000 */\n/*0010*/ EXIT ; /* 0x0000000000000000 */\n", "5:3", "nvdisasm -hex");
  expect(head + "/*0010*/ EXIT ; /* 0x0000000000000000 */\n", "4:3", "must be 0000");
  expect(head.substr(head.find('\n') + 1) + "/*0000*/ EXIT ; /* 0x0000000000000000 */\n/* 0x000fe800000000ff */\n", "1:1", ".target");
}

/// "/*0010*/ NOP ; /* word */" and its second line, for all of the texts.
std::string code_text(const std::vector<std::string>& code) {
  std::string text;
  for (const std::string& each : code)
    text += fmt::format("\t/*{:04x}*/ {} ; /* 0x0000000000000000 */\n\t/* 0x000fe800000000ff */\n", 16 * (&each - code.data()), each);
  return text;
}

TEST_F(sass_listing, of_cuda_12_names_its_architecture_in_flags) {
  const std::string flags =
      "\t.headerflags\t@\"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM{0} EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)\"\n";
  const std::string rest = "\t.elftype\t@\"ET_EXEC\"\n\t.section\t.text.k,\"ax\",@progbits\n" + code_text({"EXIT"});
  EXPECT_EQ(read(fmt::format(flags, 80) + rest).arch, isa::architecture::sm_80);
  const sass_kernel hopper = read("\t.headerflags\t@\"EF_CUDA_ACCELERATORS EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)\"\n" + rest);
  EXPECT_EQ(hopper.arch, isa::architecture::sm_90);
  EXPECT_EQ(hopper.target, "sm_90a");
  EXPECT_EQ(error_of(fmt::format(flags, 61) + rest).substr(0, 36), "1:63: unknown target 'sm_61'; known ");
}

TEST_F(sass_listing, is_what_cuobjdump_prints_too) {
  const std::string elf = "\nFatbin elf code:\n================\narch = sm_{0}\ncode version = [1,7]\nhost = linux\n\n\tcode for sm_{0}\n";
  const std::string function = "\t\tFunction : {}\n\t.headerflags\t@\"EF_CUDA_SM{} EF_CUDA_VIRTUAL_SM(EF_CUDA_SM52)\"\n";
  const std::string end = "\t\t..........\n";
  const std::string two = fmt::format(elf, 52) + fmt::format(function, "k", 52) +
                          "\t/*0008*/ MOV R1, c[0x0][0x20] ; /* 0x4c98078000870001 */\n" + end + fmt::format(elf, 80) +
                          fmt::format(function, "k", 80) + code_text({"NOP", "EXIT"}) + end + fmt::format(elf, 90) +
                          fmt::format(function, "k", 90) + code_text({"EXIT"}) + end;
  const std::string one = two.substr(two.find("arch = sm_80") - 40);
  EXPECT_EQ(read(one.substr(0, one.find("arch = sm_90"))).code.size(), 2U);
  EXPECT_NE(error_of(one).find("k stands in the listing for sm_80, sm_90; say which with --arch"), std::string::npos) << error_of(one);
  EXPECT_EQ(read(one, "k", 10, isa::architecture::sm_90).code.size(), 1U);
}

TEST_F(sass_listing, can_be_taken_for_another_architecture) {
  EXPECT_EQ(read(sass_text("sm_87", {"EXIT"})).arch, isa::architecture::sm_86) << "whose code that of sm_87 is like";
  EXPECT_EQ(read(sass_text("sm_120a", {"EXIT"})).arch, isa::architecture::sm_120);
  const sass_kernel other = read(sass_text("sm_61", {"EXIT"}), {}, 10, isa::architecture::sm_70);
  EXPECT_EQ(other.arch, isa::architecture::sm_70);
  EXPECT_EQ(other.target, "sm_61");
}

TEST_F(sass_listing, may_come_from_windows) {
  std::string text = "\xef\xbb\xbf" + sass_text("sm_75", {".L_x_0", "BRA `(.L_x_0)"});
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
  const sass_kernel kernel = read(text);
  EXPECT_EQ(kernel.labels.count(".L_x_0"), 1U);
  EXPECT_EQ(kernel.code.front().text, "BRA `(.L_x_0)");
  EXPECT_EQ(kernel.registers, 40U);
}

TEST_F(sass_listing, may_say_which_registers_live) {
  const std::string head = sass_text("sm_75", {}) + "\t// | GPR |\n";
  EXPECT_EQ(read(head + "/*0000*/ EXIT ; /* 0x0000000000000000 */ // |  1 ^ |\n/* 0x000fe800000000ff */ // |  |\n").code.size(), 1U);
  EXPECT_NE(error_of(head + "/*0000*/ EXIT ; // |  1 ^ |\n").find("nvdisasm -hex"), std::string::npos);
}

TEST_F(sass_listing, leaves_notes_behind_a_branch_out) {
  const sass_kernel kernel = read(sass_text("sm_75", {"BRX R4 -0x1b0 (*\"BRANCH_TARGETS .L_x_1,.L_x_2\"*)"}));
  EXPECT_EQ(kernel.code.front().text, "BRX R4 -0x1b0");
}

TEST_F(sass_listing, has_constants_and_shared_memory_of_its_kernel) {
  const sass_kernel kernel = read(
      "\t.target\tsm_80\n\t.section\t.nv.info.k,\"\",@\"SHT_CUDA_INFO\"\n\t/*0000*/ .byte 0x04, 0x0a\n"
      "\t.section\t.nv.constant3,\"a\",@progbits\n\t.align\t4\n.nv.constant3:\n\t.type offs,@object\noffs:\n\t/*0000*/ .byte 0x10, 0x20\n"
      "\t/*0004*/ .word 0x12345678, fun\n\t/*000c*/ .dword 0x1\n\t.zero 2\n"
      "\t.section\t.nv.constant2.k,\"a\",@progbits\n\t/*0000*/ .short 0x1, 0x2\n"
      "\t.section\t.nv.constant2.other,\"a\",@progbits\n\t/*0000*/ .short 0x3\n"
      "\t.section\t.text.k,\"ax\",@progbits\n" +
      code_text({"EXIT"}) +
      "\t.section\t.nv.shared.k,\"aw\",@nobits\n.nv.shared.k:\n\t.zero\t1024\n"
      "\t.section\t.nv.constant0.k,\"a\",@progbits\n\t.zero 368\n");
  EXPECT_EQ(kernel.shared_bytes, 1024U);
  ASSERT_EQ(kernel.constants.size(), 3U) << "what is in front of fun, what is behind, and bank 2";
  EXPECT_EQ(kernel.constants[0].content.bytes, (std::vector<std::uint8_t>{0x10, 0x20, 0, 0, 0x78, 0x56, 0x34, 0x12}));
  EXPECT_EQ(kernel.constants[1].content.offset, 0xcU);
  EXPECT_EQ(kernel.constants[1].content.bytes.size(), 10U);
  EXPECT_EQ(kernel.constants[2].bank, 2U);
  EXPECT_EQ(kernel.constants[2].content.bytes, (std::vector<std::uint8_t>{1, 0, 2, 0}));
}

TEST_F(sass_listing, tells_kernels_from_functions) {
  const auto section = [](const char* name, bool is_entry) {
    return fmt::format("\t.section\t.text.{0},\"ax\",@progbits\n\t.type {0},@function\n\t.other {0},@\"{1}STV_DEFAULT\"\n{0}:\n", name,
                       is_entry ? "STO_CUDA_ENTRY " : "") +
           code_text({"EXIT"});
  };
  const std::string both = "\t.target\tsm_80\n" + section("helper", false) + section("k", true);
  EXPECT_EQ(read(both).name, "k");
  EXPECT_EQ(error_of(both, "helper"), "1:1: 'helper' is a function that kernels call; the kernels are k");
  EXPECT_EQ(error_of(both + section("l", true)), "8:1: 2 kernels; name the one to import: k, l");
}

TEST_F(sass_listing, says_what_another_file_is) {
  const auto expect = [&](const std::string& text, const std::string& words) {
    EXPECT_NE(error_of(text).find(words), std::string::npos) << error_of(text);
  };
  expect(
      "\x7f"
      "ELF\2\1",
      "list its machine code with nvdisasm -hex");
  expect("tcsim-trace 1\n", "tcsim run");
  expect("\n-kernel name = k\n", "tcsim import accelsim");
  expect(".version 8.0\n.target sm_80\n", "compile it with ptxas");
}

TEST_F(sass_listing, refuses_counters_that_a_warp_does_not_have) {
  const std::string exit = sass_text("sm_75", {}) + "/*0000*/ EXIT ; /* 0x0000000000000000 */\n";
  for (const char* const wrong : {"/* 0x000de800000000ff */\n", "/* 0x000fa800000000ff */\n"})  // released after the read, after the write
    EXPECT_EQ(error_of(exit + wrong), "5:4: the instruction names the counter SB6; a warp has SB0 to SB5");
  for (const char* const right : {"/* 0x000fe800000000ff */\n", "/* 0x000a6800000000ff */\n"})  // none, SB5 and SB5
    EXPECT_EQ(error_of(exit + right), "no error");
}

}  // namespace
}  // namespace tc::listings::sass_listing_test
