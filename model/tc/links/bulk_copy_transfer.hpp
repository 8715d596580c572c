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

}  // namespace tc::links
