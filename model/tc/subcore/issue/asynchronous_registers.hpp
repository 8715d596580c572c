// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <tc/isa/instruction.hpp>
#include <tc/isa/register_use.hpp>

namespace tc::subcore {

/// The registers of one warp that asynchronous matrix instructions use behind its back, and the rules of PTX for them (PTX ISA, wgmma.fence
/// and wgmma.wait_group): until a wait has covered it, an accumulator may be named by no other instruction but one that accumulates into
/// the same registers with the same shape, and a register of A may not be written; and between an access of a register by other
/// instructions and a wgmma.mma_async that uses it there must be a wgmma.fence.
class asynchronous_registers {
 public:
  /// A rule that an instruction breaks.
  enum class rule : std::uint8_t { accumulator_in_use, operand_in_use, not_fenced };
  struct violation {
    rule broken;
    std::uint8_t reg;                 ///< vector register
    const isa::instruction* culprit;  ///< the asynchronous instruction that uses it; null if there is no fence

    /// What the instruction that breaks it does, for people: "uses R24, an accumulator of ..., before wgmma.wait_group".
    std::string text() const;
  };

  /// The warp issues an instruction. Returns the first rule that it breaks.
  std::optional<violation> issued(const isa::instruction& code);
  /// A wait for all but the last `pending` groups is over.
  void waited(unsigned pending);

 private:
  using register_set = std::bitset<isa::register_numbers>;

  /// A wgmma.mma_async whose group has not been waited for.
  struct in_flight {
    const isa::instruction* code;
    const isa::wgmma_operation* operation;
    std::uint64_t group;
  };

  std::optional<violation> multiply(const isa::instruction& code, const isa::wgmma_operation& operation);
  std::optional<violation> access(const isa::instruction& code);
  const isa::instruction* user_of(unsigned reg, bool as_accumulator) const;
  void collect();

  std::deque<in_flight> in_flight_;
  register_set accumulators_, operands_;  ///< of all in flight
  register_set touched_;                  ///< since the last fence, by other instructions
  std::uint64_t group_ = 0;               ///< that the next wgmma.mma_async belongs to
};

}  // namespace tc::subcore
