// SPDX-License-Identifier: Apache-2.0
#include "instruction_text.hpp"

namespace tc::execution {

bool has_suffix(const isa::instruction& code, std::string_view suffix) {
  std::string_view rest = std::string_view(code.text).substr(0, code.text.find_first_of(" \t"));
  while (!rest.empty()) {
    const std::size_t dot = rest.find('.');
    if (dot == std::string_view::npos) return false;
    rest.remove_prefix(dot + 1);
    if (rest.substr(0, rest.find('.')) == suffix) return true;
  }
  return false;
}

}  // namespace tc::execution
