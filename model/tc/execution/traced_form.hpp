// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <tc/isa/instruction.hpp>
#include <tc/trace/lanes.hpp>

namespace tc::execution {

class program;
class warp_state;
struct operation;

// What warps execute, as traces have it. Numbers of barriers stand in the place of registers, and products of warpgroups become
// instructions of PTX.

enum class traced_form : std::uint8_t {
  fixed,    ///< listings::program_instruction::line, whatever registers hold
  numbers,  ///< numbered_line()
  ptx       ///< ptx_lines()
};
traced_form form_of(const program& code, const operation& op);

/// What follows the pc in a line of a trace.
std::string behind_pc(const std::string& line);

/// The line of a BAR, of which registers hold the number of the barrier, the threads, or both, with numbers in their place. Throws
/// kernel_fault if they hold what has no form.
std::string numbered_line(const warp_state& warp, const operation& op, std::uint32_t mask);

/// HGMMA and WARPGROUP as wgmma (PTX ISA), with what registers hold. Of others there are no lines.
std::string ptx_lines(const warp_state& warp, const operation& op);

/// The operand that the addresses of an instruction are of in a trace: of a copy to shared memory the global one, which stands last. Null
/// if it has none.
const isa::memory_reference* traced_operand(const isa::instruction& code);

/// The addresses that the registers hold; those of shared and local memory have 32 bits.
trace::address_list traced_addresses(const warp_state& warp, const operation& op, std::uint32_t mask);

}  // namespace tc::execution
