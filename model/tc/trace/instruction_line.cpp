// SPDX-License-Identifier: Apache-2.0
#include "instruction_line.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tc::trace {
namespace {

constexpr std::string_view line_form = "'/*pc*/ [control] [@predicate] OPCODE operands [mask XXXXXXXX] [@ addresses]'";
constexpr std::size_t pc_digits = 8, mask_digits = 8;

/// Offset of `word` in text[from, to), standing between blanks or at the end; `to` if it does not occur.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from, std::size_t to) {
  const std::string_view searched = text.substr(0, to);
  for (std::size_t at = searched.find(word, from); at != std::string_view::npos; at = searched.find(word, at + 1)) {
    const std::size_t behind = at + word.size();
    if (at > from && is_blank(text[at - 1]) && (behind == text.size() || is_blank(text[behind]))) return at;
  }
  return to;
}

std::uint32_t read_pc(text_cursor& in) {
  const auto pc = static_cast<std::uint32_t>(in.hex_digits("the pc", pc_digits));
  in.expect("*/", line_form);
  return pc;
}

std::uint32_t read_mask(text_cursor& in) {
  const std::size_t begin = in.position();
  const auto mask = static_cast<std::uint32_t>(in.hex_digits("the mask", mask_digits));
  if (in.position() != begin + mask_digits) in.fail_at(begin, "the mask must have eight hexadecimal digits");
  return mask;
}

}  // namespace

instruction_line split_instruction(text_cursor& in) {
  const std::string_view text = in.line().text;
  instruction_line parts;
  if (in.accept("/*")) parts.pc = read_pc(in);
  if (in.at_end()) in.fail(fmt::format("the opcode is missing; the form is {}", line_form));
  parts.code_position = in.position();

  const std::size_t at = find_word(text, "@", parts.code_position, in.end());
  const std::size_t mask = find_word(text, "mask", parts.code_position, at);
  std::size_t code_end = mask;
  while (is_blank(text[code_end - 1])) --code_end;
  parts.code = text.substr(parts.code_position, code_end - parts.code_position);

  in.skip_to(mask);
  if (in.accept("mask")) {
    in.at_end();
    parts.mask_position = in.position();
    parts.mask = read_mask(in);
  }
  if (in.accept("@")) {
    in.at_end();
    parts.addresses_position = in.position();
  } else {
    in.expect_end(line_form);
  }
  return parts;
}

}  // namespace tc::trace
