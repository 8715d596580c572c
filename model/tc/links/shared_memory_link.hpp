// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/passthrough_target_socket.h>

#include <tc/fabric/clocked.hpp>
#include <tc/fabric/extensions.hpp>
#include <tc/fabric/protocols.hpp>

namespace tc::links {

using fabric::cycle_t;

/// Contiguous bytes of one group of an access: a wavefront of shared memory, or a line of global memory.
struct access_run {
  std::uint64_t address = 0;  ///< from the base of the access on
  std::uint16_t offset = 0;   ///< of its first byte in the access's buffer
  std::uint16_t length = 0;   ///< in bytes, at least one
  std::uint16_t group = 0;
};

/// What reads and writes shared memory.
enum class memory_user : std::uint8_t {
  warp,          ///< through the generic proxy
  asynchronous,  ///< through the asynchronous proxy (PTX ISA, "Proxies")
  outside,       ///< not in the machine: the content that a kernel starts with
};

/// What goes to the shared memory of an SM: an access of a warp as a whole, a part of the stream of an asynchronous unit, or a change of
/// what may be read. Addresses are bytes of the SM's shared memory.
struct shared_memory_transfer {
  enum class kind : std::uint8_t {
    access,
    // Of the bytes from `base` on; the rest has no meaning.
    fence,   ///< what warps have written there is visible to the asynchronous proxy: fence.proxy.async
    arrive,  ///< a bulk copy writes there, and nothing may read it
    settle,  ///< its end has been waited for: all may read it
    begin,   ///< debug transport alone: the bytes begin a new life, undefined
  };

  kind what = kind::access;
  memory_user user = memory_user::warp;
  bool is_write = false;
  /// The words of each group lie in different banks. Otherwise the memory looks at the banks of each run.
  bool is_conflict_free = false;
  bool any_undefined = false;   ///< of a write: set by the initiator; of a read: by the memory
  unsigned warp = 0;            ///< within the sub-core
  std::uint64_t record = 0;     ///< id of the record of the instruction that asks; 0: none is kept
  std::uint64_t number = 0;     ///< among the accesses of its initiator, ascending; 0: each run is a wavefront by itself
  cycle_t arrival = 0;          ///< the coming cycle or a later one
  unsigned wavefronts = 1;      ///< the groups of the runs
  unsigned interval = 0;        ///< of a stream, whose accesses keep no distance: 1; of a warp: 0
  std::uint32_t conflicts = 0;  ///< bit per group: it is needed only because several words lie in one bank
  unsigned further_bytes = 0;   ///< that are counted besides those of the runs, in a run without data

  std::uint64_t base = 0, bytes = 0;                            ///< from the base to the end of the run that ends last
  const access_run *runs_begin = nullptr, *runs_end = nullptr;  ///< in the order of their groups; to be followed until the answer
  unsigned char* buffer = nullptr;                              ///< where the offsets of the runs count from; never null
  /// By byte of the buffer: not 0 if it is undefined; meaningful only if `any_undefined`. Null: none is, or who reads does not want to know
  /// which.
  unsigned char* undefined = nullptr;

  // What the memory answers. The initiator has set them as of an access that takes no time and finds nothing.
  cycle_t first_valid = 0, valid = 0;  ///< when the first of the groups is done, and the last
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  const access_run* refused = nullptr;  ///< the run that an error is about
  // Of a read: the first run that is unreliable, or has undefined bytes, and where they begin.
  fabric::proxy_hazard hazard = fabric::proxy_hazard::none;
  const access_run *hazard_run = nullptr, *undefined_run = nullptr;
  std::uint64_t first_hazard = 0, first_undefined = 0;

  void* owner = nullptr;  ///< the initiator's own

  std::uint64_t address_of(const access_run& run) const { return base + run.address; }
  /// Of the runs, and further ones.
  std::uint64_t counted_bytes() const {
    std::uint64_t sum = further_bytes;
    for (const access_run* run = runs_begin; run != runs_end; ++run) sum += run->length;
    return sum;
  }
  /// Notes undefined bytes that a read finds in one of its runs, from an address on, and where to put their flags; null: nowhere.
  unsigned char* note_undefined(const access_run& run, std::uint64_t first);
  void note_hazard(const access_run& run, fabric::proxy_hazard found, std::uint64_t first);
};

/// An access to come, from where it comes, its arrival and its wavefronts; the rest has no meaning yet. A memory that several units share
/// then knows all competitors for a cycle before the first of them asks, so that its choice does not depend on which is called first.
DECLARE_EXTENDED_PHASE(ACCESS_ANNOUNCED);

/// Link "shared_memory", from each unit of an SM to its shared memory. Time is in the transfer, in cycles; the annotated delay is zero.
///
///   ACCESS_ANNOUNCED  at least a cycle before the access of a warp is sent; answered TLM_COMPLETED.
///   BEGIN_REQ         the access, in the cycle before its arrival. Answered
///                       TLM_COMPLETED  done: the memory has changed, or the bytes of a read are in the buffer, and valid when it says;
///                       TLM_UPDATED    the same, with the phase BEGIN_RESP;
///                       TLM_ACCEPTED   the answer follows: nb_transport_bw with BEGIN_RESP, which is answered TLM_COMPLETED.
///                     A change of what may be read takes effect in the order of the calls, in no time; answered TLM_COMPLETED.
///
/// transport_dbg moves one run in no time, or begins a region; it returns how many bytes were moved.
struct shared_memory_protocol {
  using tlm_payload_type = shared_memory_transfer;
  using tlm_phase_type = tlm::tlm_phase;
};

template <class Module>
using shared_memory_target = tlm_utils::passthrough_target_socket_optional<Module, fabric::base_link_width_bits, shared_memory_protocol>;
template <class Module>
using shared_memory_multi_target =
    tlm_utils::multi_passthrough_target_socket_optional<Module, fabric::base_link_width_bits, shared_memory_protocol>;

}  // namespace tc::links
