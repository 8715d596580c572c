// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <boost/endian/conversion.hpp>

#include <tc/isa/instruction.hpp>
#include <tc/lanes/lane_operations.hpp>
#include <tc/numerics/number_format.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::lanes {

/// One term of an addition over 32 bits: bits + one. A negated operand is its complement plus one, so that a carry out of the sum means "no
/// borrow" as the adder delivers it.
struct addend {
  warp::lane_vector bits;
  std::uint32_t one = 0;
};

/// The source operands of one instruction with their own signs and complements applied.
class lane_operands {
 public:
  using source_list = std::array<lane_source, isa::instruction::max_sources>;

  lane_operands(const isa::instruction& code, const source_list& sources) : code_(code), sources_(sources) {}

  const isa::instruction& code() const { return code_; }
  const isa::modifiers& mods() const { return code_.mods; }

  /// A 32-bit operand.
  warp::lane_vector word(unsigned s) const;
  /// A 32-bit operand as the term of a sum.
  addend term(unsigned s) const;
  /// A 64-bit operand in one lane; an operand of one register has zeros above it.
  std::uint64_t pair(unsigned s, unsigned lane) const;
  /// A floating-point operand in one lane, with its absolute value and negation taken by the sign bit. Of a packed operand, `half` is 0 for
  /// the element in the low half and 1 for the other, unless the operand names one half for both.
  std::uint64_t number(unsigned s, unsigned lane, const numerics::number_format& format, unsigned half = 0) const;
  /// A predicate operand: bit per lane; false if there is no such operand.
  std::uint32_t predicate(unsigned s) const;
  /// The value of an immediate operand.
  std::uint32_t immediate(unsigned s) const { return code_.sources[s].value; }

  bool is_negated(unsigned s) const { return code_.sources[s].negated; }
  bool is_inverted(unsigned s) const { return code_.sources[s].inverted; }
  /// The register as it was read.
  const warp::lane_vector& raw(unsigned s) const { return *sources_[s].low; }

 private:
  const isa::instruction& code_;
  const source_list& sources_;
};

/// Bit `lane` of a predicate.
constexpr std::uint32_t predicate_bit(std::uint32_t predicate, unsigned lane) { return predicate >> lane & 1U; }

/// Sets the first register of the destination, lane by lane, to value(lane).
template <class Value>
void set_lanes(warp::lane_vector& destination, Value value) {
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) destination[lane] = value(lane);
}

/// Collects condition(lane) of all lanes into a predicate. Conditions are vectors' work if each has a byte; a multiplication moves the
/// lowest bits of eight bytes into the highest one.
template <class Condition>
std::uint32_t collect_predicate(Condition condition) {
  constexpr unsigned lanes = 8;
  constexpr std::uint64_t to_highest = 0x0102040810204080;
  std::array<unsigned char, warp::lanes_per_warp> holds;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) holds[lane] = condition(lane) ? 1 : 0;
  std::uint32_t predicate = 0;
  for (unsigned first = 0; first < warp::lanes_per_warp; first += lanes)
    predicate |= static_cast<std::uint32_t>(boost::endian::load_little_u64(&holds[first]) * to_highest >> 56U) << first;
  return predicate;
}

/// Hands two predicates to the predicate destinations of an instruction, in their order.
void set_predicates(const isa::instruction& code, lane_result& result, std::uint32_t first, std::uint32_t second = 0);

}  // namespace tc::lanes
