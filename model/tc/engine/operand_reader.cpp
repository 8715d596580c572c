// SPDX-License-Identifier: Apache-2.0
#include "operand_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>
#include <tc/links/bank_protocol.hpp>

namespace tc::engine {

bool operand_reader::check_window(operand_read& read, const isa::byte_range& bytes, const char* type) const {
  const std::uint32_t window = read.reader.warp->shared_bytes;
  if (bytes.end <= window) return true;
  read.failed = true;
  report(type, read,
         fmt::format("a matrix from {:#x} to {:#x} of shared memory passes the end of the CTA's window of {} bytes", bytes.begin, bytes.end,
                     window));
  return false;
}

void operand_reader::read_core(operand_read& read, operand_matrix& matrix, unsigned core, cycle_t arrival, unsigned lines) {
  ++number_;
  ++read.outstanding;  // one for this function
  if (read.failed) {
    read.there = std::max(read.there, arrival + 1);
  } else {
    request& asked = requests_.get();
    asked.owner = &read;
    links::shared_memory_transfer& access = asked.access;
    access.user = links::memory_user::asynchronous;  // of four warps, or of none: a stream of the unit's
    access.record = read.record;
    access.number = number_;
    access.arrival = arrival;
    access.interval = 1;
    access.base = read.reader.warp->shared_base;
    access.buffer = around_.data ? matrix.line(core, 0) : unwanted_.data();
    access.owner = &asked;
    find_runs(asked, matrix, core, lines);
    ++read.outstanding;
    around_.memory.send(access);
  }
  if (--read.outstanding == 0) there_(read);
}

/// Lines of a core matrix that follow each other in memory are one run. Without data the first one tells the time, unless others may be
/// in conflict with it.
void operand_reader::find_runs(request& asked, operand_matrix& matrix, unsigned core, unsigned lines) {
  constexpr std::uint16_t unit_bytes = isa::shared_matrix::unit_bytes;
  const operand_layout& layout = matrix.layout();
  const bool needs_all = around_.data || around_.row_bytes < operand_matrix::core_bytes;
  links::access_run* last = asked.runs.data();
  links::shared_memory_transfer& access = asked.access;
  access.bytes = 0;
  for (unsigned l = 0; l < lines; ++l) {
    const std::uint64_t address = layout.at(core, l).address;
    if (l != 0 && address == last->address + last->length)
      last->length = static_cast<std::uint16_t>(last->length + unit_bytes);
    else if (needs_all || l == 0)
      *(l == 0 ? last : ++last) = {address, static_cast<std::uint16_t>(l * unit_bytes), unit_bytes, 0};
    else
      break;
    access.bytes = std::max(access.bytes, address + unit_bytes);
  }
  access.runs_begin = asked.runs.data();
  access.runs_end = last + 1;
  access.further_bytes = needs_all ? 0 : lines * unit_bytes - last->length;
}

void operand_reader::answered(links::shared_memory_transfer& access) {
  request& asked = *static_cast<request*>(access.owner);
  operand_read& read = *asked.owner;
  read.there = std::max(read.there, access.valid);
  if (access.status != tlm::TLM_OK_RESPONSE && !std::exchange(read.failed, true))
    report(around_.memory_report, read,
           fmt::format("shared memory answered the read of {} bytes at {:#x} with {}", access.refused->length, access.refused->address,
                       links::name_of(access.status)));
  if (around_.data) tell_hazard(read, access);
  requests_.put_back(asked);
  if (--read.outstanding == 0) there_(read);
}

/// Tells the observer, once for an instruction, that bytes from an address of the CTA's window on cannot be relied on. What of a run is
/// both is told to be out of order.
void operand_reader::tell_hazard(operand_read& read, const links::shared_memory_transfer& seen) const {
  const bool unordered = seen.hazard != fabric::proxy_hazard::none;
  if (read.hazard_told || (!unordered && !seen.any_undefined)) return;
  read.hazard_told = true;
  const std::uint64_t base = read.reader.warp->shared_base;
  if (unordered && (!seen.any_undefined || seen.hazard_run <= seen.undefined_run))
    return around_.observer().unordered_read(read.reader, seen.hazard, seen.first_hazard - base);
  around_.observer().undefined_read(read.reader, seen.first_undefined - base);
}

void operand_reader::report(const char* type, const operand_read& read, const std::string& text) const {
  fabric::fault(type, around_.owner, around_.clock.cycle(), fmt::format("line {}: {}: {}", read.reader.line, read.reader.code->text, text));
}

}  // namespace tc::engine
