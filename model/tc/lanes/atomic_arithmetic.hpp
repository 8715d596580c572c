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

  unsigned element_bytes() const { return element_bytes_; }
  unsigned elements() const { return elements_; }
  bool compares() const { return operation_ == isa::atomic_operation::compare_and_swap; }

  /// What is in memory behind it: `old` is what was there, `operand` what the instruction brings.
  std::uint64_t combined(std::uint64_t old, std::uint64_t operand) const;

 private:
  std::uint64_t sum(std::uint64_t old, std::uint64_t operand) const;
  bool is_less(std::uint64_t x, std::uint64_t y) const;

  isa::modifiers mods_;
  isa::atomic_operation operation_ = isa::atomic_operation::none;
  const numerics::number_format* format_ = nullptr;  ///< of floating-point elements
  bool is_signed_ = false;
  unsigned element_bytes_ = 4, elements_ = 1;
};

}  // namespace tc::lanes
