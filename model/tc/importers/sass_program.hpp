// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tc/importers/import_report.hpp>
#include <tc/importers/sass_listing.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/trace/memory_access.hpp>

namespace tc::importers {

/// What an instruction does with the flow of control.
enum class control_flow : std::uint8_t {
  next,          ///< goes on behind it
  branch,        ///< goes to its target where its condition holds
  exit,          ///< ends the lanes in which its condition holds
  if_divergent,  ///< BRA.DIV: goes to its target if the warp does not execute it with all its lanes
  not_followed,  ///< anything else: calls, returns, computed branches
};

/// One instruction of a kernel, decoded.
struct program_instruction {
  isa::instruction code;  ///< with pc and control code
  std::string line;       ///< of a trace, without mask and addresses: "/*00a0*/ [B------:R0:W4:-:S04] LDG.E.SYS R0, [R6]"
  std::uint64_t listing_line = 0;
  std::uint32_t listing_column = 0;  ///< of the opcode, or of the predicate in front of it
  control_flow flow = control_flow::next;
  std::optional<std::uint32_t> target;  ///< pc, of a branch to a label
  trace::memory_access access;          ///< what it does with memory
};

/// Decodes all instructions of a kernel. What has no form in a trace, opcodes that the model does not know for one, is noted in `report`,
/// and left out of the program.
std::vector<program_instruction> decode_sass(const sass_kernel& kernel, import_report& report);

}  // namespace tc::importers
