// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::isa {

/// A wrong line, the part of it at which the mistake is reported (its last occurrence; empty: the end), and words of the message.
struct wrong_statement {
  std::string text;
  const char* at;
  const char* message;
};

inline std::ostream& operator<<(std::ostream& out, const wrong_statement& w) { return out << w.text; }

/// The parser for an architecture reports the mistake at its place.
inline void expect_mistake(const wrong_statement& wrong, architecture arch) {
  try {
    parse_operation(wrong.text, arch);
    FAIL() << "was accepted";
  } catch (const syntax_error& error) {
    const std::size_t at = *wrong.at == '\0' ? wrong.text.size() : wrong.text.rfind(wrong.at);
    EXPECT_EQ(error.column(), at + 1) << error.what();
    EXPECT_NE(std::string(error.what()).find(wrong.message), std::string::npos) << error.what();
  }
}

}  // namespace tc::isa
