// SPDX-License-Identifier: Apache-2.0
#include "register_check.hpp"

#include <cctype>

#include <fmt/format.h>

#include <tc/isa/named_registers.hpp>

namespace tc::trace {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Offset of the register R`index` in an instruction's text, 0 if it is not written there.
std::size_t find_register(std::string_view code, unsigned index) {
  const std::string name = fmt::format("R{}", index);
  for (std::size_t at = code.find(name); at != std::string_view::npos; at = code.find(name, at + 1)) {
    const std::size_t behind = at + name.size();
    if (at > 0 && !is_word(code[at - 1]) && (behind == code.size() || !is_word(code[behind]))) return at;
  }
  return 0;
}

}  // namespace

void check_registers(const isa::instruction& instruction, unsigned registers, const instruction_line& parts, const text_cursor& in) {
  isa::visit_vector_registers(instruction, [&](unsigned first, unsigned count) {
    const unsigned last = first + count - 1;
    if (last < registers) return;
    in.fail_at(parts.code_position + find_register(parts.code, first),
               fmt::format("the instruction uses R{}; the kernel has {} registers, R0 to R{}", last, registers, registers - 1));
  });
}

}  // namespace tc::trace
