// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <tc/isa/instruction.hpp>
#include <tc/links/run_observer.hpp>
#include <tc/subcore/operands/definedness.hpp>
#include <tc/warp/lane_vector.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::subcore {

// The trace tells which addresses an instruction accesses, and its registers hold what these were made of. What the model computes is
// compared with what the trace has.

/// Which source operand of an instruction its addresses in the trace are of; none if it accesses no memory by registers. Of a copy from
/// global to shared memory it is the global one, which stands last.
std::optional<unsigned> address_source_of(const isa::instruction& code);

/// The one that a copy from global to shared memory goes to, of which the trace has no addresses; none of another instruction.
std::optional<unsigned> copy_target_of(const isa::instruction& code);

/// Vector and uniform registers that an address is made of, RZ and URZ left out.
inline unsigned base_registers(const isa::memory_reference& memory) { return memory.base == isa::zero_register ? 0 : memory.base_count; }
inline unsigned uniform_registers(const isa::memory_reference& memory) {
  return memory.uniform == isa::zero_uniform_register ? 0 : memory.uniform_count;
}
/// All of them.
register_set registers_of_address(const isa::memory_reference& memory);

/// Whether an operand without registers is an address, as [0x10] is. [RZ] stands in instructions whose address the trace alone tells.
inline bool names_address(const isa::memory_reference& memory) { return memory.offset != 0; }

/// What an address is added up from, beside its offset.
struct address_terms {
  std::array<const warp::lane_vector*, 2> base{};  ///< of the vector registers; null: there is none
  std::uint64_t uniform = 0;
  std::uint32_t unknown_lanes = 0;  ///< in which one of them has no known value
  bool is_of_first_lane = false;    ///< the base is one value that the trace gives: traces made by hand mean the first lane's address
};

/// What the terms and the offset add up to, in each lane.
std::array<std::uint64_t, warp::lanes_per_warp> addresses_of(const isa::memory_reference& memory, const address_terms& terms);

/// The addresses of a step, lane by lane: those of its registers beside those of the trace. In shared and local memory they have 32 bits.
links::address_evidence compared(const warp::warp_step& step, const isa::memory_reference& memory, const address_terms& terms);

}  // namespace tc::subcore
