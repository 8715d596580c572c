// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/isa/opcode.hpp>
#include <tc/links/warp_instruction.hpp>
#include <tc/subcore/pipes/access_plan.hpp>

namespace tc::subcore {

using isa::memory_action;
using isa::memory_space;

/// What the load-store unit does for an instruction.
struct memory_operation {
  memory_action action = memory_action::order;
  /// Whose link and pipeline it takes: shared or global. Results come back in order with those of the same space. Exchanges between lanes
  /// go through the data path of the shared memory without using its banks.
  memory_space space = memory_space::global;
  bool accesses = false;      ///< reads or writes memory at the addresses of the trace; otherwise it takes the time of the pipeline only
  bool local = false;         ///< accesses local memory, which takes the time of the pipeline only
  bool asynchronous = false;  ///< asks the asynchronous units of the SM

  bool only_orders() const { return action == memory_action::none || action == memory_action::order; }
  bool is_load() const { return accesses && (action == memory_action::load || action == memory_action::load_matrix); }
  bool is_store() const { return accesses && (action == memory_action::store || action == memory_action::store_matrix); }
  /// Reads, and then changes memory (memory_changes).
  bool is_change() const { return accesses && (action == memory_action::atomic || action == memory_action::copy); }
  bool is_matrix() const { return action == memory_action::load_matrix || action == memory_action::store_matrix; }
  bool is_access() const { return accesses; }
};

/// Generic loads and stores (LD, ST, ATOM) go to global memory.
memory_operation operation_of(isa::opcode op);

/// The bytes of one access on their way between registers and memory, where the plan puts them.
struct access_buffer {
  std::array<unsigned char, access_plan::max_bytes> bytes;
  std::array<unsigned char, access_plan::max_bytes> undefined;  ///< not 0: the byte has no value; meaningful only if `any_undefined`
  bool any_undefined = false;
};

/// Lanes for which a predicate behind the address says whether they read at all; of the others, loads and copies bring zeros.
struct lane_condition {
  std::uint32_t lanes = 0;      ///< that do, of the active ones
  std::uint32_t undefined = 0;  ///< of which it is not known
};

/// In a run with data: without, predicates have no values.
lane_condition condition_of(const links::warp_instruction& instruction);

/// What an instruction accesses, with the addresses of the trace behind a base. Matrix rows are elements of 16 bytes, whatever the mask.
access_elements elements_of(const links::warp_instruction& instruction, const memory_operation& operation, std::uint64_t base = 0);

/// Puts the data of a store into the buffer, and marks its bytes that are undefined. Of lanes that store to one address the highest wins.
void take_store_data(const links::warp_instruction& instruction, const memory_operation& operation, const access_plan& plan,
                     access_buffer& buffer);

/// Puts what a load brought into the result registers, and marks the lanes whose bytes are undefined.
void give_load_data(links::warp_instruction& instruction, const memory_operation& operation, const access_plan& plan,
                    const access_buffer& buffer);

/// SHFL: each lane gets the register of another one.
void exchange_lanes(links::warp_instruction& instruction);

/// MOVM: the transposed matrix of the source register.
void transpose_matrix(links::warp_instruction& instruction);

}  // namespace tc::subcore
