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

}  // namespace tc::links
