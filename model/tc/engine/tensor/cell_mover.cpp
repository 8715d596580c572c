// SPDX-License-Identifier: Apache-2.0
#include "cell_mover.hpp"

#include <utility>

#include <fmt/format.h>

#include <tc/engine/tensor/tensor_reports.hpp>
#include <tc/fabric/extensions.hpp>
#include <tc/fabric/payload_rules.hpp>
#include <tc/links/arrival_cycle.hpp>
#include <tc/tmem/cell_address.hpp>
#include <tc/tmem/extensions.hpp>

namespace tc::engine {

namespace {

void enable(tlm::tlm_generic_payload& payload, unsigned char* byte_enables) {
  if (byte_enables == nullptr) return;
  payload.set_byte_enable_ptr(byte_enables);
  payload.set_byte_enable_length(tmem::column_bytes);
}

}  // namespace

void cell_mover::read(tensor_job& job, cell_block& block, cycle_t arrival) {
  for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) read_chunk(job, block, chunk, nullptr, arrival);
}

void cell_mover::read_chunk(tensor_job& job, cell_block& block, unsigned chunk, unsigned char* byte_enables, cycle_t arrival) {
  tlm::tlm_generic_payload& payload = payloads_.get();
  const isa::tensor_address first{chunk * isa::chunk_lanes, block.columns().first};
  fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, tmem::address_of(first), reinterpret_cast<unsigned char*>(block.chunk(chunk)),
                         block.columns().count * tmem::column_bytes);
  enable(payload, byte_enables);
  bytes_read_ += fabric::enabled_bytes(payload);
  fabric::owner_tag<tensor_job>::of(payload).job = &job;
  fabric::warp_tag::mark(payload, job.reader.warp->slot, job.record);
  fabric::undefined_bytes::of(payload).any = false;
  tmem::column_wave::of(payload).begin = around_.clock.time_of(arrival);
  around_.memory.send(payload, around_.clock.delay_to(arrival));
}

void cell_mover::write(tensor_job& job, const columns_to_write& what, cycle_t arrival) {
  tlm::tlm_generic_payload& payload = payloads_.get();
  const isa::tensor_address first{what.chunk * isa::chunk_lanes + what.first_lane, what.columns.first};
  const unsigned bytes = (what.columns.count - 1) * tmem::column_bytes + what.lanes * tmem::cell_bytes;
  fabric::set_attributes(payload, tlm::TLM_WRITE_COMMAND, tmem::address_of(first), reinterpret_cast<unsigned char*>(what.cells), bytes);
  enable(payload, what.byte_enables);
  bytes_written_ += fabric::enabled_bytes(payload);
  fabric::owner_tag<tensor_job>::of(payload).job = &job;
  fabric::warp_tag::mark(payload, job.reader.warp->slot, job.record);
  tmem::column_wave::of(payload).begin = around_.clock.time_of(what.wave_begin);
  around_.memory.send(payload, around_.clock.delay_to(arrival));
}

void cell_mover::answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  tensor_job& job = *fabric::owner_tag<tensor_job>::of(payload).job;
  look_at(job, payload);
  const bool read = payload.is_read();
  payload.release();
  done_(job, read, links::arrival_cycle(around_.clock, delay));
}

/// What the memory said besides the data.
void cell_mover::look_at(tensor_job& job, const tlm::tlm_generic_payload& payload) const {
  const auto column = payload.get_address() % tmem::chunk_bytes / tmem::column_bytes;
  if (payload.is_response_error() && !std::exchange(job.failed, true))
    report_tensor_error(report::tensor_memory, around_.owner, around_.clock.cycle(), job.reader,
                        fmt::format("tensor memory answered an access to column {} with {}", column, payload.get_response_string()));
  if (!payload.is_read() || job.hazard_told) return;
  const auto* const undefined = payload.get_extension<fabric::undefined_bytes>();
  if (!undefined->any) return;
  job.hazard_told = true;
  const auto address = payload.get_address() + undefined->first();
  around_.observer->ordering_hazard(
      *job.instruction, fmt::format("reads tensor memory that nothing has written, from lane {}, column {} on",
                                    address / tmem::chunk_bytes * isa::chunk_lanes + address % tmem::column_bytes / tmem::cell_bytes,
                                    address % tmem::chunk_bytes / tmem::column_bytes));
}

}  // namespace tc::engine
