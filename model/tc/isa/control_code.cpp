// SPDX-License-Identifier: Apache-2.0
#include "control_code.hpp"

#include <cstddef>

#include <tc/isa/source_text.hpp>

namespace tc::isa {
namespace {

constexpr std::string_view shape = "B------:R-:W-:-:S00";  // also the text of a code that asks for nothing

bool is_digit(char c) { return '0' <= c && c <= '9'; }

std::uint8_t parse_wait_mask(const source_text& source) {
  unsigned mask = 0;
  for (unsigned n = 0; n < control_code::barriers; ++n) {
    const std::string_view place = source.view().substr(1 + n, 1);
    if (place[0] == static_cast<char>('0' + n)) {
      mask |= 1U << n;
    } else if (place[0] != '-') {
      source.fail(place, "wait mask: expected '-' or '" + std::to_string(n) + "' here, found " + quoted(place));
    }
  }
  return static_cast<std::uint8_t>(mask);
}

std::uint8_t parse_barrier(const source_text& source, std::size_t position) {
  const std::string_view place = source.view().substr(position, 1);
  if (place[0] == '-') return control_code::no_barrier;
  if (!is_digit(place[0]) || place[0] >= static_cast<char>('0' + control_code::barriers)) {
    source.fail(place, "a barrier is '-' or 0 to 5, found " + quoted(place));
  }
  return static_cast<std::uint8_t>(place[0] - '0');
}

std::uint8_t parse_stall(const source_text& source, std::size_t position) {
  const std::string_view digits = source.view().substr(position, 2);
  const int cycles = is_digit(digits[0]) && is_digit(digits[1]) ? (digits[0] - '0') * 10 + (digits[1] - '0') : 16;
  if (cycles > 15) source.fail(digits, "stall cycles are two decimal digits, 00 to 15, found " + quoted(digits));
  return static_cast<std::uint8_t>(cycles);
}

}  // namespace

control_code parse_control(std::string_view text, unsigned column) {
  const source_text source(text, column);
  if (text.size() != shape.size()) {
    source.fail(text, "control field must look like [" + std::string(shape) + "], found [" + std::string(text) + "]");
  }
  for (const std::size_t fixed : {0U, 7U, 8U, 10U, 11U, 13U, 15U, 16U}) {
    if (text[fixed] != shape[fixed]) {
      source.fail(text.substr(fixed, 1), "control field must look like [" + std::string(shape) + "]: expected " +
                                             quoted(shape.substr(fixed, 1)) + ", found " + quoted(text.substr(fixed, 1)));
    }
  }
  if (text[14] != 'Y' && text[14] != '-') source.fail(text.substr(14, 1), "yield is 'Y' or '-', found " + quoted(text.substr(14, 1)));

  control_code control;
  control.wait_mask = parse_wait_mask(source);
  control.read_barrier = parse_barrier(source, 9);
  control.write_barrier = parse_barrier(source, 12);
  control.yield = text[14] == 'Y';
  control.stall_cycles = parse_stall(source, 17);
  return control;
}

std::string text_of(const control_code& control) {
  std::string text(shape);
  const auto set_barrier = [&](std::size_t position, std::uint8_t barrier) {
    if (barrier != control_code::no_barrier) text[position] = static_cast<char>('0' + barrier);
  };
  for (unsigned n = 0; n < control_code::barriers; ++n)
    if ((control.wait_mask >> n & 1U) != 0) text[1 + n] = static_cast<char>('0' + n);
  set_barrier(9, control.read_barrier);
  set_barrier(12, control.write_barrier);
  if (control.yield) text[14] = 'Y';
  text[17] = static_cast<char>('0' + control.stall_cycles / 10);
  text[18] = static_cast<char>('0' + control.stall_cycles % 10);
  return text;
}

}  // namespace tc::isa
