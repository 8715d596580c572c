// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/fabric/protocols.hpp>
#include <tc/isa/asynchronous_operation.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::links {

/// Warps of a warpgroup, and rows of a warpgroup's product that each of them computes (PTX ISA, wgmma).
inline constexpr unsigned warps_per_warpgroup = 4, rows_per_warp = 16;

/// Words of the 32 bytes of k that a row of A or a column of B has in any warpgroup matrix instruction.
inline constexpr unsigned warpgroup_k_words = 8;

/// Operands of one warp's part of a warpgroup matrix instruction, on their way from the SM's operand feed to a sub-core.
struct warpgroup_operands {
  warp_instruction* instruction = nullptr;
  cycle_t products_begin = 0, products_end = 0;  ///< cycles in which its dot-product units are taken
  const std::uint32_t* a = nullptr;              ///< unless A is in registers: word w of row r at a[r * warpgroup_k_words + w]
  const std::uint32_t* b = nullptr;              ///< word w of column n at b[n * warpgroup_k_words + w]; both null if only time passes
};

/// Dataflow links between a sub-core's warpgroup unit and the SM's operand feed; nb_transport_fw only, answered TLM_COMPLETED.
///
///   warpgroup_request   unit -> feed. BEGIN_REQ, with the delay until it arrives: a warp has issued its part of a wgmma.mma_async. The
///   feed
///                       keeps the pointer until it has sent the operands.
///   warpgroup_operands  feed -> unit. BEGIN_REQ when the cycles of the products are known, which the transfer holds, with no delay: A and
///   the
///                       first columns of B are there. OPERANDS_READY when all of B is: the unit computes, and copies what it keeps.
///                       `products_end` may have become later.
struct warpgroup_request_protocol : fabric::dataflow_protocol<warp_instruction> {};
struct warpgroup_operands_protocol : fabric::dataflow_protocol<warpgroup_operands> {};

template <class Module>
using warpgroup_request_initiator = tlm_utils::simple_initiator_socket<Module, fabric::base_link_width_bits, warpgroup_request_protocol>;
template <class Module>
using warpgroup_request_multi_target =
    tlm_utils::multi_passthrough_target_socket_optional<Module, fabric::base_link_width_bits, warpgroup_request_protocol>;
template <class Module>
using warpgroup_operands_initiator = tlm_utils::simple_initiator_socket<Module, fabric::base_link_width_bits, warpgroup_operands_protocol>;
template <class Module>
using warpgroup_operands_target =
    tlm_utils::passthrough_target_socket_optional<Module, fabric::base_link_width_bits, warpgroup_operands_protocol>;

}  // namespace tc::links
