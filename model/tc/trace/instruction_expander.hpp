// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tc/trace/kernel_header.hpp>
#include <tc/trace/lanes.hpp>

namespace tc::trace {

/// A machine instruction that does part of an instruction of PTX.
struct expanded_instruction {
  std::string code;        ///< [control] [@predicate] OPCODE operands
  address_list addresses;  ///< of an instruction that accesses memory
};

/// What a line of PTX stands for.
struct expansion {
  std::vector<expanded_instruction> instructions;
  unsigned first_scratch = 0, scratch_count = 0;  ///< registers that the instructions overwrite beside those that the line names
};

/// Translates instructions of PTX into those of the machine while a trace is read.
class instruction_expander {
 public:
  virtual ~instruction_expander() = default;

  /// True for the opcodes that it translates.
  virtual bool takes(std::string_view opcode) const = 0;

  /// Translates `[control] [@predicate] OPCODE operands` for the warps of a kernel. Throws isa::syntax_error with a column of `code`,
  /// also for registers that the kernel does not have.
  virtual expansion expand(std::string_view code, const kernel_header& header) const = 0;

 protected:
  instruction_expander() = default;
  instruction_expander(const instruction_expander&) = default;
  instruction_expander& operator=(const instruction_expander&) = default;
};

}  // namespace tc::trace
