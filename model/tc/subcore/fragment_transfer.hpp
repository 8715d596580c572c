#pragma once

#include <array>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/subcore/lane_vector.hpp>
#include <tc/subcore/octet_range.hpp>
#include <tc/subcore/tensor_schedule.hpp>

namespace tc::subcore {

class tensor_operation;

/// Registers of a lane that hold A, B, and C or D, of any operation the tensor cores compute: those of m16n8k16 in f64.
inline constexpr unsigned max_a_registers = 16, max_b_registers = 8, max_accumulator_registers = 8;

/// What travels between the operand buses and a tensor core: the operand fragments of one matrix instruction on the way in, its products on
/// the way out. Registers stand at their warp lanes; a tensor core takes and gives those of its own threadgroups.
struct fragment_transfer {
  const tensor_operation* operation = nullptr;
  tensor_schedule schedule{};
  octet_range octets{};                                             ///< of the tensor core that takes or gives the fragments
  std::array<lane_vector, max_a_registers> a;                       ///< meaningless on `products`
  std::array<lane_vector, max_accumulator_registers> accumulators;  ///< C on `fill`, D on `products`
};

/// Dataflow links of the tensor unit; nb_transport_fw only.
///
///   fill      operand buses -> tensor core. BEGIN_REQ when B is on its way to the buffer, with the delay until A and B are complete.
///   products  tensor core -> result assembly. BEGIN_REQ with the delay until the last sum leaves the adders.
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
using fragment_target = tlm_utils::passthrough_target_socket<Module, fragment_link_width_bits, fragment_protocol>;
template <class Module>
using fragment_multi_target = tlm_utils::multi_passthrough_target_socket<Module, fragment_link_width_bits, fragment_protocol>;

}  // namespace tc::subcore
