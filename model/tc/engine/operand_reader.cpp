// SPDX-License-Identifier: Apache-2.0
#include "operand_reader.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/extensions.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/links/arrival_cycle.hpp>

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
  find_runs(matrix, core, lines, read.reader.warp->shared_base);
  if (!read_at_once(read, arrival)) {
    for (const fabric::stream_access::byte_run& run : runs_) {
      send(read, run, arrival);
      if (read.failed) break;
    }
  }
  if (--read.outstanding == 0) there_(read);
}

/// Lines of a core matrix that follow each other in memory are one run. Without data the first one tells the time, unless others may be
/// in conflict with it.
void operand_reader::find_runs(operand_matrix& matrix, unsigned core, unsigned lines, std::uint64_t base) {
  constexpr unsigned unit_bytes = isa::shared_matrix::unit_bytes;
  const operand_layout& layout = matrix.layout();
  const bool needs_all = around_.data || around_.row_bytes < operand_matrix::core_bytes;
  runs_.clear();
  for (unsigned l = 0; l < lines; ++l) {
    const std::uint64_t address = base + layout.at(core, l).address;
    if (!runs_.empty() && address == runs_.back().address + runs_.back().bytes)
      runs_.back().bytes += unit_bytes;
    else if (needs_all || runs_.empty())
      runs_.push_back({address, unit_bytes, around_.data ? matrix.line(core, l) : nullptr});
    else
      break;
  }
  further_bytes_ = needs_all ? 0 : lines * unit_bytes - runs_.front().bytes;
}

/// What the runs are part of: the core matrix's wavefront.
void operand_reader::describe_part(fabric::wavefront& part) const {
  part.access = number_;
  part.index = 0;
  part.count = 1;
  part.interval = 1;
  part.further_bytes = further_bytes_;
  part.conflict = false;
}

/// The same as send() for all runs and the answers; false if they must be asked for by transactions.
bool operand_reader::read_at_once(operand_read& read, cycle_t arrival) {
  if (direct_ == nullptr || read.failed) return false;
  describe_part(direct_part_);
  direct_request_.runs_begin = runs_.data();
  direct_request_.runs_end = runs_.data() + runs_.size();
  direct_request_.part = &direct_part_;
  direct_request_.arrival = arrival;
  const std::optional<fabric::stream_access::answer> answer = direct_->access(direct_request_);
  if (!answer) return false;
  read.there = std::max(read.there, answer->valid);
  if (around_.data) tell_hazard(read, *answer);
  return true;
}

void operand_reader::send(operand_read& read, const fabric::stream_access::byte_run& run, cycle_t arrival) {
  if (read.failed) {
    read.there = std::max(read.there, arrival + 1);
    return;
  }
  tlm::tlm_generic_payload& payload = payloads_.get();
  fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, run.address, around_.data ? run.data : unwanted_.data(), run.bytes);
  fabric::owner_tag<operand_read>::of(payload).job = &read;
  fabric::warp_tag::mark(payload, 0, read.record);  // of four warps, or of none: a stream of the unit's
  describe_part(fabric::wavefront::of(payload));
  fabric::undefined_bytes::of(payload).any = false;
  fabric::proxy_access::start(payload, true);
  ++read.outstanding;
  around_.memory.send(payload, around_.clock.delay_to(arrival));
}

void operand_reader::answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  operand_read& read = *fabric::owner_tag<operand_read>::of(payload).job;
  read.there = std::max(read.there, links::arrival_cycle(around_.clock, delay));
  look_at(read, payload);
  payload.release();
  if (--read.outstanding == 0) there_(read);
}

/// What the memory said besides the data.
void operand_reader::look_at(operand_read& read, const tlm::tlm_generic_payload& payload) const {
  const auto address = payload.get_address();
  if (payload.is_response_error() && !std::exchange(read.failed, true))
    report(around_.memory_report, read,
           fmt::format("shared memory answered the read of {} bytes at {:#x} with {}", payload.get_data_length(),
                       address - read.reader.warp->shared_base, payload.get_response_string()));
  if (around_.data) tell_hazard(read, fabric::stream_access::answer::of(payload));
}

/// Tells the observer, once for an instruction, that bytes from an address of the CTA's window on cannot be relied on. What of a run is
/// both is told to be out of order.
void operand_reader::tell_hazard(operand_read& read, const fabric::stream_access::answer& seen) const {
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
