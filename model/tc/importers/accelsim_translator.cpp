// SPDX-License-Identifier: Apache-2.0
#include "accelsim_translator.hpp"

#include <fmt/format.h>

#include <tc/trace/limits.hpp>

namespace tc::importers {

using trace::text_cursor;

namespace {

constexpr std::string_view nop = "NOP";
constexpr std::uint64_t barriers = 16;  // of a CTA (PTX ISA, bar)

}  // namespace

translated_instruction accelsim_translator::translate(const accelsim_instruction& line, text_cursor& in) {
  if (line.access_bytes != 0) return translate_access(line, in);
  const std::uint64_t immediate = read_accelsim_immediate(in, header_);
  const bool nothing_known = header_.version < accelsim_header::first_with_immediates;
  const imported_code& code = code_.find(line, nothing_known || immediate != 0);
  if (!code.gap.empty()) return leave_out(code.gap, in);
  if (code.is_barrier) return translate_barrier(line, immediate, in);
  if (code.access.space != isa::memory_space::none && line.mask != 0)
    return leave_out(fmt::format("{}: its addresses are not recorded", line.opcode), in);
  return {code.text, {}};
}

translated_instruction accelsim_translator::translate_access(const accelsim_instruction& line, text_cursor& in) {
  const imported_code& code = code_.find(line, false);
  if (!code.gap.empty()) return leave_out(code.gap, in);  // what follows is in a form of its own
  translated_instruction result{code.text, {}};
  read_accelsim_addresses(in, line.mask, result.addresses);
  read_accelsim_immediate(in, header_);
  if (line.mask == 0 || code.access.space == isa::memory_space::none) {
    result.addresses.clear();
    return result;
  }
  trace::memory_access access = code.access;
  const bool is_generic_shared = !code.on_shared.empty() && is_in_shared_window(result.addresses[trace::first_lane(line.mask)]);
  if (is_generic_shared) {
    result.text = code.on_shared;
    access.space = isa::memory_space::shared;
  }
  const std::uint64_t shared_bytes = header_.kernel.shared_bytes - isa::info(header_.kernel.arch).reserved_shared_bytes;
  if (access.space == isa::memory_space::shared && shared_bytes < access.bytes)
    return leave_out(fmt::format("{} of a kernel without shared memory", line.opcode), in);
  if (is_generic_shared) add_gap(fmt::format("{} on shared memory", line.opcode), result.text.substr(0, result.text.find(' ')), in);
  place_addresses(access, result.addresses, in);
  return result;
}

translated_instruction accelsim_translator::translate_barrier(const accelsim_instruction& line, std::uint64_t immediate,
                                                              const text_cursor& in) {
  const bool has_register = line.destinations.size() + line.sources.size() != 0;
  const bool is_count = immediate >= barriers;
  if (has_register || (is_count && immediate < header_.kernel.block.count()))
    return leave_out(fmt::format("{} of a part of the thread block", line.opcode), in);
  barrier_ = fmt::format("{} {:#x}", line.opcode, is_count ? 0 : immediate);
  return {barrier_, {}};
}

translated_instruction accelsim_translator::leave_out(std::string_view why, const text_cursor& in) {
  add_gap(why, nop, in);
  return {nop, {}};
}

void accelsim_translator::add_gap(std::string_view what, std::string_view stand_in, const text_cursor& in) {
  report_.add_gap(what, stand_in, in.line().file, in.line().number);
}

bool accelsim_translator::is_in_shared_window(std::uint64_t address) const {
  return header_.shared_base != 0 && address >= header_.shared_base && address - header_.shared_base < trace::shared_window_bytes;
}

std::uint64_t accelsim_translator::offset_inside(std::uint64_t offset, unsigned bytes, const text_cursor& in) {
  const std::uint64_t first = isa::info(header_.kernel.arch).reserved_shared_bytes, end = header_.kernel.shared_bytes;
  if (offset >= first && offset + bytes <= end) return offset;
  add_gap("an address outside of the kernel's shared memory", "one inside", in);
  return first + offset % (end - first - bytes + 1) / bytes * bytes;
}

void accelsim_translator::place_addresses(const trace::memory_access& access, trace::address_list& addresses, const text_cursor& in) {
  const std::uint64_t any = addresses[trace::first_lane(addresses.lanes())];
  const trace::lane_mask recorded = addresses.lanes();
  trace::for_each_lane(access.every_lane ? trace::all_lanes : recorded, [&](unsigned lane) {
    const bool is_used = trace::has_lane(access.used, lane);
    const bool is_offset = access.space == isa::memory_space::shared && is_used;
    std::uint64_t address = trace::has_lane(recorded, lane) ? addresses[lane] : any;
    if (is_offset && is_in_shared_window(address)) address -= header_.shared_base;
    const std::uint64_t excess = address % access.bytes;
    if (excess != 0 && is_used) add_gap(fmt::format("an address that is no multiple of {} bytes", access.bytes), "the one below", in);
    address -= excess;
    if (is_offset) address = offset_inside(address, access.bytes, in);
    addresses.set(lane, address);
  });
}

}  // namespace tc::importers
