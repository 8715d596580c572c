// SPDX-License-Identifier: Apache-2.0
#include "completing_target.hpp"

#include <string>
#include <utility>

#include <tc/fabric/access_rules.hpp>
#include <tc/fabric/reports.hpp>

namespace tc::fabric {

completing_target::completing_target(const char* name, const access_rules& rules, access_callback access, debug_callback debug,
                                     notice_callback notice)
    : passthrough_target_socket_optional(name),
      rules_(rules),
      access_(std::move(access)),
      debug_(std::move(debug)),
      notice_(std::move(notice)) {
  register_b_transport(this, &completing_target::blocking);
  register_nb_transport_fw(this, &completing_target::forward);
  register_transport_dbg(this, &completing_target::debug);
}

/// The same change of state for every way of transport.
void completing_target::execute(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = rules_.check(payload);
  payload.set_response_status(status);
  const bool transfers = payload.get_command() != tlm::TLM_IGNORE_COMMAND;
  if (status != tlm::TLM_OK_RESPONSE || (!transfers && !notice_)) return;
  const sc_core::sc_time valid = transfers ? access_(payload, delay) : notice_(payload, delay);
  if (valid < delay) {
    error(report::target_delay, name(),
          "the access is done " + valid.to_string() + " from now but arrives " + delay.to_string() + " from now");
    return;
  }
  delay = valid;
}

void completing_target::blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) { execute(payload, delay); }

tlm::tlm_sync_enum completing_target::forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    execute(payload, delay);
    return tlm::TLM_COMPLETED;
  }
  // Every transaction ended in its first call: no phase of the base protocol may follow.
  if (!is_extended(phase)) error(report::target_phase, name(), std::string("unexpected forward phase ") + phase.get_name());
  return tlm::TLM_ACCEPTED;
}

unsigned completing_target::debug(tlm::tlm_generic_payload& payload) {
  const bool transfers = payload.is_read() || payload.is_write();
  if (!transfers || payload.get_data_ptr() == nullptr) return 0;
  if (!rules_.contains(payload.get_address(), payload.get_data_length())) return 0;
  const hidden_byte_enables hidden(payload);
  return debug_(payload);
}

}  // namespace tc::fabric
