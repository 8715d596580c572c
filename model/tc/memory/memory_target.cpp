// SPDX-License-Identifier: Apache-2.0
#include "memory_target.hpp"

#include <string>
#include <utility>

#include <tc/fabric/access_rules.hpp>
#include <tc/fabric/reports.hpp>

namespace tc::memory {

memory_target::memory_target(const char* name, const fabric::access_rules& rules, callbacks owner)
    : multi_passthrough_target_socket_optional(name), rules_(rules), owner_(std::move(owner)) {
  register_b_transport(this, &memory_target::blocking);
  register_nb_transport_fw(this, &memory_target::forward);
  register_transport_dbg(this, &memory_target::debug);
  register_get_direct_mem_ptr(this, &memory_target::direct);
}

void memory_target::invalidate(sc_dt::uint64 first, sc_dt::uint64 last) {
  if (get_base_port().size() == 0) return;  // nothing is bound: size() is not 0 all the same
  for (unsigned link = 0; link < size(); ++link) (*this)[static_cast<int>(link)]->invalidate_direct_mem_ptr(first, last);
}

/// The same change of state for every way of transport.
void memory_target::execute(unsigned link, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = rules_.check(payload);
  payload.set_response_status(status);
  if (status != tlm::TLM_OK_RESPONSE) return;
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND) delay = owner_.access(link, payload, delay);
}

void memory_target::blocking(int link, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  execute(static_cast<unsigned>(link), payload, delay);
}

tlm::tlm_sync_enum memory_target::forward(int link, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    execute(static_cast<unsigned>(link), payload, delay);
    return tlm::TLM_COMPLETED;
  }
  // Every transaction ended in its first call: no phase of the base protocol may follow.
  if (!fabric::is_extended(phase)) {
    fabric::error(fabric::report::target_phase, name(), std::string("unexpected forward phase ") + phase.get_name());
  }
  return tlm::TLM_ACCEPTED;
}

unsigned memory_target::debug(int, tlm::tlm_generic_payload& payload) {
  auto* const region = payload.get_extension<fabric::new_region>();
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND && region != nullptr) {
    region->noted = true;
    owner_.begin_region(*region);
  }
  const bool transfers = payload.is_read() || payload.is_write();
  if (!transfers || payload.get_data_ptr() == nullptr) return 0;
  if (!rules_.contains(payload.get_address(), payload.get_data_length())) return 0;
  const fabric::hidden_byte_enables hidden(payload);
  return owner_.debug(payload);
}

bool memory_target::direct(int, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region) {
  return owner_.direct && owner_.direct(payload, region);
}

}  // namespace tc::memory
