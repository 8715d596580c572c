// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/kernels/wmma_instruction.hpp>
#include <tc/trace/instruction_expander.hpp>

namespace tc::kernels {

/// "R8", or "RZ" for the register that reads as zero.
std::string register_text(unsigned index);

/// Collects the machine instructions that a WMMA instruction becomes. They have no control codes: the scoreboard keeps them in order
/// whatever the latencies of the machine are, and with whatever else the trace holds.
class machine_writer {
 public:
  /// Scratch registers lie above those that the kernel declares; if there is no room, they are its last ones.
  machine_writer(const wmma_instruction& instruction, const trace::kernel_header& header);

  isa::architecture arch() const { return arch_; }

  /// Adds "OPCODE operands" under the guard of the instruction.
  void add(const std::string& text) { add(text, {}); }
  void add(const std::string& text, const trace::address_list& addresses);

  /// Takes so many consecutive scratch registers, a power of two up to eight, aligned as an operand must be; returns the first. Throws
  /// isa::syntax_error if the instruction itself names one of them.
  unsigned take_scratch(unsigned count);

  /// All of it. If the instruction has a control field, it waits as that says before it begins, and ends when its results are there
  /// and its operands read: then its barriers, yield and stall count apply.
  trace::expansion finish();

 private:
  static constexpr unsigned scratch_registers = 32;

  void add_settled_end();

  const wmma_instruction& instruction_;
  isa::architecture arch_;
  unsigned first_scratch_, next_scratch_;
  trace::expansion expansion_;
};

}  // namespace tc::kernels
