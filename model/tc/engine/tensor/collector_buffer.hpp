// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <tc/engine/product/operand_matrix.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>

namespace tc::engine {

/// A matrix that an instruction has in shared memory: the same one if everything is the same.
struct collected_operand {
  std::uint32_t kernel = 0, cta = 0;  ///< of the run, and of the kernel
  std::uint64_t descriptor = 0;
  shared_operand matrix;
};

bool operator==(const collected_operand& x, const collected_operand& y);

/// A buffer of the matrix pipe that may keep A, or with .ws B, from one instruction to the next, which then does not read it from shared
/// memory (PTX ISA, tcgen05.mma, .collector_usage). What is kept is what the instruction read: memory may change meanwhile.
class collector_buffer {
 public:
  /// The operand of an instruction, in the order of instructions.
  struct operand {
    std::shared_ptr<operand_matrix> matrix;  ///< what the buffer holds, or one that is to be read
    bool held = false;
  };

  /// The next instruction with an operand in shared memory for the buffer: `use` and `last_use` take it from there if the buffer holds it;
  /// `fill` and `use` leave it there, the others leave the buffer empty. What is to be read is one of `matrices`.
  operand pass(const collected_operand& wanted, isa::collector_use use, operand_matrices& matrices);

  /// The next instruction has its operand elsewhere.
  void drop() { matrix_.reset(); }

 private:
  std::optional<collected_operand> content_;
  std::shared_ptr<operand_matrix> matrix_;  // null: the buffer is empty
};

}  // namespace tc::engine
