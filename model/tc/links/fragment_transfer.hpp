// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/isa/mma_operation.hpp>
#include <tc/links/matrix_limits.hpp>
#include <tc/links/octet_range.hpp>
#include <tc/links/tensor_schedule.hpp>

namespace tc::links {

/// What travels between the operand buses and a tensor core: the operand fragments of one matrix instruction on the way in, its products on
/// the way out. Registers stand at their warp lanes; a tensor core takes and gives those of its own threadgroups alone.
struct fragment_transfer {
  // On `fill`; a tensor core sends them back as they are with the products.
  const isa::mma_operation* mma = nullptr;
  tensor_schedule schedule{};
  std::uint64_t record = 0;  ///< id of the instruction's record; 0: none is kept
  octet_range octets{};      ///< of the tensor core

  // On `fill`. Pointers are to be followed during the call, and null in a run without data.
  std::uint64_t b_address = 0;  ///< of B in each of the B buffers that the tensor core reads, with so many bytes
  unsigned b_bytes = 0;
  std::array<const warp::lane_vector*, max_a_registers> a{};
  std::array<const warp::lane_vector*, max_accumulator_registers> c{};

  // On `products`.
  std::array<warp::lane_vector, max_accumulator_registers> d;
};

/// Dataflow links of the tensor unit; nb_transport_fw only.
///
///   fill      operand buses -> tensor core. BEGIN_REQ when B is on its way to the buffers, with the delay until A and B are complete: in
///             that cycle the tensor core reads B.
///   products  tensor core -> result assembly. BEGIN_REQ with the delay until the last sum leaves the adders: not after the cycle
///             schedule.products, which was promised to all who wait for the result; later ones are reported.
///
/// All calls are answered TLM_COMPLETED and leave `delay` unchanged: the sequencer sends only what the buffers have room for. The receiver
/// copies what it keeps before it returns. Nothing travels backward, so there is no nb_transport_bw.
struct fragment_protocol {
  using tlm_payload_type = fragment_transfer;
  using tlm_phase_type = tlm::tlm_phase;
};

inline constexpr unsigned fragment_link_width_bits = 32;

template <class Module>
using fragment_initiator = tlm_utils::simple_initiator_socket<Module, fragment_link_width_bits, fragment_protocol>;
template <class Module>
using fragment_target = tlm_utils::passthrough_target_socket_optional<Module, fragment_link_width_bits, fragment_protocol>;
template <class Module>
using fragment_multi_target = tlm_utils::multi_passthrough_target_socket_optional<Module, fragment_link_width_bits, fragment_protocol>;

}  // namespace tc::links
