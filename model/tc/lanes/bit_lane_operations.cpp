// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <tc/lanes/lane_operands.hpp>
#include <tc/lanes/lane_rows.hpp>

namespace tc::lanes {

// What logic, shifts, and operations on single bits and bytes compute in every lane.

namespace {

/// Any function of three bits, over all bits of three words. Bit 4a + 2b + c of the table is the result for the bits a, b, c (PTX ISA,
/// lop3).
class lookup_table {
 public:
  explicit lookup_table(std::uint32_t table) {
    for (unsigned i = 0; i < entries_.size(); ++i) entries_[i] = (table >> i & 1U) != 0 ? 0xffffffffU : 0;
  }

  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return choose(a, choose(b, choose(c, entries_[7], entries_[6]), choose(c, entries_[5], entries_[4])),
                  choose(b, choose(c, entries_[3], entries_[2]), choose(c, entries_[1], entries_[0])));
  }

 private:
  static std::uint32_t choose(std::uint32_t which, std::uint32_t ones, std::uint32_t zeros) { return (which & ones) | (~which & zeros); }

  std::array<std::uint32_t, 8> entries_{};
};

constexpr unsigned table_source = 3;  // of LOP3 and PLOP3, behind the three inputs

/// A shift amount: modulo the width with .W, otherwise at most the width.
std::uint32_t shift_amount(std::uint32_t value, std::uint32_t width, bool wrap) { return wrap ? value % width : std::min(value, width); }

std::uint64_t shift_left(std::uint64_t value, unsigned amount) { return amount >= 64 ? 0 : value << amount; }

std::uint64_t shift_right(std::uint64_t value, unsigned amount, bool is_signed) {
  if (!is_signed) return amount >= 64 ? 0 : value >> amount;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> std::min(amount, 63U));
}

/// A word whose lowest `count` bits are ones.
std::uint32_t low_ones(std::uint32_t count) { return count >= 32 ? 0xffffffffU : (1U << count) - 1; }

std::uint32_t byte_of(std::uint64_t bytes, unsigned index) { return static_cast<std::uint32_t>(bytes >> (8 * index)) & 0xffU; }

/// The bytes, four bits each, that a mode of PRMT takes for one value of its control operand (PTX ISA, prmt).
std::uint32_t byte_selection(isa::permute_mode mode, std::uint32_t control) {
  static constexpr std::array<std::array<std::uint16_t, 4>, 6> selections{{
      {0x3210, 0x4321, 0x5432, 0x6543},  // forward_4
      {0x5670, 0x6701, 0x7012, 0x0123},  // backward_4
      {0x0000, 0x1111, 0x2222, 0x3333},  // replicate_8
      {0x3210, 0x3211, 0x3222, 0x3333},  // edge_left
      {0x0000, 0x1110, 0x2210, 0x3210},  // edge_right
      {0x1010, 0x3232, 0x1010, 0x3232},  // replicate_16
  }};
  if (mode == isa::permute_mode::none) return control;
  return selections[static_cast<unsigned>(mode) - 1][control & 3U];
}

/// Four bytes of {c, a}; bit 3 of a selector replicates the sign of its byte.
std::uint32_t permuted(std::uint64_t bytes, std::uint32_t selection) {
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t selector = selection >> (4 * i) & 0xfU;
    std::uint32_t byte = byte_of(bytes, selector & 7U);
    if ((selector & 8U) != 0) byte = (byte & 0x80U) != 0 ? 0xffU : 0;
    result |= byte << (8 * i);
  }
  return result;
}

/// Position of the highest one.
std::uint32_t highest_one(std::uint32_t value) {
  std::uint32_t position = 0;
  for (unsigned half = 16; half != 0; half /= 2) {
    if (value >> half == 0) continue;
    value >>= half;
    position += half;
  }
  return position;
}

std::uint32_t ones_in(std::uint32_t value) {
  std::uint32_t count = 0;
  for (; value != 0; value &= value - 1) ++count;
  return count;
}

std::uint32_t reversed(std::uint32_t value) {
  std::uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit) result |= (value >> bit & 1U) << (31 - bit);
  return result;
}

/// LOP3, ULOP3. The predicate destination says whether the result is not zero, or the predicate source is true (!PT leaves the former
/// alone); with .PAND whether both are.
void logic(const lane_operands& in, lane_result& out) {
  const warp::lane_vector a = in.word(0), b = in.word(1), c = in.word(2);
  const lookup_table table(in.immediate(table_source));
  set_lanes(out.registers[0], [&](unsigned lane) { return table(a[lane], b[lane], c[lane]); });
  const isa::register_file first = in.code().destinations[0].file;
  if (first != isa::register_file::predicate && first != isa::register_file::uniform_predicate) return;
  const std::uint32_t not_zero = collect_predicate([&](unsigned lane) { return out.registers[0][lane] != 0; });
  const std::uint32_t other = in.predicate(table_source + 1);
  set_predicates(in.code(), out, in.mods().predicate_and ? not_zero & other : not_zero | other);
}

