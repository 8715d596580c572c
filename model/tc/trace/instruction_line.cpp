// SPDX-License-Identifier: Apache-2.0
#include "instruction_line.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/trace/limits.hpp>

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

namespace {

constexpr std::string_view forms = "'@ BASE+STRIDE', '@ BASE' or '@ {A, B, ...}'";

std::uint64_t read_address(text_cursor& in) { return in.number("the address", 0, address_limit - 1); }

void parse_list(text_cursor& in, lane_mask lanes, address_list& addresses) {
  const unsigned expected = count_lanes(lanes);
  const std::size_t begin = in.position() - 1;
  unsigned count = 0;
  unsigned lane = 0;
  do {
    const std::uint64_t address = read_address(in);
    while (lane < warp_lanes && !has_lane(lanes, lane)) ++lane;
    if (lane < warp_lanes) addresses.set(lane++, address);
    ++count;
  } while (in.accept(","));
  in.expect("}", forms);
  if (count != expected)
    in.fail_at(begin, fmt::format("{} addresses for {} lanes; the mask decides how many there must be", count, expected));
}

void spread(text_cursor& in, std::size_t begin, lane_mask lanes, std::uint64_t base, std::int64_t stride, address_list& addresses) {
  const unsigned first = first_lane(lanes);
  for_each_lane(lanes, [&](unsigned lane) {
    const std::int64_t address = static_cast<std::int64_t>(base) + stride * static_cast<std::int64_t>(lane - first);
    if (address < 0 || address >= static_cast<std::int64_t>(address_limit))
      in.fail_at(begin, fmt::format("the address of lane {} is {}; it must be from 0 to {:#x}", lane, address, address_limit - 1));
    addresses.set(lane, static_cast<std::uint64_t>(address));
  });
}

}  // namespace

void parse_addresses(text_cursor& in, lane_mask lanes, address_list& addresses) {
  addresses.clear();
  if (in.at_end()) in.fail(fmt::format("the addresses are missing; they are {}", forms));
  if (in.accept("{")) {
    parse_list(in, lanes, addresses);
  } else {
    const std::size_t begin = in.position();
    const std::uint64_t base = read_address(in);
    std::int64_t stride = 0;
    if (in.accept("+"))
      stride = in.signed_number("the stride", max_address_stride);
    else if (in.peek() == '-')
      stride = in.signed_number("the stride", max_address_stride);
    spread(in, begin, lanes, base, stride, addresses);
  }
  in.expect_end(forms);
}

}  // namespace tc::trace
