// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>

#include <tc/fabric/clocked.hpp>
#include <tc/fabric/protocols.hpp>
#include <tc/fabric/transfer_sockets.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::links {

/// Rows of a register bank that follow each other: those of one operand or result.
struct row_range {
  std::uint32_t row = 0;         ///< the first, from bank_transfer::base_row on
  std::uint8_t rows = 0;         ///< how many
  std::uint8_t position = 0;     ///< of the value of the first row among those of the transfer
  std::uint8_t late_cycles = 0;  ///< of a read: what is written up to this long after its arrival comes over the bypass
};

/// What one instruction reads or writes in one register bank. A row is a register of one warp. The bank takes one range after the other.
struct bank_transfer {
  tlm::tlm_command command = tlm::TLM_READ_COMMAND;
  std::uint32_t base_row = 0;
  const row_range* ranges = nullptr;  ///< to be followed until the answer
  std::uint32_t range_count = 0;
  fabric::cycle_t arrival = 0;                ///< the request reaches the bank in this cycle
  std::uint32_t lanes = 0xffffffff;           ///< of a write: a bit for each lane that it changes
  const warp::lane_vector* values = nullptr;  ///< of a write: that of position 0; to be followed during the call
  unsigned stride = 1;                        ///< of a write: from the value of a row to that of the next, in values
  warp::lane_vector* room = nullptr;          ///< of a read: where the values may be put; that of position 0
  const warp::lane_vector** found = nullptr;  ///< of a read: by position, where each value is; null: they must be put into `room`

  std::uint32_t warp_slot = 0;
  std::uint64_t record = 0;  ///< id of the instruction's record; 0: none is kept

  // Set by the bank.
  fabric::cycle_t done = 0;               ///< the values of a read are there, or those of a write can be read, from this cycle on
  fabric::cycle_t* range_done = nullptr;  ///< of a read, for those who listen: where the same of each range is to be put; null: nowhere
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;

  std::uint32_t first_row(const row_range& range) const { return base_row + range.row; }
};

/// The links between a sub-core and a bank of its register file: "bank_read" from the operand fetch and "bank_write" from write-back; on a
/// machine with warpgroup matrix instructions or tensor memory a third one, "accumulator", over which the tensor core, or loads and stores
/// of tensor memory, read and write.
///
/// nb_transport_fw with BEGIN_REQ. Time is in the payload, in cycles; the annotated delay is zero. The answer is
///
///   TLM_COMPLETED   `done` and `status` are set, and the values of a read are there: in `room`, or where `found` says. Rows of the bank
///                   that it points to are to be followed until the next call to the bank.
///   TLM_UPDATED     the same, with the phase BEGIN_RESP.
///   TLM_ACCEPTED    the answer follows: nb_transport_bw with BEGIN_RESP, which is answered TLM_COMPLETED. Values of a read are in `room`.
///
/// A write is sent as soon as its result is known, many cycles ahead: a read sees every write that arrives with it or before it, and none
/// that arrives later, unless the bypass network brings it. Of two that arrive together, the one sent later lasts.
///
/// A write must be done when it arrives: the instruction that reads the register next has been told so. Later is
/// report::write_back_late. A read with port reservation must be done when it arrives: its ports were booked at issue, and the request
/// comes in the very cycle in which the unit takes the operands. Later is report::operand_fetch_late. With collectors it may take any time,
/// in which the instruction keeps its collector unit. A read over "accumulator" is done in its cycle; no port is shared with other links.
///
/// transport_dbg on "bank_write" gives registers their values before a warp starts, and reads what they hold now. It returns the bytes that
/// it moved; a bank may answer such a read with 0.
///
/// A bank of another make speaks the base protocol, as bank_adapter.hpp says.
struct bank_protocol {
  using tlm_payload_type = bank_transfer;
  using tlm_phase_type = tlm::tlm_phase;

  static constexpr unsigned lanes = 32;
  static constexpr unsigned row_bytes = lanes * sizeof(std::uint32_t);
};

/// As the generic payload names it.
inline std::string name_of(tlm::tlm_response_status status) {
  tlm::tlm_generic_payload payload;
  payload.set_response_status(status);
  return payload.get_response_string();
}

template <class Module>
using bank_initiator = fabric::transfer_initiator<Module, bank_protocol>;
template <class Module>
using bank_target = tlm_utils::passthrough_target_socket_optional<Module, fabric::base_link_width_bits, bank_protocol>;

}  // namespace tc::links