void predicate_logic(const lane_operands& in, lane_result& out) {
  const std::uint32_t a = in.predicate(0), b = in.predicate(1), c = in.predicate(2);
  const lookup_table first(in.immediate(table_source)), second(in.immediate(table_source + 1));
  set_predicates(in.code(), out, first(a, b, c), second(a, b, c));
}

/// SHF, USHF: shifts {c, a}: the low word of the result, or with .HI the high one. Amounts are clamped to the width of the type (PTX ISA,
/// shf), so that the upper half of a 64-bit shift by 32 or more is right too.
void funnel_shift(const lane_operands& in, lane_result& out) {
  const warp::lane_vector low = in.word(0), amounts = in.word(1), high = in.word(2);
  const isa::modifiers& mods = in.mods();
  const std::uint32_t width = isa::is_64_bit(mods.type) ? 64 : 32;
  const bool is_signed = isa::is_signed(mods.type);
  set_lanes(out.registers[0], [&](unsigned lane) {
    const std::uint64_t value = std::uint64_t{high[lane]} << 32U | low[lane];
    const std::uint32_t amount = shift_amount(amounts[lane], width, mods.wrap);
    const std::uint64_t shifted =
        mods.shift == isa::shift_direction::left ? shift_left(value, amount) : shift_right(value, amount, is_signed);
    return static_cast<std::uint32_t>(mods.high ? shifted >> 32U : shifted);
  });
}

void permute_bytes(const lane_operands& in, lane_result& out) {
  const warp::lane_vector a = in.word(0), control = in.word(1), c = in.word(2);
  set_lanes(out.registers[0], [&](unsigned lane) {
    return permuted(std::uint64_t{c[lane]} << 32U | a[lane], byte_selection(in.mods().permute, control[lane]));
  });
}

/// SGXT, USGXT. The lowest b bits of a, sign-extended or with .U32 zero-extended.
void extend_sign(const lane_operands& in, lane_result& out) {
  const warp::lane_vector a = in.word(0), b = in.word(1);
  const bool is_signed = isa::is_signed(in.mods().type);
  set_lanes(out.registers[0], [&](unsigned lane) {
    const std::uint32_t bits = shift_amount(b[lane], 32, in.mods().wrap);
    const std::uint32_t kept = a[lane] & low_ones(bits);
    const bool negative = is_signed && bits != 0 && (kept >> (bits - 1) & 1U) != 0;
    return negative ? kept | ~low_ones(bits) : kept;
  });
}

/// BMSK, UBMSK: b ones from bit a on (PTX ISA, bmsk).
void make_bit_mask(const lane_operands& in, lane_result& out) {
  const warp::lane_vector a = in.word(0), b = in.word(1);
  set_lanes(out.registers[0], [&](unsigned lane) {
    const std::uint32_t position = shift_amount(a[lane], 32, in.mods().wrap), count = shift_amount(b[lane], 32, in.mods().wrap);
    return position >= 32 ? 0 : low_ones(count) << position;
  });
}

void count_ones(const lane_operands& in, lane_result& out) {
  const warp::lane_vector a = in.word(0);
  set_lanes(out.registers[0], [&](unsigned lane) { return ones_in(a[lane]); });
}

/// FLO, UFLO: position of the highest one, for a negative signed value of the highest zero; all ones if there is none (PTX ISA, bfind).
/// With .SH how far it is from the top.
void find_leading_one(const lane_operands& in, lane_result& out) {
  const warp::lane_vector a = in.word(0);
  const bool is_signed = isa::is_signed(in.mods().type);
  set_lanes(out.registers[0], [&](unsigned lane) {
    const std::uint32_t value = is_signed && (a[lane] >> 31U) != 0 ? ~a[lane] : a[lane];
    if (value == 0) return 0xffffffffU;
    return in.mods().shift_amount ? 31 - highest_one(value) : highest_one(value);
  });
}

void reverse_bits(const lane_operands& in, lane_result& out) {
  const warp::lane_vector a = in.word(0);
  set_lanes(out.registers[0], [&](unsigned lane) { return reversed(a[lane]); });
}

}  // namespace

std::vector<lane_row> bit_lane_operations() {
  using isa::opcode;
  return {
      {opcode::lop3, logic, word_form},
      {opcode::ulop3, logic, word_form},
      {opcode::plop3, predicate_logic, word_form},
      {opcode::uplop3, predicate_logic, word_form},
      {opcode::shf, funnel_shift, shift_form},
      {opcode::ushf, funnel_shift, shift_form},
      {opcode::prmt, permute_bytes, word_form},
      {opcode::uprmt, permute_bytes, word_form},
      {opcode::sgxt, extend_sign, word_form},
      {opcode::usgxt, extend_sign, word_form},
      {opcode::bmsk, make_bit_mask, word_form},
      {opcode::ubmsk, make_bit_mask, word_form},
      {opcode::popc, count_ones, word_form},
      {opcode::upopc, count_ones, word_form},
      {opcode::flo, find_leading_one, word_form},
      {opcode::uflo, find_leading_one, word_form},
      {opcode::brev, reverse_bits, word_form},
      {opcode::ubrev, reverse_bits, word_form},
  };
}

}  // namespace tc::lanes
