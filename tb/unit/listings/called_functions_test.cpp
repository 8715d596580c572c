// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <scratch_folder.hpp>
#include <string>

#include <gtest/gtest.h>

#include <tc/listings/sass_listing.hpp>
#include <tc/listings/sass_program.hpp>
#include <tc/listings/symbol_expression.hpp>

#include "sass_text.hpp"

namespace tc::listings::called_functions_test {

using testing::ElementsAre;

/// A section of code as nvdisasm writes it.
std::string section(const std::string& name, const std::vector<std::string>& code, bool is_kernel = false) {
  std::string text = "\t.section\t.text." + name + ",\"ax\",@progbits\n";
  if (is_kernel) text += "        .other          " + name + ",@\"STO_CUDA_ENTRY STV_DEFAULT\"\n";
  text += name + ":\n";
  return text + test::instructions_text(code);
}

sass_kernel read(const std::string& text, const std::string& kernel = {}) {
  const scratch_folder folder;
  return read_sass(test::write_text(folder.path(), "\t.target\tsm_90\n" + text), kernel);
}

std::vector<std::string> names_of(const sass_kernel& kernel) {
  std::vector<std::string> names;
  for (const called_function& each : kernel.functions) names.push_back(each.name);
  return names;
}

TEST(called_functions, lie_behind_the_kernel_that_names_them) {
  const sass_kernel kernel = read(
      section("unused", {"NOP"}) + section("inner", {"RET.ABS.NODEC R20 0x0"}) +
          section("k", {"MOV R20, 32@lo((k + .L_0@srel))", "MOV R21, 32@hi((k + .L_0@srel))", "CALL.ABS.NOINC `(outer)", ".L_0", "EXIT"},
                  true) +
          section("other_kernel", {"EXIT"}, true) + section("outer", {"NOP", ".L_1", "CALL.ABS.NOINC `(inner)", "BRA `(.L_1)"}),
      "k");
  EXPECT_EQ(kernel.name, "k");
  EXPECT_THAT(names_of(kernel), ElementsAre("outer", "inner"));
  ASSERT_EQ(kernel.code.size(), 8U);
  EXPECT_EQ(kernel.functions[0].begin, 0x40U);
  EXPECT_EQ(kernel.labels.at(".L_1"), 0x50U);
  EXPECT_EQ(kernel.begin_of(0x60), 0x40U);
  EXPECT_EQ(kernel.begin_of(0x30), 0U);
  EXPECT_EQ(kernel.place_of(0x30), "0x0030");
  EXPECT_EQ(kernel.place_of(0x70), "0x0000 of inner");
  const auto program = decode_sass(kernel);
  EXPECT_EQ(program[2].target, 0x40U);
  EXPECT_EQ(program[5].target, 0x70U);
  EXPECT_EQ(program[6].target, 0x50U);
}

TEST(called_functions, are_found_in_front_of_the_only_kernel_too) {
  EXPECT_THAT(names_of(read(section("f", {"NOP"}) + section("k", {"CALL.ABS.NOINC `(f)"}, true))), ElementsAre("f"));
}

TEST(called_functions, are_those_whose_addresses_data_hold) {
  const std::string data =
      "\t.section\t.nv.global.init,\"aw\",@progbits\ntable:\n\t/*0000*/\t.dword\tf\n\t.section\t.nv.constant4,\"a\",@progbits\n"
      "\t/*0000*/\t.dword\tg\n";
  const sass_kernel kernel =
      read(data + section("f", {"NOP"}) + section("g", {"NOP"}) + section("h", {"NOP"}) + section("k", {"EXIT"}, true));
  EXPECT_THAT(names_of(kernel), ElementsAre("g", "f"));
  ASSERT_EQ(kernel.variables.size(), 1U);
  ASSERT_EQ(kernel.variables[0].references.size(), 1U);
  EXPECT_EQ(kernel.variables[0].references[0].text, "f");
}

/// As a listing that is cut or damaged has one.
TEST(listed_variables, end_at_a_label_without_a_name) {
  const sass_kernel kernel =
      read("\t.section\t.nv.global.init,\"aw\",@progbits\ntable:\n\t/*0000*/\t.byte\t0x1, 0x2\n:\n\t/*0002*/\t.byte\t0x3, 0x4\n" +
           section("k", {"EXIT"}, true));
  ASSERT_EQ(kernel.variables.size(), 1U);
  EXPECT_EQ(kernel.variables[0].name, "table");
  EXPECT_EQ(kernel.variables[0].bytes, 2U);
}

TEST(called_functions, have_addresses_as_expressions_say) {
  const auto symbols = [](std::string_view name, bool is_relative) -> std::optional<std::uint64_t> {
    if (name == "k") return 0x1000;
    if (name == ".L_1") return is_relative ? 0x20 : 0x1020;
    return std::nullopt;
  };
  EXPECT_EQ(value_of_sum("k", symbols), 0x1000U);
  EXPECT_EQ(value_of_sum("(k + .L_1@srel)", symbols), 0x1020U);
  EXPECT_EQ(value_of_sum("(k + 0x10)", symbols), 0x1010U);
  EXPECT_EQ(value_of_sum(".L_1", symbols), 0x1020U);
  EXPECT_EQ(value_of_sum("(k + other)", symbols), std::nullopt);
  EXPECT_EQ(value_of_sum("", symbols), std::nullopt);
  EXPECT_EQ(value_of_sum("()", symbols), std::nullopt);
  EXPECT_THAT(symbols_in_code("MOV R20, 32@lo((k + .L_1@srel))"), ElementsAre("k", ".L_1"));
  EXPECT_THAT(symbols_in_code("CALL.REL.NOINC R2 `(k)"), ElementsAre("k"));
  EXPECT_THAT(symbols_in_code("MOV R20, 0x10"), ElementsAre());
}

}  // namespace tc::listings::called_functions_test
