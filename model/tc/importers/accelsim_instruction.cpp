// SPDX-License-Identifier: Apache-2.0
#include "accelsim_instruction.hpp"

#include <fmt/format.h>

#include <tc/isa/register_use.hpp>
#include <tc/trace/limits.hpp>

namespace tc::importers {
namespace {

using trace::text_cursor;

constexpr std::string_view form =
    "'[LINE] PC MASK DESTINATIONS [R...] OPCODE SOURCES [R...] BYTES [MODE ADDRESSES] [IMMEDIATE]', as '0010 ffffffff 1 R4 LDG.E 1 R2 4 1 "
    "0x7f0000000000 4 0'";
constexpr std::size_t pc_digits = 8, mask_digits = 8, address_digits = 16;
constexpr std::uint64_t max_access_bytes = 128;
constexpr std::int64_t max_distance = static_cast<std::int64_t>(trace::address_limit);

/// How the addresses of a warp are written.
enum class address_mode { list = 0, base_and_stride = 1, base_and_differences = 2 };

register_list read_registers(text_cursor& in, std::string_view what) {
  register_list registers;
  const std::uint64_t count = in.number(fmt::format("the number of {} registers", what), 0, register_list::capacity);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!in.accept("R")) in.fail(fmt::format("a {} register must stand here, R0 to R255; the form is {}", what, form));
    registers.push_back(static_cast<std::uint8_t>(in.number("the register's number", 0, isa::zero_register)));
  }
  return registers;
}

std::uint64_t read_address(text_cursor& in) {
  if (in.at_end()) in.fail("an address is missing; the mask says how many there are");
  const std::size_t begin = in.position();
  in.accept("0x");
  const std::uint64_t address = in.hex_digits("the address", address_digits);
  if (address >= trace::address_limit)
    in.fail_at(begin, fmt::format("the address is {:#x}; it must be below {:#x}", address, trace::address_limit));
  return address;
}

/// The address `distance` behind another.
std::uint64_t displaced(const text_cursor& in, std::size_t position, std::uint64_t from, std::int64_t distance) {
  const std::uint64_t address = from + static_cast<std::uint64_t>(distance);
  if (address >= trace::address_limit)
    in.fail_at(position, fmt::format("{:#x} and {} are no address; it must be from 0 to {:#x}", from, distance, trace::address_limit - 1));
  return address;
}

void read_list(text_cursor& in, trace::lane_mask mask, trace::address_list& addresses) {
  trace::for_each_lane(mask, [&](unsigned lane) { addresses.set(lane, read_address(in)); });
}

void read_stride(text_cursor& in, trace::lane_mask mask, trace::address_list& addresses) {
  const std::uint64_t base = read_address(in);
  in.at_end();
  const std::size_t position = in.position();
  const std::int64_t stride = in.signed_number("the stride", max_distance);
  trace::for_each_lane(mask, [&](unsigned lane) {
    addresses.set(lane, displaced(in, position, base, stride * static_cast<std::int64_t>(lane - trace::first_lane(mask))));
  });
}

void read_differences(text_cursor& in, trace::lane_mask mask, trace::address_list& addresses) {
  std::uint64_t address = read_address(in);
  trace::for_each_lane(mask, [&](unsigned lane) {
    if (lane != trace::first_lane(mask)) {
      if (in.at_end()) in.fail(fmt::format("the difference of lane {} is missing; there is one for each active lane but the first", lane));
      const std::size_t position = in.position();
      address = displaced(in, position, address, in.signed_number("the difference", max_distance));
    }
    addresses.set(lane, address);
  });
}

}  // namespace

accelsim_instruction read_accelsim_instruction(text_cursor& in, const accelsim_header& header) {
  accelsim_instruction line;
  if (header.has_line_numbers) in.number("the line number", 0, ~std::uint64_t{0});
  line.pc = static_cast<std::uint32_t>(in.hex_digits("the pc", pc_digits));
  if (in.at_end()) in.fail(fmt::format("the mask is missing; the form is {}", form));
  line.mask_position = in.position();
  line.mask = static_cast<trace::lane_mask>(in.hex_digits("the mask", mask_digits));
  in.at_end();
  const std::size_t begin = in.position();
  line.destinations = read_registers(in, "destination");
  line.opcode = in.word();
  if (line.opcode.empty()) in.fail(fmt::format("the opcode is missing; the form is {}", form));
  line.sources = read_registers(in, "source");
  line.code = in.line().text.substr(begin, in.position() - begin);
  line.access_bytes = static_cast<unsigned>(in.number("the width of the access in bytes", 0, max_access_bytes));
  return line;
}

void read_accelsim_addresses(text_cursor& in, trace::lane_mask mask, trace::address_list& addresses) {
  addresses.clear();
  in.at_end();
  const auto mode = static_cast<address_mode>(in.number("the form of the addresses", 0, 2));
  if (mode == address_mode::list) return read_list(in, mask, addresses);
  if (mode == address_mode::base_and_stride) return read_stride(in, mask, addresses);
  read_differences(in, mask, addresses);
}

std::uint64_t read_accelsim_immediate(text_cursor& in, const accelsim_header& header) {
  std::uint64_t immediate = 0;
  if (header.version >= accelsim_header::first_with_immediates && !in.at_end()) {
    const bool negative = in.accept("-");
    immediate = in.number("the immediate", 0, ~std::uint64_t{0});
    if (negative) immediate = 0 - immediate;
  }
  if (header.version >= accelsim_header::first_with_values) in.rest();  // values are not taken: the trace has none
  in.expect_end(form);
  return immediate;
}

}  // namespace tc::importers
