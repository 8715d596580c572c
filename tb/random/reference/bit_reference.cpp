// SPDX-License-Identifier: Apache-2.0
#include <bitset>

#include "warp_state.hpp"

namespace tcsim::random_programs {

namespace isa = tc::isa;

namespace {

bool looked_up(std::uint32_t table, bool a, bool b, bool c) { return (table >> (4U * a + 2U * b + c) & 1U) != 0; }

constexpr unsigned table_source = 3;  // behind three inputs

void logic(lane_view& lane) {
  const std::bitset<32> a = lane.word(0), b = lane.word(1), c = lane.word(2);
  std::bitset<32> result;
  for (unsigned bit = 0; bit < 32; ++bit) result[bit] = looked_up(lane.bits(table_source), a[bit], b[bit], c[bit]);
  const bool other = lane.sources() > table_source + 1 && lane.predicate(table_source + 1);
  lane.give(static_cast<std::uint32_t>(result.to_ulong()));
  lane.give_predicates(result.any() || other);
}

void predicate_logic(lane_view& lane) {
  const bool a = lane.predicate(0), b = lane.predicate(1), c = lane.predicate(2);
  lane.give_predicates(looked_up(lane.bits(table_source), a, b, c), looked_up(lane.bits(table_source + 1), a, b, c));
}

/// {c, a} bit by bit: what is shifted in from outside is zero, or the sign.
void funnel_shift(lane_view& lane) {
  const isa::modifiers& mods = lane.mods();
  const int width = isa::is_64_bit(mods.type) ? 64 : 32;
  const std::uint32_t asked = lane.word(1);
  const int amount = mods.wrap ? static_cast<int>(asked % static_cast<unsigned>(width))
                               : (asked > static_cast<unsigned>(width) ? width : static_cast<int>(asked));
  const std::bitset<64> value = std::uint64_t{lane.word(2)} << 32U | lane.word(0);
  const bool outside = isa::is_signed(mods.type) && value[63];
  std::bitset<64> shifted;
  for (int bit = 0; bit < 64; ++bit) {
    const int from = mods.shift == isa::shift_direction::left ? bit - amount : bit + amount;
    shifted[static_cast<unsigned>(bit)] = from < 0 ? false : from > 63 ? outside : value[static_cast<unsigned>(from)];
  }
  lane.give(static_cast<std::uint32_t>(mods.high ? shifted.to_ullong() >> 32U : shifted.to_ullong()));
}

/// Which of the bytes {c, a} becomes byte `i` in a mode of PRMT (PTX ISA, prmt), and with 8 added its sign.
unsigned selected(isa::permute_mode mode, std::uint32_t control, unsigned i) {
  const unsigned position = control & 3U;
  switch (mode) {
    case isa::permute_mode::forward_4:
      return position + i;
    case isa::permute_mode::backward_4:
      return (position + 8 - i) % 8;
    case isa::permute_mode::replicate_8:
      return position;
    case isa::permute_mode::edge_left:
      return std::max(i, position);
    case isa::permute_mode::edge_right:
      return std::min(i, position);
    case isa::permute_mode::replicate_16:
      return 2 * (position & 1U) + i % 2;
    default:
      return control >> 4 * i & 0xfU;
  }
}

void permute(lane_view& lane) {
  const std::uint32_t control = lane.word(1);
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned which = selected(lane.mods().permute, control, i);
    std::uint32_t byte = lane.word((which & 4U) != 0 ? 2 : 0) >> 8 * (which & 3U) & 0xffU;
    if ((which & 8U) != 0) byte = byte >= 0x80 ? 0xff : 0;
    result += byte << 8 * i;
  }
  lane.give(result);
}

unsigned bit_count(std::uint32_t value, bool wrap) { return wrap ? value % 32 : std::min(value, 32U); }

void extend_sign(lane_view& lane) {
  const unsigned kept = bit_count(lane.word(1), lane.mods().wrap);
  const std::bitset<32> value = lane.word(0);
  const bool above = kept > 0 && isa::is_signed(lane.mods().type) && value[kept - 1];
  std::bitset<32> result;
  for (unsigned bit = 0; bit < 32; ++bit) result[bit] = bit < kept ? value[bit] : above;
  lane.give(static_cast<std::uint32_t>(result.to_ulong()));
}

void make_mask(lane_view& lane) {
  const unsigned first = bit_count(lane.word(0), lane.mods().wrap), count = bit_count(lane.word(1), lane.mods().wrap);
  std::bitset<32> result;
  for (unsigned bit = first; bit < 32 && bit < first + count; ++bit) result[bit] = true;
  lane.give(static_cast<std::uint32_t>(result.to_ulong()));
}

void count_ones(lane_view& lane) { lane.give(static_cast<std::uint32_t>(std::bitset<32>(lane.word(0)).count())); }

void find_leading_one(lane_view& lane) {
  std::uint32_t value = lane.word(0);
  if (isa::is_signed(lane.mods().type) && value >= 0x80000000U) value = ~value;
  unsigned bit = 32;
  while (bit > 0 && (value >> (bit - 1) & 1U) == 0) --bit;
  lane.give(bit - 1);
}

void reverse(lane_view& lane) {
  const std::bitset<32> value = lane.word(0);
  std::bitset<32> result;
  for (unsigned bit = 0; bit < 32; ++bit) result[bit] = value[31 - bit];
  lane.give(static_cast<std::uint32_t>(result.to_ulong()));
}

lane_function bit_function_of(isa::opcode op) {
  using isa::opcode;
  switch (op) {
    case opcode::lop3:
    case opcode::ulop3:
      return logic;
    case opcode::plop3:
    case opcode::uplop3:
      return predicate_logic;
    case opcode::shf:
    case opcode::ushf:
      return funnel_shift;
    case opcode::prmt:
    case opcode::uprmt:
      return permute;
    case opcode::sgxt:
    case opcode::usgxt:
      return extend_sign;
    case opcode::bmsk:
    case opcode::ubmsk:
      return make_mask;
    case opcode::popc:
    case opcode::upopc:
      return count_ones;
    case opcode::flo:
    case opcode::uflo:
      return find_leading_one;
    case opcode::brev:
    case opcode::ubrev:
      return reverse;
    default:
      return nullptr;
  }
}

}  // namespace

bool execute_bits(const isa::instruction& code, std::uint32_t mask, warp_state& warp) {
  const lane_function function = bit_function_of(code.op);
  if (function == nullptr) return false;
  compute_lanes(code, mask, warp, function);
  return true;
}

}  // namespace tcsim::random_programs
