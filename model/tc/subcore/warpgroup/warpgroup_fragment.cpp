#include "warpgroup_fragment.hpp"

#include <algorithm>

#include <tc/subcore/links/octet_range.hpp>
#include <tc/subcore/links/warpgroup_transfer.hpp>

namespace tc::subcore {

namespace {

constexpr unsigned rows_per_group = 8;    // rows g and g + 8 are those of threadgroup g
constexpr unsigned columns_per_tile = 8;  // of an accumulator fragment, two of which a lane holds
constexpr unsigned half_bits = 16;
constexpr std::uint32_t half_mask = 0xffff;

/// The sign bits of the elements in a word.
std::uint32_t sign_bits(isa::element_type type) {
  switch (isa::bits(type)) {
    case 8:
      return 0x80808080u;
    case 16:
      return 0x80008000u;
    default:
      return 0x80000000u;
  }
}

/// Where lane `lane` has its first element of an accumulator register that begins in row `row` (0 or 8) of column `column`.
unsigned place(unsigned lane, unsigned row, unsigned column) {
  const unsigned group = lane / lanes_per_threadgroup, thread = lane % lanes_per_threadgroup;
  return (column + 2 * thread) * rows_per_warp + row + group;
}

/// Calls visit(register of the fragment's lane, place of its element): a register of 32 bits holds one element, of 16 two in one row.
template <class Visit>
void for_each_lane(const isa::wgmma_operation& operation, unsigned index, const Visit& visit) {
  const bool is_half = isa::bits(operation.mma.d) == half_bits;
  const unsigned registers_per_tile = is_half ? 2 : 4, part = index % registers_per_tile;
  const unsigned column = index / registers_per_tile * columns_per_tile + (is_half ? 0 : part % 2);
  const unsigned row = (is_half ? part : part / 2) * rows_per_group;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) visit(lane, place(lane, row, column));
}

}  // namespace

void load_a(const warp_instruction& instruction, const isa::wgmma_operation& operation, std::uint32_t* words) {
  const std::uint32_t sign = operation.negate_a ? sign_bits(operation.mma.a) : 0;
  for (unsigned s = 0; s < operation.a_registers.size(); ++s) {
    const lane_vector& from = instruction.operand(s, 0);
    std::uint32_t* const first = words + s / 2 * lanes_per_threadgroup * rows_per_warp + s % 2 * rows_per_group;
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
      first[lane % lanes_per_threadgroup * rows_per_warp + lane / lanes_per_threadgroup] = from[lane] ^ sign;
  }
}

void load_a(const std::uint32_t* rows, const isa::wgmma_operation& operation, std::uint32_t* words) {
  const std::uint32_t sign = operation.negate_a ? sign_bits(operation.mma.a) : 0;
  for (unsigned r = 0; r < rows_per_warp; ++r)
    for (unsigned w = 0; w < warpgroup_k_words; ++w) words[w * rows_per_warp + r] = rows[r * warpgroup_k_words + w] ^ sign;
}

void load_b(const std::uint32_t* columns, const isa::wgmma_operation& operation, std::uint32_t* words) {
  const std::uint32_t sign = operation.negate_b ? sign_bits(operation.mma.b) : 0;
  std::transform(columns, columns + std::size_t{operation.mma.n} * warpgroup_k_words, words, [sign](std::uint32_t w) { return w ^ sign; });
}

void load_sums(const isa::wgmma_operation& operation, unsigned index, const lane_vector& from, std::uint32_t* sums) {
  const bool is_half = isa::bits(operation.mma.d) == half_bits;
  for_each_lane(operation, index, [&](unsigned lane, unsigned at) {
    sums[at] = is_half ? from[lane] & half_mask : from[lane];
    if (is_half) sums[at + rows_per_warp] = from[lane] >> half_bits;
  });
}

void store_sums(const isa::wgmma_operation& operation, unsigned index, const std::uint32_t* sums, lane_vector& to) {
  const bool is_half = isa::bits(operation.mma.d) == half_bits;
  for_each_lane(operation, index, [&](unsigned lane, unsigned at) {
    to[lane] = is_half ? (sums[at] & half_mask) | sums[at + rows_per_warp] << half_bits : sums[at];
  });
}

}  // namespace tc::subcore
