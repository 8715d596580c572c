// SPDX-License-Identifier: Apache-2.0
#include "line_style.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <tc/trace/instruction_line.hpp>

namespace tc::packed {
namespace {

using address_form = line_style::address_form;

/// Pcs have four digits as a rule, and more where they need them.
constexpr std::uint8_t usual_pc_digits = 4;

/// `line` begins with the pc.
std::uint8_t pc_digits_of(std::string_view line) {
  constexpr std::size_t begin = 2;
  const auto digits = static_cast<std::uint8_t>(std::min<std::size_t>(line.find('*', begin) - begin, 8));
  return line[begin] == '0' ? digits : std::min(digits, usual_pc_digits);
}

address_form form_of(std::string_view addresses) {
  if (addresses.front() == '{') return address_form::listed;
  return addresses.find_first_of("+-") == std::string_view::npos ? address_form::one : address_form::strided;
}

/// What stands behind the base.
std::int64_t stride_in(trace::text_cursor& in) {
  in.number("the address", 0, ~std::uint64_t{0});
  in.accept("+");
  return in.signed_number("the stride", std::int64_t{1} << 62);
}

/// Distance of neighbouring lanes, `alone` if only one has an address.
std::int64_t stride_of(const trace::address_list& addresses, std::int64_t alone) {
  const unsigned first = trace::first_lane(addresses.lanes());
  const trace::lane_mask others = addresses.lanes() & (addresses.lanes() - 1);
  if (others == 0) return alone;
  const unsigned second = trace::first_lane(others);
  return static_cast<std::int64_t>(addresses[second] - addresses[first]) / static_cast<std::int64_t>(second - first);
}

void write_list(const trace::address_list& addresses, std::string& line) {
  const char* separator = "{";
  trace::for_each_lane(addresses.lanes(), [&](unsigned lane) {
    fmt::format_to(std::back_inserter(line), "{}{:#x}", separator, addresses[lane]);
    separator = ", ";
  });
  line += '}';
}

void write_addresses(const line_style& style, const trace::address_list& addresses, std::string& line) {
  line += " @ ";
  if (style.addresses == address_form::listed) return write_list(addresses, line);
  const auto out = std::back_inserter(line);
  fmt::format_to(out, "{:#x}", addresses[trace::first_lane(addresses.lanes())]);
  if (style.addresses == address_form::strided) fmt::format_to(out, "{:+}", stride_of(addresses, style.stride));
}

}  // namespace

std::optional<line_style> style_of(const trace::source_line& line, const trace::step& s, std::string_view code) {
  trace::text_cursor in(line);
  const trace::instruction_line parts = trace::split_instruction(in);
  line_style style;
  if (parts.pc) style.pc_digits = pc_digits_of(line.text);
  style.has_mask = parts.mask.has_value();
  if (parts.addresses_position != trace::instruction_line::absent && !s.addresses.empty()) {
    style.addresses = form_of(line.text.substr(parts.addresses_position));
    if (style.addresses == address_form::strided && trace::count_lanes(s.addresses.lanes()) == 1) style.stride = stride_in(in);
  }
  std::string written;
  write_line(style, s, code, written);
  return written == line.text ? std::optional(style) : std::nullopt;
}

void write_line(const line_style& style, const trace::step& s, std::string_view code, std::string& line) {
  if (style.pc_digits != 0) fmt::format_to(std::back_inserter(line), "/*{:0{}x}*/ ", s.pc, style.pc_digits);
  line += code;
  if (style.has_mask) fmt::format_to(std::back_inserter(line), " mask {:08x}", s.mask);
  if (style.addresses != address_form::none && !s.addresses.empty()) write_addresses(style, s.addresses, line);
}

}  // namespace tc::packed
