// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <tc/isa/instruction.hpp>
#include <tc/numerics/number_format.hpp>

namespace tc::lanes {

/// What an atomic operation or a reduction does with each element that it accesses.
class atomic_arithmetic {
 public:
  /// That of an instruction; nothing for a form that is not computed.
  static std::optional<atomic_arithmetic> of(const isa::instruction& code);

  /// What a lane accesses: at most 16.
  unsigned bytes() const { return element_bytes_ * elements_; }

  /// What a lane does to its bytes in memory, with those of the operand behind the address and of the one behind that, which takes the
  /// place of the bytes if they are equal to the first. Returns whether it has written.
  bool perform(std::uint8_t* memory, const std::uint8_t* operand, const std::uint8_t* replacement) const;

  /// Whether the result says that the lane has written, and not what was in memory (.CAST).
  bool tells_whether_written() const { return tells_whether_written_; }

 private:
  bool compares() const { return operation_ == isa::atomic_operation::compare_and_swap; }
  /// What is in memory behind it: `old` is what was there, `operand` what the instruction brings.
  std::uint64_t combined(std::uint64_t old, std::uint64_t operand) const;
  std::uint64_t sum(std::uint64_t old, std::uint64_t operand) const;
  bool is_less(std::uint64_t x, std::uint64_t y) const;

  isa::modifiers mods_;
  isa::atomic_operation operation_ = isa::atomic_operation::none;
  const numerics::number_format* format_ = nullptr;  ///< of floating-point elements
  bool is_signed_ = false, tells_whether_written_ = false;
  unsigned element_bytes_ = 4, elements_ = 1;
};

}  // namespace tc::lanes
