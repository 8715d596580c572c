// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <functional>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include <tc/fabric/access_rules.hpp>
#include <tc/fabric/extensions.hpp>
#include <tc/fabric/protocols.hpp>

namespace tc::memory {

/// Whether a byte of the data takes part (IEEE 1666-2011, section 14.12: the enables repeat).
inline bool is_enabled(const tlm::tlm_generic_payload& payload, unsigned byte) {
  const unsigned char* enable = payload.get_byte_enable_ptr();
  return enable == nullptr || enable[byte % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

/// Moves the enabled of `count` bytes between storage and the payload's data from byte `offset` on, in the direction of the command.
inline void transfer(tlm::tlm_generic_payload& payload, unsigned offset, unsigned char* storage, unsigned count) {
  unsigned char* const data = payload.get_data_ptr() + offset;
  const unsigned char* const from = payload.is_write() ? data : storage;
  unsigned char* const to = payload.is_write() ? storage : data;
  if (payload.get_byte_enable_ptr() == nullptr) {
    std::memcpy(to, from, count);
    return;
  }
  for (unsigned i = 0; i < count; ++i)
    if (is_enabled(payload, offset + i)) to[i] = from[i];
}

/// The end of any number of memory-like links in one memory: a base-protocol multi socket that checks requests and completes them in the
/// forward call, with the latency in the annotated delay. Links are numbered in the order in which they were bound. The owner writes only
/// what an access does; blocking, non-blocking and debug transport follow.
///
/// What comes over the links "global_memory", and "shared_memory" from an adapter (byte addresses of the SM), and what a memory of another
/// make owes:
///
///   - Reads and writes without byte enables, of bytes within one line of global memory, or one row of banks. They arrive at their
///     annotated delay and take effect in the order of their arrival. The answer may come in the call or in phases, any time later, and in
///     any order.
///   - Requests with TLM_IGNORE_COMMAND, which move nothing: the answer is TLM_OK_RESPONSE. An announcement (fabric::wavefront) that comes
///     back without being marked as noted is the last of its kind.
///   - transport_dbg, on one more link for each memory, bound last: images before a kernel or a CTA, what a kernel is expected to leave. A
///     request with TLM_IGNORE_COMMAND (fabric::new_region) may be answered 0.
///   - An error response is reported with the instruction (report::load_store_memory), a refused image or expectation with the kernel
///     (report::memory_region).
///   - All extensions may be ignored: warp_tag, wavefront, undefined_bytes, cache_hint, new_region, proxy_access, visibility_change.
class memory_target final : public tlm_utils::multi_passthrough_target_socket_optional<memory_target, fabric::base_link_width_bits> {
 public:
  struct callbacks {
    /// Executes a checked read or write that arrives `delay` from now on a link, and returns how long from now its result is valid: at
    /// least `delay`. May replace the response status, which is TLM_OK_RESPONSE on entry. Must not wait or call back.
    std::function<sc_core::sc_time(unsigned link, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay)> access;
    /// Reads or writes state with no time and no side effect; returns the number of bytes transferred. The data pointer is not null and the
    /// bytes lie inside the rules' address range.
    std::function<unsigned(tlm::tlm_generic_payload& payload)> debug;
    /// Fills in a region for direct access, or returns false. May be empty: there is none.
    std::function<bool(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region)> direct;
    /// Bytes begin a new life.
    std::function<void(const fabric::new_region& region)> begin_region;
  };

  memory_target(const char* name, const fabric::access_rules& rules, callbacks owner);

  const fabric::access_rules& rules() const { return rules_; }

  /// Revokes direct access to [first, last] on every link.
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last);

 private:
  void execute(unsigned link, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void blocking(int link, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum forward(int link, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned debug(int link, tlm::tlm_generic_payload& payload);
  bool direct(int link, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region);

  fabric::access_rules rules_;
  callbacks owner_;
};

}  // namespace tc::memory
