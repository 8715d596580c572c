#include "octet_step.hpp"

#include <algorithm>
#include <array>

#include <tc/numerics/number_format.hpp>

namespace tc::subcore {

namespace {

constexpr unsigned half_bits = 16;
constexpr std::uint32_t half_mask = 0xffff;

/// Threadgroups of an octet.
constexpr unsigned octet_threadgroups = 2;

/// Registers and words of B that an octet takes in a step: the tile that one threadgroup holds.
constexpr unsigned tile_registers = 2, tile_words = tile_registers * lanes_per_threadgroup;

/// The four lines of a tile: rows of A, or columns of B.
using tile_lines = std::array<std::array<std::uint32_t, tile_registers>, lanes_per_threadgroup>;

/// From the two registers of four lanes.
tile_lines lines_of_tile(const std::uint32_t* first, const std::uint32_t* second, bool lane_holds_line) {
  const auto half = [&](unsigned lane, unsigned line) {
    return (line < 2 ? first[lane] : second[lane]) >> (line % 2 * half_bits) & half_mask;
  };
  tile_lines lines;
  for (unsigned line = 0; line < lanes_per_threadgroup; ++line) {
    if (lane_holds_line)
      lines[line] = {first[line], second[line]};
    else
      lines[line] = {half(0, line) | half(1, line) << half_bits, half(2, line) | half(3, line) << half_bits};
  }
  return lines;
}

std::uint32_t f32_of_f16(std::uint32_t half) {
  return static_cast<std::uint32_t>(numerics::encode(numerics::value_of(half, numerics::f16), numerics::f32));
}

}  // namespace

octet_step::octet_step(const isa::mma_operation& mma) : octet_step(mma, isa::work_of_hmma_884(mma.d, 0, mma.step, 0)) {}

octet_step::octet_step(const isa::mma_operation& mma, const isa::hmma_884_work& work)
    : product_layout(mma, work.rows, work.columns), work_(work) {}

unsigned octet_step::rows_of_octet() const { return octet_threadgroups * rows_per_threadgroup(); }

product_shape octet_step::shape_of(const octet_range& octets) const {
  return {octets.count, rows_of_octet(), columns_per_threadgroup(), mma().k};
}

unsigned octet_step::operand_bits_used() const {
  const unsigned rows = work_.rows * threadgroups_per_warp, columns = work_.columns * octets_per_warp;
  return (rows + columns) * work_.ks * isa::bits(mma().a) + threadgroups_per_warp * outputs_per_threadgroup() * isa::bits(mma().c);
}

/// Those of the octet, if they are the threadgroup's whose B the step takes.
std::uint32_t octet_step::lanes_reached_by_b(std::uint32_t lanes) const {
  std::uint32_t reached = 0;
  for (unsigned octet = 0; octet < octets_per_warp; ++octet) {
    if ((lanes & lanes_of_threadgroup(octet + work_.b_threadgroup)) != 0)
      reached |= lanes_of_threadgroup(octet) | lanes_of_threadgroup(octet + octets_per_warp);
  }
  return reached;
}

unsigned octet_step::b_words(const octet_range& served) const { return served.count * tile_words; }
unsigned octet_step::first_b_word(const octet_range& served) const { return served.first * tile_words; }

void octet_step::pack_b(registers b, std::uint32_t* words) const {
  for (unsigned octet = 0; octet < octets_per_warp; ++octet) {
    const unsigned lane = (octet + work_.b_threadgroup) * lanes_per_threadgroup;
    for (unsigned r = 0; r < tile_registers; ++r) words = std::copy_n(&(*b[r])[lane], lanes_per_threadgroup, words);
  }
}

void octet_step::unpack_b(const std::uint32_t* words, const octet_range& served, const octet_range& octets, std::uint32_t* columns) const {
  const std::uint32_t* tile = words + (octets.first - served.first) * tile_words;
  for (unsigned octet = 0; octet < octets.count; ++octet, tile += tile_words) {
    for (const auto& column : lines_of_tile(tile, tile + lanes_per_threadgroup, mma().b_column))
      columns = std::copy(column.begin(), column.end(), columns);
  }
}

void octet_step::load_a(registers a, const octet_range& octets, std::uint32_t* words) const {
  const unsigned rows = rows_of_octet();
  for (unsigned i = 0; i < octets.threadgroups(); ++i) {
    const unsigned lane = octets.threadgroup(i) * lanes_per_threadgroup;
    const tile_lines lines = lines_of_tile(&(*a[0])[lane], &(*a[1])[lane], !mma().a_column);
    std::uint32_t* first = words + i % octets.count * rows * tile_registers + i / octets.count * rows_per_threadgroup();
    for (unsigned row = 0; row < rows_per_threadgroup(); ++row) {
      for (unsigned word = 0; word < tile_registers; ++word) first[word * rows + row] = lines[work_.first_row + row][word];
    }
  }
}

/// Place of the first sum of threadgroup `i` of the range.
unsigned octet_step::first_sum_of(const octet_range& octets, unsigned i) const {
  const unsigned octet = i % octets.count, first_row = i / octets.count * rows_per_threadgroup();
  return octet * rows_of_octet() * columns_per_threadgroup() + first_row;
}

/// Calls `visit(lane of the warp, register, place in the sums)` for each register of C and D. A lane of a threadgroup has in a register of
/// the pair one element of the step's, or with f16 sums two of the columns of a row, the second in the high half.
template <class Visit>
void octet_step::for_each_accumulator(const octet_range& octets, const Visit& visit) const {
  const unsigned registers_of_lane = mma().d_registers();
  for (unsigned i = 0; i < octets.threadgroups(); ++i) {
    const unsigned first = first_sum_of(octets, i);
    for (unsigned lane = 0; lane < lanes_per_threadgroup; ++lane) {
      for (unsigned reg = 0; reg < registers_of_lane; ++reg) {
        const unsigned row = packs_accumulators() ? lane : lane & 1;
        const unsigned column = packs_accumulators() ? 2 * reg : (lane & 2) + reg;
        visit(octets.threadgroup(i) * lanes_per_threadgroup + lane, reg, first + column * rows_of_octet() + row);
      }
    }
  }
}

void octet_step::load_c(registers c, const octet_range& octets, std::uint32_t* values) const {
  if (mma().c != mma().d) return load_widened_c(c, octets, values);
  for_each_accumulator(octets, [&](unsigned lane, unsigned reg, unsigned at) {
    const std::uint32_t word = (*c[reg])[lane];
    values[at] = packs_accumulators() ? word & half_mask : word;
    if (packs_accumulators()) values[at + rows_of_octet()] = word >> half_bits;
  });
}

/// C in f16 where D is f32: a lane holds four columns of one row, of which the step takes its two (PTX ISA, mma.m8n8k4).
void octet_step::load_widened_c(registers c, const octet_range& octets, std::uint32_t* values) const {
  for (unsigned i = 0; i < octets.threadgroups(); ++i) {
    std::uint32_t* const sums = values + first_sum_of(octets, i);
    for (unsigned row = 0; row < rows_per_threadgroup(); ++row) {
      const unsigned lane = octets.threadgroup(i) * lanes_per_threadgroup + work_.first_row + row;
      for (unsigned column = 0; column < columns_per_threadgroup(); ++column) {
        const std::uint32_t half = (*c[column / 2])[lane] >> (column % 2 * half_bits) & half_mask;
        sums[column * rows_of_octet() + row] = f32_of_f16(half);
      }
    }
  }
}

void octet_step::store_d(const std::uint32_t* values, const octet_range& octets, lane_vector* d) const {
  for_each_accumulator(octets, [&](unsigned lane, unsigned reg, unsigned at) {
    d[reg][lane] = packs_accumulators() ? values[at] | values[at + rows_of_octet()] << half_bits : values[at];
  });
}

}  // namespace tc::subcore
