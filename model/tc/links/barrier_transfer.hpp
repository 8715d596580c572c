// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/fabric/protocols.hpp>
#include <tc/isa/asynchronous_operation.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::links {

/// What became of a request to the barrier unit.
enum class barrier_response : std::uint8_t {
  done,
  not_initialised,  ///< the bytes at the address are no mbarrier
  overflow,         ///< more arrivals than the phase expects, or more than 2^20 - 1 bytes
  bad_address,      ///< outside shared memory, or not a multiple of 8
};

/// A request to an mbarrier of the SM's shared memory.
struct barrier_transfer {
  isa::barrier_action action = isa::barrier_action::arrive;
  std::uint64_t address = 0;  ///< byte address in the SM's shared memory
  std::uint32_t count = 1;
  std::uint32_t bytes = 0;
  bool parity = false;
  bool drop = false;
  barrier_response response = barrier_response::done;
  bool phase_completed = false;  ///< answer to test_wait and wait
  // Of complete: the part of the SM's shared memory that the bytes have come to; who waits for the phase may read it.
  std::uint64_t region_base = 0, region_bytes = 0;
  bool of_commit = false;    ///< of arrive: a tensor engine's, which is counted where it comes
  std::uint64_t commit = 0;  ///< of arrive: number of a commit whose listener is told when a wait for the phase is over; 0: of none
  const warp::warp_context* warp = nullptr;  ///< who asks, for messages; null: a unit
  std::uint64_t record = 0;                  ///< id of the instruction's record; 0: none is kept, or no instruction asks
  void* owner = nullptr;                     ///< the initiator's own
};

/// Link "barrier", to the SM's barrier unit. Requests take effect in the order in which they are sent.
///
///   forward   BEGIN_REQ, with the delay until the request arrives. TLM_COMPLETED: it is done, `delay` is the time of the answer. A `wait`
///             whose phase is still open is answered TLM_ACCEPTED, and so is any request while the shared memory takes its time to answer;
///             the unit keeps the pointer until it answers.
///   backward  BEGIN_RESP, for each request that was accepted, when it is done: a wait when its phase completes. The delay, at least one
///             cycle, is the time until the initiator knows; answered TLM_COMPLETED.
struct barrier_protocol {
  using tlm_payload_type = barrier_transfer;
  using tlm_phase_type = tlm::tlm_phase;
};

template <class Module>
using barrier_initiator = tlm_utils::simple_initiator_socket<Module, fabric::base_link_width_bits, barrier_protocol>;
template <class Module>
using barrier_multi_target = tlm_utils::multi_passthrough_target_socket_optional<Module, fabric::base_link_width_bits, barrier_protocol>;

}  // namespace tc::links
