#include "operand_reader.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/fault_listener.hpp>
#include <tc/fabric/owner_tag.hpp>
#include <tc/fabric/proxy_access.hpp>
#include <tc/fabric/undefined_bytes.hpp>
#include <tc/fabric/warp_tag.hpp>
#include <tc/subcore/links/arrival_cycle.hpp>

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
  const operand_layout& layout = matrix.layout();
  ++number_;
  ++read.outstanding;  // one for this function
  for (unsigned first = 0, end = 0; first < lines; first = end) {
    const std::uint32_t base = layout.at(core, first).address;
    end = first + 1;
    while (end < lines && layout.at(core, end).address == base + (end - first) * isa::shared_matrix::unit_bytes) ++end;
    const line_run run{first, end - first, lines - end};
    if (!read_at_once(read, matrix, core, run, arrival)) send(read, matrix, core, run, arrival);
    if (!around_.data || read.failed) break;
  }
  if (--read.outstanding == 0) there_(read);
}

/// The part of the core matrix's wavefront that a run of lines is.
void operand_reader::describe_part(fabric::wavefront& part, const line_run& lines) const {
  part.access = number_;
  part.index = 0;
  part.count = 1;
  part.interval = 1;
  part.further_bytes = around_.data ? 0 : lines.behind * isa::shared_matrix::unit_bytes;
  part.conflict = false;
}

/// The same as send() and the answer; false if the lines must be asked for by a transaction.
bool operand_reader::read_at_once(operand_read& read, operand_matrix& matrix, unsigned core, const line_run& lines, cycle_t arrival) {
  if (direct_ == nullptr || read.failed) return false;
  describe_part(direct_part_, lines);
  const std::uint32_t address = matrix.layout().at(core, lines.first).address;
  direct_request_.address = read.reader.warp->shared_base + address;
  direct_request_.bytes = lines.count * isa::shared_matrix::unit_bytes;
  direct_request_.data = around_.data ? matrix.line(core, lines.first) : nullptr;
  direct_request_.part = &direct_part_;
  direct_request_.arrival = arrival;
  const std::optional<fabric::stream_access::answer> answer = direct_->access(direct_request_);
  if (!answer) return false;
  read.there = std::max(read.there, answer->valid);
  if (around_.data) tell_hazard(read, *answer, address);
  return true;
}

void operand_reader::send(operand_read& read, operand_matrix& matrix, unsigned core, const line_run& lines, cycle_t arrival) {
  if (read.failed) {
    read.there = std::max(read.there, arrival + 1);
    return;
  }
  tlm::tlm_generic_payload& payload = payloads_.get();
  fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, read.reader.warp->shared_base + matrix.layout().at(core, lines.first).address,
                         around_.data ? matrix.line(core, lines.first) : unwanted_.data(), lines.count * isa::shared_matrix::unit_bytes);
  fabric::owner_tag<operand_read>::of(payload).job = &read;
  fabric::warp_tag::mark(payload, 0, read.record);  // of four warps, or of none: a stream of the unit's
  describe_part(fabric::wavefront::of(payload), lines);
  fabric::undefined_bytes::of(payload).any = false;
  fabric::proxy_access::start(payload, true);
  ++read.outstanding;
  around_.memory.send(payload, around_.clock.delay_to(arrival));
}

void operand_reader::answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  operand_read& read = *fabric::owner_tag<operand_read>::of(payload).job;
  read.there = std::max(read.there, subcore::arrival_cycle(around_.clock, delay));
  look_at(read, payload);
  payload.release();
  if (--read.outstanding == 0) there_(read);
}

/// What the memory said besides the data.
void operand_reader::look_at(operand_read& read, const tlm::tlm_generic_payload& payload) const {
  const auto address = payload.get_address() - read.reader.warp->shared_base;
  if (payload.is_response_error() && !std::exchange(read.failed, true))
    report(around_.memory_report, read,
           fmt::format("shared memory answered the read of {} bytes at {:#x} with {}", payload.get_data_length(), address,
                       payload.get_response_string()));
  if (!around_.data) return;
  const auto* const access = payload.get_extension<fabric::proxy_access>();
  fabric::stream_access::answer seen;
  seen.hazard = access->found;
  seen.first_hazard = access->first;
  seen.any_undefined = payload.get_extension<fabric::undefined_bytes>()->any;
  tell_hazard(read, seen, address);
}

/// Tells the observer, once for an instruction, that bytes from this address of the CTA's window on cannot be relied on.
void operand_reader::tell_hazard(operand_read& read, const fabric::stream_access::answer& seen, std::uint64_t address) const {
  const bool unordered = seen.hazard != fabric::proxy_hazard::none;
  if (read.hazard_told || (!unordered && !seen.any_undefined)) return;
  read.hazard_told = true;
  if (unordered) return around_.observer().unordered_read(read.reader, seen.hazard, address + seen.first_hazard);
  around_.observer().undefined_read(read.reader, address);
}

void operand_reader::report(const char* type, const operand_read& read, const std::string& text) const {
  fabric::fault(type, around_.owner, around_.clock.cycle(), fmt::format("line {}: {}: {}", read.reader.line, read.reader.code->text, text));
}

}  // namespace tc::engine
