// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tc::isa {

/// Where a register operand lives.
enum class register_file : std::uint8_t { none, vector, uniform, predicate, uniform_predicate, barrier, scoreboard };

/// Register numbers that read as zero (RZ, URZ) or as true (PT, UPT).
inline constexpr unsigned zero_register = 255, zero_uniform_register = 63, true_predicate = 7;

/// Registers that a thread has at most, R0 to the one before RZ, and their numbers with that of RZ.
inline constexpr unsigned thread_registers = zero_register, register_numbers = zero_register + 1;
inline constexpr unsigned uniform_register_numbers = zero_uniform_register + 1, predicate_numbers = true_predicate + 1;

/// Operand slots of the register read ports and of the reuse cache: A, B, C (Huerta et al., arXiv 2503.20481, section 5.3). Registers of
/// the other files have no slot.
inline constexpr std::uint8_t slot_a = 0, slot_b = 1, slot_c = 2, no_slot = 0xff;

/// Consecutive registers that an instruction reads or writes. Constant registers (RZ, URZ, PT, UPT) never appear.
struct register_use {
  register_file file = register_file::none;
  std::uint8_t index = 0;       ///< first register
  std::uint8_t count = 0;       ///< registers
  std::uint8_t slot = no_slot;  ///< operand slot of a vector register that is read
  bool reuse = false;           ///< the value stays in the reuse cache of that slot
};

constexpr bool operator==(const register_use& x, const register_use& y) {
  return x.file == y.file && x.index == y.index && x.count == y.count && x.slot == y.slot && x.reuse == y.reuse;
}

/// The register uses of one instruction: a vector of fixed capacity, filled at decode and iterated at every issue.
class register_use_list {
 public:
  static constexpr std::size_t capacity = 12;

  const register_use* begin() const { return uses_.data(); }
  const register_use* end() const { return uses_.data() + size_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const register_use& operator[](std::size_t i) const { return uses_[i]; }
  void push_back(const register_use& use) { uses_.at(size_++) = use; }

 private:
  std::array<register_use, capacity> uses_{};
  std::uint8_t size_ = 0;
};

}  // namespace tc::isa
