// SPDX-License-Identifier: Apache-2.0
#include "shared_memory_adapter.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <tc/fabric/reports.hpp>

namespace tc::memory {

namespace {

fabric::wavefront& wavefront_of(tlm::tlm_generic_payload& payload, const links::shared_memory_transfer& access) {
  fabric::wavefront& wavefront = fabric::wavefront::of(payload);
  wavefront.access = access.number;
  wavefront.index = 0;
  wavefront.count = access.wavefronts;
  wavefront.interval = access.interval;
  wavefront.further_bytes = 0;
  wavefront.conflict = wavefront.noted = false;
  return wavefront;
}

}  // namespace

/// What a payload stands for; null: nothing that is answered. Sticky, like warp_tag.
struct shared_memory_adapter::request final : fabric::sticky_extension<shared_memory_adapter::request> {
  pending* part_of = nullptr;
  const links::access_run* run = nullptr;
};

shared_memory_adapter::shared_memory_adapter(const sc_core::sc_module_name& module_name, bool data, fabric::clock_domain& clock)
    : sc_module(module_name),
      memory("memory", [this](auto& payload, const auto& delay) { done(payload, delay); }),
      data_(data),
      clock_(clock) {
  port.register_nb_transport_fw(this, &shared_memory_adapter::forward);
  port.register_transport_dbg(this, &shared_memory_adapter::debug);
}

shared_memory_adapter::~shared_memory_adapter() = default;

tlm::tlm_sync_enum shared_memory_adapter::forward(transfer& what, tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase == tlm::BEGIN_REQ && what.what == transfer::kind::access) return send(what);
  if (phase == links::ACCESS_ANNOUNCED)
    announce(what);
  else if (phase == tlm::BEGIN_REQ)
    change_visibility(what);
  else
    fabric::error(fabric::report::target_phase, name(), std::string("unexpected forward phase ") + phase.get_name());
  return tlm::TLM_COMPLETED;
}

void shared_memory_adapter::announce(const transfer& access) {
  if (!announces_) return;
  tlm::tlm_generic_payload& payload = payloads_.get();
  fabric::set_attributes(payload, tlm::TLM_IGNORE_COMMAND, 0, nullptr, 0);
  request::of(payload).part_of = nullptr;
  fabric::warp_tag::mark(payload, access.warp, access.record);
  wavefront_of(payload, access);
  memory.send(payload, clock_.delay_to(access.arrival));
}

void shared_memory_adapter::change_visibility(const transfer& change) {
  using kind = fabric::visibility_change::kind;
  tlm::tlm_generic_payload& payload = notices_.get();
  fabric::set_attributes(payload, tlm::TLM_IGNORE_COMMAND, 0, nullptr, 0);
  fabric::visibility_change& told = fabric::visibility_change::of(payload);
  told.what = change.what == transfer::kind::fence ? kind::fenced : change.what == transfer::kind::arrive ? kind::arriving : kind::settled;
  told.base = change.base;
  told.bytes = change.bytes;
  memory.send(payload);
}

tlm::tlm_sync_enum shared_memory_adapter::send(transfer& access) {
  pending& asked = pending_.get();
  asked = {&access, 1};  // one for this function
  const bool one_for_each_group = !data_ && access.interval == 0;
  for (const links::access_run *run = access.runs_begin, *next = nullptr; run != access.runs_end; run = next) {
    unsigned further_bytes = access.further_bytes;
    for (next = run + 1; one_for_each_group && next != access.runs_end && next->group == run->group; ++next) further_bytes += next->length;
    send_run(asked, *run, further_bytes);
  }
  if (--asked.outstanding != 0) return tlm::TLM_ACCEPTED;
  pending_.put_back(asked);
  return tlm::TLM_COMPLETED;
}

void shared_memory_adapter::send_run(pending& asked, const links::access_run& run, unsigned further_bytes) {
  const transfer& access = *asked.access;
  tlm::tlm_generic_payload& payload = payloads_.get();
  request& part = request::of(payload);
  part.part_of = &asked;
  part.run = &run;
  describe(payload, access, run);
  fabric::warp_tag::mark(payload, access.warp, access.record);
  if (access.number != 0) {
    fabric::wavefront& wavefront = wavefront_of(payload, access);
    wavefront.index = run.group;
    wavefront.further_bytes = further_bytes;
    wavefront.conflict = (access.conflicts >> run.group & 1U) != 0;
  }
  ++asked.outstanding;
  memory.send(payload, clock_.delay_to(access.arrival));
}

void shared_memory_adapter::describe(tlm::tlm_generic_payload& payload, const transfer& access, const links::access_run& run) const {
  fabric::set_attributes(payload, access.is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, access.address_of(run),
                         access.buffer + run.offset, run.length);
  fabric::proxy_access::start(payload, access.user == links::memory_user::asynchronous);
  fabric::undefined_bytes& undefined = fabric::undefined_bytes::of(payload);
  undefined.any = access.is_write && access.any_undefined;
  if (undefined.any) undefined.flags.assign(access.undefined + run.offset, access.undefined + run.offset + run.length);
}

void shared_memory_adapter::done(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  auto* const part = payload.get_extension<request>();
  if (part == nullptr || part->part_of == nullptr) {
    if (const auto* const announced = payload.get_extension<fabric::wavefront>()) announces_ = announced->noted;
    return payload.release();
  }
  pending& asked = *part->part_of;
  transfer& access = *asked.access;
  const fabric::cycle_t valid = clock_.arrival(delay);
  access.first_valid = std::min(access.first_valid, valid);
  access.valid = std::max(access.valid, valid);
  look_at(payload, *part->run, access);
  payload.release();
  if (--asked.outstanding != 0) return;
  pending_.put_back(asked);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time none = sc_core::SC_ZERO_TIME;
  port->nb_transport_bw(access, phase, none);
}

/// What the memory said besides the data.
void shared_memory_adapter::look_at(const tlm::tlm_generic_payload& payload, const links::access_run& run, transfer& access) {
  if (payload.is_response_error()) {
    if (std::exchange(access.status, payload.get_response_status()) == tlm::TLM_OK_RESPONSE) access.refused = &run;
    return;
  }
  if (access.is_write) return;
  const auto& proxy = *payload.get_extension<fabric::proxy_access>();
  access.note_hazard(run, proxy.found, payload.get_address() + proxy.first);
  const auto& undefined = *payload.get_extension<fabric::undefined_bytes>();
  if (!undefined.any) return;
  unsigned char* const flags = access.note_undefined(run, payload.get_address() + undefined.first());
  if (flags != nullptr) std::copy_n(undefined.flags.begin(), run.length, flags);
}

/// Images, and what warps read and write in no time.
unsigned shared_memory_adapter::debug(transfer& what) {
  tlm::tlm_generic_payload payload;
  if (what.what == transfer::kind::begin) {
    fabric::set_attributes(payload, tlm::TLM_IGNORE_COMMAND, what.base, nullptr, 0);
    auto* const region = new fabric::new_region;
    payload.set_extension(region);  // which owns it
    region->base = what.base;
    region->bytes = what.bytes;
    return memory->transport_dbg(payload);
  }
  const links::access_run& run = *what.runs_begin;
  describe(payload, what, run);
  if (what.user == links::memory_user::warp) fabric::warp_tag::mark(payload, what.warp, what.record);
  const unsigned moved = memory->transport_dbg(payload);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);  // of which debug transport says nothing
  if (moved == run.length) look_at(payload, run, what);
  return moved;
}

}  // namespace tc::memory
