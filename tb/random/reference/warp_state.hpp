// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <tc/isa/instruction.hpp>

namespace tcsim::random_programs {

inline constexpr unsigned lanes = 32;
using lane_words = std::array<std::uint32_t, lanes>;

/// The reference does not execute this. Programs hold nothing that it does not.
class not_executed : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// The registers of a warp. RZ, URZ, PT and UPT are registers whose value nobody changes.
struct warp_state {
  std::array<lane_words, 256> registers{};
  std::array<std::uint32_t, 64> uniform{};
  std::array<std::uint32_t, 8> predicates{0, 0, 0, 0, 0, 0, 0, 0xffffffff};  ///< a bit for each lane
  std::array<bool, 8> uniform_predicates{false, false, false, false, false, false, false, true};

  const std::vector<std::uint8_t>* constants = nullptr;  ///< bank 0

  void set(unsigned index, unsigned lane, std::uint32_t value) {
    if (index != tc::isa::zero_register) registers.at(index).at(lane) = value;
  }
};

/// `count` bytes, up to four, the lowest first. Throws not_executed if there are none.
std::uint32_t bytes_at(const std::vector<std::uint8_t>& memory, std::uint64_t offset, unsigned count);

/// The operands of an instruction in one lane of a warp.
class lane_view {
 public:
  lane_view(const tc::isa::instruction& code, warp_state& warp, unsigned lane) : code_(code), warp_(warp), lane_(lane) {}

  const tc::isa::modifiers& mods() const { return code_.mods; }
  unsigned sources() const { return code_.source_count; }
  unsigned destinations() const { return code_.destination_count; }
  const tc::isa::operand& source(unsigned s) const { return code_.sources.at(s); }

  /// The bits of register `part` of a source, as they are in it.
  std::uint32_t bits(unsigned s, unsigned part = 0) const;
  /// A source as an integer of 32 bits, negated, inverted or made positive as it says.
  std::uint32_t word(unsigned s) const;
  /// The same of a register pair; of one word if it is no register.
  std::uint64_t pair(unsigned s) const;
  bool predicate(unsigned s) const;

  /// The result in register `part` of the destination that is no predicate.
  void give(std::uint32_t value, unsigned part = 0);
  /// Results in the predicates among the destinations, in their order.
  void give_predicates(bool first, bool second = false);

 private:
  const tc::isa::instruction& code_;
  warp_state& warp_;
  unsigned lane_;
};

/// Executes an instruction that computes in each lane from the registers of that lane. False if it is none.
bool execute_integer(const tc::isa::instruction& code, std::uint32_t mask, warp_state& warp);
bool execute_bits(const tc::isa::instruction& code, std::uint32_t mask, warp_state& warp);
bool execute_float(const tc::isa::instruction& code, std::uint32_t mask, warp_state& warp);

/// What an instruction computes in a lane.
using lane_function = void (*)(lane_view& lane);

/// Computes in all lanes of a mask, each from the values before. What goes to uniform registers is computed once.
void compute_lanes(const tc::isa::instruction& code, std::uint32_t mask, warp_state& warp, lane_function compute);

}  // namespace tcsim::random_programs
