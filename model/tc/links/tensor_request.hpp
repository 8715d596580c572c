// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/fabric/protocols.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::links {

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
