// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/fabric/protocols.hpp>
#include <tc/isa/asynchronous_operation.hpp>
#include <tc/links/warp_instruction.hpp>
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

/// A bulk copy as a warp asks for it.
struct bulk_copy_transfer {
  const isa::bulk_copy_operation* copy = nullptr;
  const isa::tensor_map* map = nullptr;      ///< of a tensor copy
  const warp::warp_context* warp = nullptr;  ///< whose window of shared memory the addresses are in
  const isa::instruction* code = nullptr;    ///< for messages
  std::uint32_t line = 0;                    ///< of the trace, for messages
  std::uint64_t record = 0;                  ///< id of the instruction's record; 0: none is kept, or no instruction asks
  void* owner = nullptr;                     ///< the initiator's own
};

/// Link "bulk_copy", to the SM's bulk-copy engine.
///
///   forward   BEGIN_REQ, with the delay until the request arrives; answered TLM_ACCEPTED. The engine copies the transfer.
///   backward  END_REQ, only for copies from shared memory, when the last byte has been read from there; BEGIN_RESP when the last one is
///             written, and the mbarrier of a copy to shared memory has been told. Each with a copy of the transfer; answered TLM_ACCEPTED
///             and TLM_COMPLETED.
struct bulk_copy_protocol {
  using tlm_payload_type = bulk_copy_transfer;
  using tlm_phase_type = tlm::tlm_phase;
};

template <class Module>
using bulk_copy_initiator = tlm_utils::simple_initiator_socket<Module, fabric::base_link_width_bits, bulk_copy_protocol>;
template <class Module>
using bulk_copy_multi_target =
    tlm_utils::multi_passthrough_target_socket_optional<Module, fabric::base_link_width_bits, bulk_copy_protocol>;

/// A warp's tcgen05.alloc, dealloc or relinquish_alloc_permit.
struct allocation_transfer {
  const isa::tensor_allocation_operation* operation = nullptr;
  const warp::warp_context* warp = nullptr;
  const isa::instruction* code = nullptr;  ///< for messages
  std::uint32_t line = 0;                  ///< of the trace, for messages
  std::uint64_t record = 0;                ///< id of the instruction's record; 0: none is kept, or no instruction asks
  void* owner = nullptr;                   ///< the initiator's own
};

/// Link "tensor_allocation", to the SM's allocation unit for the columns of tensor memory.
///
///   forward   BEGIN_REQ, with the delay until the request arrives; answered TLM_ACCEPTED. The unit copies the transfer, and reports what
///             breaks a rule.
///   backward  BEGIN_RESP when it is done: an allocation when its columns are free and their address is in shared memory. With the delay
///             until the warp goes on, and a copy of the transfer; answered TLM_COMPLETED.
struct allocation_protocol {
  using tlm_payload_type = allocation_transfer;
  using tlm_phase_type = tlm::tlm_phase;
};

template <class Module>
using allocation_initiator = tlm_utils::simple_initiator_socket<Module, fabric::base_link_width_bits, allocation_protocol>;
template <class Module>
using allocation_multi_target =
    tlm_utils::multi_passthrough_target_socket_optional<Module, fabric::base_link_width_bits, allocation_protocol>;

/// Link "tensor_request", from a sub-core to the tensor engine of its SM: tcgen05.mma, cp, shift and commit, in the order in which its
/// warps issue them.
///
///   forward   BEGIN_REQ, with the delay until the instruction arrives; answered TLM_ACCEPTED. The engine keeps the pointer until it
///             answers. The sub-core counts the places of the engine's queue that are its own.
///   backward  END_REQ when the engine has taken the instruction out of its queue, with no delay; answered TLM_ACCEPTED. BEGIN_RESP when it
///             is complete, with the delay until then; answered TLM_COMPLETED.
struct tensor_request_protocol {
  using tlm_payload_type = warp_instruction;
  using tlm_phase_type = tlm::tlm_phase;
};

template <class Module>
using tensor_request_initiator = tlm_utils::simple_initiator_socket<Module, fabric::base_link_width_bits, tensor_request_protocol>;
template <class Module>
using tensor_request_multi_target =
    tlm_utils::multi_passthrough_target_socket_optional<Module, fabric::base_link_width_bits, tensor_request_protocol>;

}  // namespace tc::links
