// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/engine/operand_reader.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>
#include <tc/links/instruction_protocol.hpp>

namespace tc::engine {

struct tensor_job;

/// What later instructions wait for where they meet the cells of an earlier one.
enum class tensor_milestone : std::uint8_t {
  released,  ///< operands in tensor memory have been taken, and shifted if the instruction shifts them
  effect,    ///< everything that it writes is in tensor memory
};

/// What the engine does with an instruction; none: what is wrong with it has been reported.
enum class tensor_action : std::uint8_t { none, multiply, copy, shift, commit };

/// An instruction on its way through the tensor engine.
struct tensor_job : operand_read {
  explicit tensor_job(tensor_action what = tensor_action::none) : action(what) {}
  virtual ~tensor_job() = default;
  tensor_job(const tensor_job&) = delete;
  tensor_job& operator=(const tensor_job&) = delete;

  /// An earlier instruction whose cells this one touches.
  struct dependence {
    tensor_job* on;
    tensor_milestone until;
  };

  const tensor_action action;
  links::warp_instruction* instruction = nullptr;
  unsigned link = 0;         ///< over which it came
  std::uint64_t number = 0;  ///< in the order of arrival
  cycle_t arrived = 0;
  std::vector<isa::tensor_cells> operands, results;  ///< cells that are read, and those that are written (of a product D, read or not)
  std::vector<dependence> waits_for;
  cycle_t not_before = 0;  ///< when it may touch tensor memory, as far as what it does not wait for any longer is concerned

  // Of an instruction of a pair of SMs.
  tensor_job* partner = nullptr;            ///< the other SM's part; null: the instruction is this SM's alone
  bool leads = true;                        ///< its warp is of this SM, and gets the answer
  cycle_t finished = links::unknown_cycle;  ///< this part

  bool may_touch_memory() const { return waits_for.empty(); }
};

/// tcgen05.shift.
struct shift_job final : tensor_job {
  shift_job() : tensor_job(tensor_action::shift) {}

  isa::column_range columns{};
};

}  // namespace tc::engine
