// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace tc::isa {

/// Text that is not a legal instruction: what() says what is wrong and what would be right.
class syntax_error : public std::runtime_error {
 public:
  syntax_error(unsigned column, const std::string& message) : std::runtime_error(message), column_(column) {}

  unsigned column() const { return column_; }  ///< 1-based, in the text handed to the parser

 private:
  unsigned column_;
};

}  // namespace tc::isa
