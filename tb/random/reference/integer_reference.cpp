// SPDX-License-Identifier: Apache-2.0
#include <bitset>

#include "warp_state.hpp"

namespace tcsim::random_programs {

namespace isa = tc::isa;

namespace {

/// A term of a sum as an adder of 32 bits gets it: -x is the complement and one more, so that carries are those of the hardware.
std::uint64_t term(const lane_view& lane, unsigned s) {
  if (lane.source(s).negated) return (std::uint64_t{1} << 32U) - lane.bits(s);
  return lane.word(s);
}

std::uint64_t carry_from(const lane_view& lane, unsigned first) {
  std::uint64_t carries = 0;
  if (!lane.mods().carry_in) return 0;
  for (unsigned s = first; s < lane.sources(); ++s) carries += lane.predicate(s) ? 1U : 0U;
  return carries;
}

void give_sum(lane_view& lane, std::uint64_t sum) {
  lane.give(static_cast<std::uint32_t>(sum));
  lane.give_predicates((sum >> 32U) >= 1, (sum >> 32U) >= 2);
}

void add_three(lane_view& lane) { give_sum(lane, term(lane, 0) + term(lane, 1) + term(lane, 2) + carry_from(lane, 3)); }

void add_two(lane_view& lane) { give_sum(lane, term(lane, 0) + term(lane, 1)); }

std::int64_t integer(std::uint32_t bits, bool is_signed) {
  return is_signed ? std::int64_t{static_cast<std::int32_t>(bits)} : std::int64_t{bits};
}

void multiply_add(lane_view& lane) {
  const isa::modifiers& mods = lane.mods();
  const bool is_signed = isa::is_signed(mods.type), negated = lane.source(0).negated != lane.source(1).negated;
  const std::uint64_t factors =
      static_cast<std::uint64_t>(integer(lane.bits(0), is_signed)) * static_cast<std::uint64_t>(integer(lane.bits(1), is_signed));
  const std::uint64_t product = negated ? 0 - factors : factors;
  if (!mods.wide && !mods.high) return give_sum(lane, (product & 0xffffffffU) + term(lane, 2) + carry_from(lane, 3));
  const std::uint64_t addend = lane.pair(2);
  const std::uint64_t lower = (product & 0xffffffffU) + (addend & 0xffffffffU) + carry_from(lane, 3);
  const std::uint64_t upper = (product >> 32U) + (addend >> 32U) + (lower >> 32U);
  lane.give(static_cast<std::uint32_t>(mods.high ? upper : lower));
  if (mods.wide) lane.give(static_cast<std::uint32_t>(upper), 1);
  lane.give_predicates((upper >> 32U) != 0);
}

/// LEA without negations: (a << shift) + b, or with .HI the upper word of {c, a}, or of a with its sign, shifted so.
void shift_and_add(lane_view& lane) {
  const isa::modifiers& mods = lane.mods();
  const bool takes_upper = mods.high && !mods.sign_extend;
  const unsigned amount_source = takes_upper ? 3 : 2;
  const unsigned amount = lane.bits(amount_source) % 32;
  if (lane.source(0).negated || lane.source(0).inverted) throw not_executed("LEA with a negated operand");
  std::uint64_t value = lane.bits(0);
  if (takes_upper) value |= std::uint64_t{lane.bits(2)} << 32U;
  if (mods.high && mods.sign_extend) value = static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(lane.bits(0))));
  value <<= amount;
  const auto part = static_cast<std::uint32_t>(mods.high ? value >> 32U : value);
  give_sum(lane, part + term(lane, 1) + carry_from(lane, amount_source + 1));
}

void minimum_or_maximum(lane_view& lane) {
  const bool is_signed = isa::is_signed(lane.mods().type);
  const std::uint32_t a = lane.word(0), b = lane.word(1);
  const bool a_is_less = integer(a, is_signed) < integer(b, is_signed);
  lane.give(a_is_less == lane.predicate(2) ? a : b);
}

void absolute_value(lane_view& lane) {
  const std::int64_t value = static_cast<std::int32_t>(lane.word(0));
  lane.give(static_cast<std::uint32_t>(value < 0 ? -value : value));
}

bool holds(isa::comparison what, std::int64_t a, std::int64_t b) {
  switch (what) {
    case isa::comparison::less:
      return a < b;
    case isa::comparison::equal:
      return a == b;
    case isa::comparison::less_equal:
      return a <= b;
    case isa::comparison::greater:
      return a > b;
    case isa::comparison::not_equal:
      return a != b;
    case isa::comparison::greater_equal:
      return a >= b;
    case isa::comparison::always:
      return true;
    default:
      return false;
  }
}

bool combined(isa::boolean_operation how, bool a, bool b) {
  if (how == isa::boolean_operation::disjunction) return a || b;
  if (how == isa::boolean_operation::exclusive_or) return a != b;
  return a && b;
}

/// With .EX the words are the upper ones of larger integers, of which the last predicate says how the lower ones compare.
void compare(lane_view& lane) {
  const isa::modifiers& mods = lane.mods();
  const bool is_signed = isa::is_signed(mods.type);
  const std::int64_t a = integer(lane.word(0), is_signed), b = integer(lane.word(1), is_signed);
  const bool result = mods.extended && a == b ? lane.predicate(3) : holds(mods.compare, a, b);
  const bool other = lane.predicate(2);
  lane.give_predicates(combined(mods.combine, result, other), combined(mods.combine, !result, other));
}

void select(lane_view& lane) { lane.give(lane.predicate(2) ? lane.word(0) : lane.word(1)); }

void move(lane_view& lane) { lane.give(lane.word(0)); }

lane_function integer_function_of(isa::opcode op) {
  using isa::opcode;
  switch (op) {
    case opcode::iadd3:
    case opcode::uiadd3:
      return add_three;
    case opcode::viadd:
      return add_two;
    case opcode::imad:
    case opcode::uimad:
      return multiply_add;
    case opcode::lea:
    case opcode::ulea:
      return shift_and_add;
    case opcode::imnmx:
    case opcode::vimnmx:
      return minimum_or_maximum;
    case opcode::iabs:
      return absolute_value;
    case opcode::isetp:
    case opcode::uisetp:
      return compare;
    case opcode::sel:
    case opcode::usel:
      return select;
    case opcode::mov:
    case opcode::umov:
    case opcode::r2ur:
      return move;
    default:
      return nullptr;
  }
}

}  // namespace

bool execute_integer(const isa::instruction& code, std::uint32_t mask, warp_state& warp) {
  const lane_function function = integer_function_of(code.op);
  if (function == nullptr) return false;
  compute_lanes(code, mask, warp, function);
  return true;
}

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
