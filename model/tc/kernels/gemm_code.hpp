// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/isa/register_use.hpp>
#include <tc/kernels/gemm_address.hpp>

namespace tc::kernels {

/// What a memory instruction accesses in each lane: `base` as the instruction sees it while it works on a tile.
struct memory_operand {
  const linear_address* base = nullptr;  ///< null: the instruction accesses no memory
  std::uint64_t offset = 0;              ///< bytes added by the instruction
  std::uint64_t advance_per_tile = 0;    ///< bytes that the base register has been moved on for each tile of k
};

/// One instruction of the kernel's code.
struct kernel_instruction {
  isa::instruction code;  ///< with the control code, once it has one
  memory_operand memory;
  std::uint8_t barrier = isa::control_code::no_barrier;  ///< announces results and operands read, where somebody waits for them
  std::uint8_t least_stall = 1;                          ///< cycles

  bool is_branch() const { return code.op == isa::opcode::bra; }
};

/// "[control] [@predicate] OPCODE operands", as a trace has it.
std::string text_of(const kernel_instruction& instruction);

/// Registers as instructions of PTX list them: "{R16, R17, R18}".
std::string register_list(unsigned first, unsigned count);

/// Instructions that follow each other. A branch is the last one.
struct code_block {
  std::vector<kernel_instruction> instructions;
};

/// A pass of every warp through a block.
struct block_visit {
  std::size_t block = 0;
  unsigned tile = 0;      ///< of k
  bool predicate = true;  ///< value of all guard predicates but PT

  /// Whether the instruction is executed in this pass, or predicated off.
  bool executes(const isa::instruction& code) const { return code.guard.index == isa::true_predicate || predicate != code.guard.inverted; }
};

/// A kernel's code, and the path that every warp takes through it.
struct kernel_code {
  std::vector<code_block> blocks;
  std::vector<block_visit> path;
};

/// Appends instructions to a block.
class code_writer {
 public:
  code_writer(isa::architecture arch, code_block& block) : arch_(arch), block_(block) {}

  isa::architecture arch() const { return arch_; }

  /// Appends "[@predicate] OPCODE operands". The reference is valid until the next call.
  kernel_instruction& add(std::string_view text);
  /// The same for an instruction whose latency is not known in advance: consumers wait for `barrier`.
  kernel_instruction& add(std::string_view text, std::uint8_t barrier);
  /// The same for one that accesses memory.
  kernel_instruction& add(std::string_view text, std::uint8_t barrier, const memory_operand& memory);

 private:
  isa::architecture arch_;
  code_block& block_;
};

}  // namespace tc::kernels
