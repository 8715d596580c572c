// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The links between a sub-core and a bank of its register file: all that a bank of another make has to know.
///
/// A bank has two links of the TLM-2.0 base protocol (IEEE 1666-2011, section 15), 32 bit wide: "bank_read" from the operand fetch and
/// "bank_write" from write-back; on a machine with warpgroup matrix instructions or tensor memory a third one, "accumulator", over which
/// the tensor core, or loads and stores of tensor memory, read and write. The initiators' names end in the number of the bank.
///
/// Content. A row is a register of one warp: 32 lanes of 32 bit, lane 0 first. Row r lies at byte address r * row_bytes. A transaction
/// moves whole rows: address and data length are multiples of row_bytes, and the streaming width is the data length.
///
/// A read has no byte enables. A write may have row_bytes of them, equal for the four bytes of a lane, and repeated for each row: disabled
/// lanes keep what they hold.
///
/// Time. A request arrives at its annotated delay. A write is sent as soon as its result is known, many cycles ahead: a read sees every
/// write that arrives with it or before it, and none that arrives later; of two that arrive together, the one sent later lasts. The answer
/// may come in the call or in phases of its own, and its annotated delay counts:
///
///   bank_write  must be answered when it arrives: who reads the register next has been told so. Later is report::write_back_late.
///   bank_read   with port reservation must be answered when it arrives: its ports were booked at issue, and the request comes in the very
///               cycle in which the unit takes the operands. Later is report::operand_fetch_late. With collectors the answer may take any
///               time, in which the instruction keeps its collector unit.
///
///   accumulator as bank_write. A read may come with its cycle, and is answered in it; no port is shared with the other links.
///
/// transport_dbg on bank_write gives registers their values before a warp starts, and reads what they hold now (a bank may answer such a
/// read with 0). Extensions may be ignored.
namespace tc::links::bank_protocol {

inline constexpr unsigned lanes = 32;
inline constexpr unsigned row_bytes = lanes * sizeof(std::uint32_t);

}  // namespace tc::links::bank_protocol
