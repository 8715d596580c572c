// SPDX-License-Identifier: Apache-2.0
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/execution/growing_text.hpp>

namespace tc::execution::growing_text_test {
namespace {

TEST(growing_text, is_what_was_appended_however_long_it_has_become) {
  growing_text text;
  std::string expected;
  for (unsigned line = 0; line < 50'000; ++line) {
    const std::string added = fmt::format("/*{:04x}*/ IADD3 R{}, R1, R2, RZ\n", line, line % 255);
    text.settle();
    text.end() += added;
    expected += added;
  }
  EXPECT_LT(text.end().size(), expected.size() / 10) << "most of it lies elsewhere";
  std::ostringstream written;
  text.write(written);
  EXPECT_TRUE(written.str() == expected);
}

TEST(growing_text, may_be_empty) {
  std::ostringstream written;
  growing_text().write(written);
  EXPECT_EQ(written.str(), "");
}

}  // namespace
}  // namespace tc::execution::growing_text_test
