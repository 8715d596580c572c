#include <array>

#include <tc/numerics/number_format.hpp>
#include <tc/subcore/octet_step.hpp>

namespace tc::subcore {

namespace {

constexpr unsigned half_bits = 16;
constexpr std::uint32_t half_mask = 0xffff;

/// Threadgroups of an octet.
constexpr unsigned octet_threadgroups = 2;

/// The four lines of a tile: rows of A, or columns of B.
using tile_lines = std::array<std::array<std::uint32_t, step_tile_registers>, lanes_per_threadgroup>;

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

/// Where a register of the pair has an element of C and D in a lane of a threadgroup: its row and column among those of the step. With f16
/// sums the next column is in the high half.
struct step_element {
  unsigned row, column;
};

step_element element_at(const tensor_operation& step, unsigned lane, unsigned reg) {
  if (step.packed_accumulators()) return {lane, 2 * reg};
  return {lane & 1, (lane & 2) + reg};
}

unsigned rows_of_octet(const tensor_operation& step) { return octet_threadgroups * step.rows_per_threadgroup(); }

/// Calls `visit(lane of the warp, register, place in the sums)` for each register of C and D, and says how far its next column is.
template <class Visit>
void for_each_accumulator(const tensor_operation& step, const octet_range& octets, const Visit& visit) {
  const unsigned rows = rows_of_octet(step);
  for (unsigned i = 0; i < octets.threadgroups(); ++i) {
    const unsigned octet = i % octets.count, first_row = i / octets.count * step.rows_per_threadgroup();
    const unsigned origin = octet * rows * step.columns_per_threadgroup() + first_row;
    for (unsigned lane = 0; lane < lanes_per_threadgroup; ++lane) {
      for (unsigned reg = 0; reg < step.accumulator_registers(); ++reg) {
        const step_element at = element_at(step, lane, reg);
        visit(octets.threadgroup(i) * lanes_per_threadgroup + lane, reg, origin + at.column * rows + at.row);
      }
    }
  }
}

std::uint32_t f32_of_f16(std::uint32_t half) {
  return static_cast<std::uint32_t>(numerics::encode(numerics::value_of(half, numerics::f16), numerics::f32));
}

/// C in f16 where D is f32: a lane holds four columns of one row, of which the step takes its two (PTX ISA, mma.m8n8k4).
void widened_accumulators_of_step(const fragment_transfer& operands, const octet_range& octets, std::uint32_t* values) {
  const tensor_operation& step = *operands.operation;
  const unsigned rows = rows_of_octet(step);
  for (unsigned i = 0; i < octets.threadgroups(); ++i) {
    const unsigned octet = i % octets.count, first_row = i / octets.count * step.rows_per_threadgroup();
    std::uint32_t* const sums = values + octet * rows * step.columns_per_threadgroup() + first_row;
    for (unsigned row = 0; row < step.rows_per_threadgroup(); ++row) {
      const unsigned lane = octets.threadgroup(i) * lanes_per_threadgroup + step.work().first_row + row;
      for (unsigned column = 0; column < step.columns_per_threadgroup(); ++column) {
        const std::uint32_t half = operands.accumulators[column / 2][lane] >> (column % 2 * half_bits) & half_mask;
        sums[column * rows + row] = f32_of_f16(half);
      }
    }
  }
}

}  // namespace

void pack_step_tiles(const tensor_operation& step, const lane_vector& first, const lane_vector& second, std::uint32_t* tiles) {
  for (unsigned octet = 0; octet < octets_per_warp; ++octet) {
    const unsigned lane = (octet + step.work().b_threadgroup) * lanes_per_threadgroup;
    tiles = std::copy_n(&first[lane], lanes_per_threadgroup, tiles);
    tiles = std::copy_n(&second[lane], lanes_per_threadgroup, tiles);
  }
}

void columns_of_step_tiles(const tensor_operation& step, const std::uint32_t* tiles, unsigned octets, std::uint32_t* columns) {
  for (unsigned octet = 0; octet < octets; ++octet, tiles += step_tile_words) {
    for (const auto& column : lines_of_tile(tiles, tiles + lanes_per_threadgroup, step.mma().b_column))
      columns = std::copy(column.begin(), column.end(), columns);
  }
}

void rows_of_step(const fragment_transfer& operands, const octet_range& octets, std::uint32_t* words) {
  const tensor_operation& step = *operands.operation;
  const unsigned rows = rows_of_octet(step);
  for (unsigned i = 0; i < octets.threadgroups(); ++i) {
    const unsigned lane = octets.threadgroup(i) * lanes_per_threadgroup;
    const tile_lines lines = lines_of_tile(&operands.a[0][lane], &operands.a[1][lane], !step.mma().a_column);
    std::uint32_t* first = words + i % octets.count * rows * step_tile_registers + i / octets.count * step.rows_per_threadgroup();
    for (unsigned row = 0; row < step.rows_per_threadgroup(); ++row) {
      for (unsigned word = 0; word < step_tile_registers; ++word) first[word * rows + row] = lines[step.work().first_row + row][word];
    }
  }
}

void accumulators_of_step(const fragment_transfer& operands, const octet_range& octets, std::uint32_t* values) {
  const tensor_operation& step = *operands.operation;
  if (step.widens_c()) return widened_accumulators_of_step(operands, octets, values);
  const unsigned next_column = rows_of_octet(step);
  for_each_accumulator(step, octets, [&](unsigned lane, unsigned reg, unsigned at) {
    const std::uint32_t word = operands.accumulators[reg][lane];
    values[at] = step.packed_accumulators() ? word & half_mask : word;
    if (step.packed_accumulators()) values[at + next_column] = word >> half_bits;
  });
}

void compute_step(const tensor_operation& step, unsigned octets, const std::uint32_t* rows, const std::uint32_t* columns,
                  const std::uint32_t* c, std::uint32_t* d) {
  const unsigned octet_rows = rows_of_octet(step), sums = octet_rows * step.columns_per_threadgroup();
  for (unsigned octet = 0; octet < octets; ++octet) {
    step.arithmetic()({octet_rows, step.columns_per_threadgroup(), step.k(), rows, columns, c, d});
    rows += octet_rows * step_tile_registers;
    columns += step_tile_words;
    c += sums;
    d += sums;
  }
}

void store_step_products(const std::uint32_t* d, const octet_range& octets, fragment_transfer& products) {
  const tensor_operation& step = *products.operation;
  const unsigned next_column = rows_of_octet(step);
  for_each_accumulator(step, octets, [&](unsigned lane, unsigned reg, unsigned at) {
    products.accumulators[reg][lane] = step.packed_accumulators() ? d[at] | d[at + next_column] << half_bits : d[at];
  });
}

}  // namespace tc::subcore
