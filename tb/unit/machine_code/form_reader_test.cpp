// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include <gtest/gtest.h>

#include <tc/machine_code/form_reader.hpp>

namespace form_reader_test {

using namespace tc;
using machine_code::read_forms;

std::string message_of(std::string_view text) {
  try {
    read_forms({{"it.txt", text}});
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(form_reader, makes_a_form_of_each_first_digit_and_puts_operands_into_their_slots) {
  const auto forms = read_forms({{"it.txt", "# a comment\n[28]20 80+ FMUL .FTZ@80 : R16, R24, %Bf-\n"}});
  ASSERT_EQ(forms.size(), 2U);
  EXPECT_EQ(forms[0].opcode, 0x220);
  EXPECT_EQ(forms[0].operands[2].kind, machine_code::operand_kind::vector_register);
  EXPECT_EQ(forms[0].operands[2].negate_bit, 63);
  EXPECT_EQ(forms[1].opcode, 0x820);
  EXPECT_EQ(forms[1].operands[2].kind, machine_code::operand_kind::f32_number);
  EXPECT_EQ(forms[1].families, 0b11110);
}

TEST(form_reader, takes_tables_and_macros_from_any_file) {
  const auto forms =
      read_forms({{"a.txt", "202 all MOV .$round@78+2 : &first, R32\n"}, {"b.txt", "table round - RM 3=RZ\nmacro first R16\n"}});
  ASSERT_EQ(forms.size(), 1U);
  const auto& texts = forms[0].modifiers[0].texts;
  EXPECT_EQ(texts, (std::vector<std::string>{"", ".RM", ".INVALID2", ".RZ"}));
}

TEST(form_reader, names_the_line_of_a_mistake) {
  EXPECT_EQ(message_of("\n202 all MOV : R16, Z3\n"), "it.txt:2: 202 all MOV : R16, Z3: \"Z3\" is no operand");
  EXPECT_NE(message_of("20 all MOV\n").find("is no opcode of three digits"), std::string::npos);
  EXPECT_NE(message_of("202 now MOV\n").find("unknown architectures \"now\""), std::string::npos);
  EXPECT_NE(message_of("202 all MOV .$none@3\n").find("there is no table none"), std::string::npos);
  EXPECT_NE(message_of("202 all MOV : [R24\n").find("\"]\" is missing"), std::string::npos);
  EXPECT_NE(message_of("202 all MOV : &none\n").find("there is no macro none"), std::string::npos);
  EXPECT_NE(message_of("202 all MOV : x120+20\n").find("goes beyond bit 127"), std::string::npos);
}

}  // namespace form_reader_test
