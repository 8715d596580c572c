// SPDX-License-Identifier: Apache-2.0
#include <scratch_folder.hpp>
#include <string>

#include <gtest/gtest.h>

#include <tc/importers/sass_listing.hpp>
#include <tc/trace/trace_error.hpp>

#include "sass_text.hpp"

namespace tc::importers::sass_listing_test {
namespace {

using test::sass_text;

class sass_listing : public testing::Test {
 protected:
  sass_kernel read(const std::string& text, const std::string& kernel = {}, std::size_t max_instructions = max_listed_instructions) const {
    return read_sass(test::write_text(folder_.path(), text), kernel, max_instructions);
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

TEST_F(sass_listing, refuses_counters_that_a_warp_does_not_have) {
  const std::string exit = sass_text("sm_75", {}) + "/*0000*/ EXIT ; /* 0x0000000000000000 */\n";
  for (const char* const wrong : {"/* 0x000de800000000ff */\n", "/* 0x000fa800000000ff */\n"})  // released after the read, after the write
    EXPECT_EQ(error_of(exit + wrong), "5:4: the instruction names the counter SB6; a warp has SB0 to SB5");
  for (const char* const right : {"/* 0x000fe800000000ff */\n", "/* 0x000a6800000000ff */\n"})  // none, SB5 and SB5
    EXPECT_EQ(error_of(exit + right), "no error");
}

}  // namespace
}  // namespace tc::importers::sass_listing_test
