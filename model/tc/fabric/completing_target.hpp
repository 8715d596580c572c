// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>

#include <tc/fabric/access_rules.hpp>
#include <tc/fabric/protocols.hpp>

namespace tc::fabric {

/// The target's end of a memory-like link: a base-protocol socket that checks requests and completes them in the forward call, with the
/// latency in the annotated delay. A four-phase initiator is served as well: TLM_COMPLETED is a legal answer to every request
/// (IEEE 1666-2011, section 15.2). The owner writes only what an access does; blocking, non-blocking and debug transport follow.
class completing_target final : public tlm_utils::passthrough_target_socket_optional<completing_target, base_link_width_bits> {
 public:
  /// Executes a checked read or write that arrives `delay` from now, and returns how long from now its result is valid: at least
  /// `delay`. The owner rounds the arrival up to its own edge and reserves its ports. It may replace the response status, which is
  /// TLM_OK_RESPONSE on entry. Must not wait, and must not call back to the initiator.
  using access_callback = std::function<sc_core::sc_time(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay)>;

  /// Reads or writes state with no time and no side effect; returns the number of bytes transferred. The command is a read or a write,
  /// the data pointer is not null, and the bytes asked for lie inside the rules' address range; everything else is ignored.
  using debug_callback = std::function<unsigned(tlm::tlm_generic_payload& payload)>;

  /// Looks at a request with TLM_IGNORE_COMMAND, which moves no data but may carry extensions; the rest is as for an access.
  using notice_callback = access_callback;

  /// Without `notice`, requests with TLM_IGNORE_COMMAND do nothing.
  completing_target(const char* name, const access_rules& rules, access_callback access, debug_callback debug, notice_callback notice = {});

  const access_rules& rules() const { return rules_; }

 private:
  void execute(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& payload);

  access_rules rules_;
  access_callback access_;
  debug_callback debug_;
  notice_callback notice_;
};

}  // namespace tc::fabric
