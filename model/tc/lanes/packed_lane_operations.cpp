// SPDX-License-Identifier: Apache-2.0
#include <tc/lanes/lane_operands.hpp>
#include <tc/lanes/lane_rows.hpp>

namespace tc::lanes {

// Integer arithmetic on parts of words: dot products and absolute differences (PTX ISA, dp4a, dp2a, vabsdiff).

namespace {

/// Part `index` of a word, of so many bits.
std::int64_t part_of(std::uint32_t word, unsigned index, unsigned bits, bool is_signed) {
  const std::uint32_t part = word >> (index * bits) & ((1U << bits) - 1);
  const std::uint32_t sign = 1U << (bits - 1);
  return is_signed ? static_cast<std::int32_t>((part ^ sign) - sign) : std::int64_t{part};
}

/// IDP.4A: four bytes by four bytes. IDP.2A: two halves by the lower or the upper two bytes.
void dot_product(const lane_operands& in, lane_result& out) {
  const isa::modifiers& mods = in.mods();
  const unsigned length = mods.dot_length, bits = length == 4 ? 8 : 16, first = length == 2 && mods.high ? 2 : 0;
  const bool a_is_signed = isa::is_signed(mods.earlier_type), b_is_signed = isa::is_signed(mods.type);
  const warp::lane_vector a = in.word(0), b = in.word(1), c = in.word(2);
  set_lanes(out.registers[0], [&](unsigned lane) {
    std::int64_t sum = 0;
    for (unsigned i = 0; i < length; ++i) sum += part_of(a[lane], i, bits, a_is_signed) * part_of(b[lane], first + i, 8, b_is_signed);
    return c[lane] + static_cast<std::uint32_t>(sum);
  });
}

bool dot_product_form(const isa::instruction& code) { return code.mods.dot_length != 0; }

/// VABSDIFF: |a - b| + c.
void absolute_difference(const lane_operands& in, lane_result& out) {
  const warp::lane_vector a = in.word(0), b = in.word(1), c = in.word(2);
  const std::uint32_t bias = isa::is_signed(in.mods().type) ? 0x80000000U : 0;
  set_lanes(out.registers[0], [&](unsigned lane) {
    const bool a_is_less = (a[lane] ^ bias) < (b[lane] ^ bias);
    return (a_is_less ? b[lane] - a[lane] : a[lane] - b[lane]) + c[lane];
  });
}

}  // namespace

std::vector<lane_row> packed_lane_operations() {
  using isa::opcode;
  return {{opcode::idp, dot_product, dot_product_form}, {opcode::vabsdiff, absolute_difference, word_form}};
}

}  // namespace tc::lanes
