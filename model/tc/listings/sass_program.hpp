// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/instruction.hpp>
#include <tc/listings/sass_listing.hpp>
#include <tc/trace/memory_access.hpp>

namespace tc::listings {

/// What an instruction does with the flow of control.
enum class control_flow : std::uint8_t {
  next,          ///< goes on behind it
  branch,        ///< goes to its target where its condition holds: a branch, or a call
  computed,      ///< goes where its register and its target say: a return, or a branch to a table's entry
  exit,          ///< ends the lanes in which its condition holds
  if_divergent,  ///< BRA.DIV: goes to its target if the warp does not execute it with all its lanes
  not_followed,  ///< anything else
};

/// One instruction of a kernel, decoded.
struct program_instruction {
  isa::instruction code;  ///< with pc and control code; of an unknown one nothing else
  std::string unknown;    ///< why it has no form in a trace; empty: it has
  std::string line;       ///< of a trace, without mask and addresses: "/*00a0*/ [B------:R0:W4:-:S04] LDG.E.SYS R0, [R6]"
  std::uint64_t listing_line = 0;
  std::uint32_t listing_column = 0;  ///< of the opcode, or of the predicate in front of it
  control_flow flow = control_flow::next;
  std::optional<std::uint32_t> target;  ///< pc, of a branch to a label or a number; what a computed one adds to its register
  trace::memory_access access;          ///< what it does with memory
};

/// The address that an expression of symbols stands for: "table", "(k + .L_x_5@srel)". Nothing: it is not known.
using address_source = std::function<std::optional<std::uint64_t>(std::string_view expression)>;

/// Decodes all instructions of a kernel. What has no form in a trace, opcodes that the model does not know for one, is unknown. Without
/// `addresses` the labels of the kernel alone have addresses, and it lies at 0.
std::vector<program_instruction> decode_sass(const sass_kernel& kernel, const address_source& addresses = {});

}  // namespace tc::listings
