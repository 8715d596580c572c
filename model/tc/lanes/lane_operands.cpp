// SPDX-License-Identifier: Apache-2.0
#include "lane_operands.hpp"

namespace tc::lanes {

warp::lane_vector lane_operands::word(unsigned s) const {
  const isa::operand& operand = code_.sources[s];
  warp::lane_vector value = raw(s);
  if (operand.absolute)
    for (std::uint32_t& lane : value) lane = (lane >> 31U) != 0 ? 0U - lane : lane;
  if (operand.negated)
    for (std::uint32_t& lane : value) lane = 0U - lane;
  if (operand.inverted)
    for (std::uint32_t& lane : value) lane = ~lane;
  return value;
}

addend lane_operands::term(unsigned s) const {
  if (!is_negated(s)) return {word(s), 0};
  addend result{raw(s), 1};
  for (std::uint32_t& lane : result.bits) lane = ~lane;
  return result;
}

std::uint64_t lane_operands::pair(unsigned s, unsigned lane) const {
  const lane_source& source = sources_[s];
  const std::uint64_t high = source.high == nullptr ? 0 : (*source.high)[lane];
  const std::uint64_t value = high << 32U | (*source.low)[lane];
  if (is_negated(s)) return 0 - value;
  return is_inverted(s) ? ~value : value;
}

std::uint64_t lane_operands::number(unsigned s, unsigned lane, const numerics::number_format& format, unsigned half) const {
  const lane_source& source = sources_[s];
  const isa::operand& operand = code_.sources[s];
  std::uint64_t bits = (*source.low)[lane];
  if (format.storage_bits == 64) {
    // A 64-bit immediate or constant of one word is the upper half of the number.
    const bool is_upper_half = source.high == nullptr || operand.what == isa::operand::kind::immediate;
    bits = is_upper_half ? bits << 32U : std::uint64_t{(*source.high)[lane]} << 32U | bits;
  } else if (format.storage_bits == 16) {
    if (operand.part == isa::register_part::low_half) half = 0;
    if (operand.part == isa::register_part::high_half) half = 1;
    bits = bits >> (16 * half) & 0xffffU;
  }
  if (operand.absolute) bits &= ~format.sign_bit();
  return operand.negated ? bits ^ format.sign_bit() : bits;
}

std::uint32_t lane_operands::predicate(unsigned s) const {
  if (s >= code_.source_count) return 0;
  return is_inverted(s) ? ~sources_[s].predicate : sources_[s].predicate;
}

void set_predicates(const isa::instruction& code, lane_result& result, std::uint32_t first, std::uint32_t second) {
  std::uint32_t value = first;
  for (unsigned d = 0; d < code.destination_count; ++d) {
    const isa::register_file file = code.destinations[d].file;
    if (file != isa::register_file::predicate && file != isa::register_file::uniform_predicate) continue;
    result.predicates[d] = value;
    value = second;
  }
}

}  // namespace tc::lanes
