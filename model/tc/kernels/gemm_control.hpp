// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <tc/config/sub_core_parameters.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/isa/register_use.hpp>
#include <tc/kernels/gemm_code.hpp>
#include <tc/kernels/gemm_matrix_step.hpp>

namespace tc::kernels {

/// Cycles that separate instructions on a machine, as its compiler knows them.
class code_timing {
 public:
  code_timing(const config::sub_core_parameters& machine, const matrix_step& step) : machine_(machine), step_(step) {}

  /// Whether consumers must wait for a barrier.
  bool is_announced(const isa::instruction& producer) const {
    return isa::is_queued(producer.op) || (isa::is_mma(producer.op) && step_.announces_result);
  }
  /// From the issue of a producer that is not announced to that of a consumer of `written`.
  unsigned latency_cycles(const isa::instruction& producer, const isa::register_use& written) const;
  /// What a consumer adds to that which takes its operands earlier than others, or from another unit's bypass.
  unsigned lead_cycles(const isa::instruction& producer, const isa::instruction& consumer, const isa::register_use& use) const;
  /// From matrix instruction to matrix instruction.
  unsigned interval_cycles() const { return step_.interval_cycles; }

 private:
  const config::sub_core_parameters& machine_;
  const matrix_step& step_;
};

/// Gives the instructions of a kernel their control codes, as a compiler does: stall counts, with NOPs where 15 cycles are not enough,
/// behind instructions of known latency; barriers, and waits for them, for the others. It walks the path that the warps take through the
/// code and adds to an instruction what any pass needs; more waiting than a pass needs is never wrong.
class control_planner {
 public:
  control_planner(kernel_code& code, const code_timing& timing) : code_(code), timing_(timing) {}

  void plan();

 private:
  static constexpr std::uint8_t no_barrier = isa::control_code::no_barrier;
  static constexpr std::size_t positions =
      isa::register_numbers + isa::uniform_register_numbers + 2 * isa::predicate_numbers;  ///< registers of the four files

  /// Somebody who will release a barrier.
  struct announcement {
    kernel_instruction* by = nullptr;
    std::uint64_t generation = 0;  ///< of the barrier
  };
  /// What is known of a register on the way.
  struct register_state {
    const kernel_instruction* writer = nullptr;
    std::uint64_t ready = 0;  ///< cycle from which most consumers may issue
    announcement write, read;
  };
  /// An instruction of the code, to be able to put a NOP behind it.
  struct place {
    std::size_t block = 0, index = 0;
  };
  struct barrier_state {
    std::uint64_t generation = 1, set = 0;  ///< `set`: cycle in which it was last set
  };

  bool walk();
  bool visit(place at);
  std::uint64_t earliest_issue(kernel_instruction& instruction);
  void wait_for_result(kernel_instruction& consumer, const register_state& state);
  void wait_for_reader(kernel_instruction& writer, const register_state& state);
  void wait(kernel_instruction& instruction, const announcement& announced, std::uint8_t& announced_by);
  void release(std::uint8_t wait_mask);
  bool is_released(const announcement& announced) const;
  bool keep_apart(std::uint64_t earliest);
  void insert_nop(place behind);
  void issue(kernel_instruction& instruction);
  register_state* state_of(const isa::register_use& use);

  kernel_code& code_;
  const code_timing& timing_;
  std::array<register_state, positions> registers_;
  std::array<barrier_state, isa::control_code::barriers> barriers_;
  std::optional<place> previous_;
  std::uint64_t cycle_ = 0;        ///< earliest issue of the instruction that is looked at
  std::uint64_t next_matrix_ = 0;  ///< earliest issue of the next matrix instruction
  bool announces_more_ = false;    ///< an instruction has got a barrier since the walk began
};

}  // namespace tc::kernels
