// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/isa/instruction.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/lanes.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::trace {

/// What an instruction does with the addresses that the trace lists for it.
struct memory_access {
  isa::memory_space space = isa::memory_space::none;  ///< none: the trace must list no addresses
  std::uint8_t bytes = 0;                             ///< at each address, which is a multiple of it (PTX ISA, ld); a power of two
  bool every_lane = false;                            ///< all 32 lanes have an address whatever the mask: rows of 8x8 matrices
  lane_mask used = all_lanes;                         ///< lanes whose address is used: eight for each matrix
};

memory_access access_of(const isa::instruction& instruction);

/// Checks the alignment of the used addresses, and that those of shared memory lie in the kernel's window. A trace_error at `position`.
void check_addresses(const memory_access& access, const address_list& addresses, const kernel_header& header, const text_cursor& in,
                     std::size_t position);

}  // namespace tc::trace
