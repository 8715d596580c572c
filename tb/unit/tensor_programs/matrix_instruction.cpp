// SPDX-License-Identifier: Apache-2.0
#include "matrix_instruction.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "lane_mover.hpp"

namespace tc::tensor_programs {

namespace {

constexpr std::array<const char*, 7> kind_names{"f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4"};

/// PTX ISA, "Instruction descriptor".
unsigned code_of(const numerics::number_format& format) {
  constexpr std::array<std::pair<std::string_view, unsigned>, 10> codes{
      {{"f16", 0}, {"bf16", 1}, {"tf32", 2}, {"e4m3", 0}, {"e5m2", 1}, {"e2m3", 3}, {"e3m2", 4}, {"e2m1", 5}, {"u8", 0}, {"s8", 1}}};
  return std::find_if(codes.begin(), codes.end(), [&format](const auto& each) { return each.first == format.name; })->second;
}

unsigned code_of_sum(const numerics::number_format& format) { return format == numerics::f16 ? 0 : format == numerics::f32 ? 1 : 2; }

std::uint32_t descriptor_of(const matrix_instruction& mma) {
  const unsigned a = is_of_nibbles(mma.kind) ? 1 : code_of(mma.a_format), b = is_of_nibbles(mma.kind) ? 1 : code_of(mma.b_format);
  std::uint32_t bits = std::uint32_t{mma.is_sparse} << 2 | a << 7 | b << 10 | std::uint32_t{mma.negates_a} << 13 |
                       std::uint32_t{mma.negates_b} << 14 | (mma.n / 8) << 17 | (mma.m / 16) << 24;
  if (!mma.tensor_a && !mma.a.is_k_major) bits |= 1U << 15;
  if (!mma.b.is_k_major) bits |= 1U << 16;
  if (is_scaled(mma.kind)) return bits | mma.scale_b_id << 4 | std::uint32_t{!mma.has_float_scales} << 23 | mma.scale_a_id << 29;
  return bits | std::uint32_t{mma.saturates} << 3 | code_of_sum(mma.d_format) << 4;
}

}  // namespace

std::uint64_t column_mask::bits() const {
  std::uint64_t result =
      std::uint64_t{is_there} << 39 | std::uint64_t{skip_span} << 40 | std::uint64_t{use_span} << 48 | std::uint64_t{shift} << 56;
  for (unsigned part = 0; part < 4; ++part)
    result |= std::uint64_t{start_counts.at(part)} << 8 * part | std::uint64_t{begins_with_one.at(part)} << (32 + part);
  return result;
}

/// Runs of zeros and ones in turn, which begin with `begins_with_one`, less the bits that are dropped at their beginning.
bool column_mask::is_zero(unsigned column, unsigned width) const {
  if (!is_there) return false;
  const unsigned part = column / width;
  bool is_one = begins_with_one.at(part);
  unsigned left = start_counts.at(part) + column % width;
  while (true) {
    const unsigned run = (is_one ? skip_span : use_span) + 1;
    if (left < run) return is_one;
    left -= run;
    is_one = !is_one;
  }
}

/// PTX ISA, "Data path layout organization": layouts D, E, F and G.
cell matrix_instruction::place_of_d(unsigned row, unsigned column) const {
  if (m == lanes) return {d.lane + row, d.column + column};
  if (!is_stationary) return {d.lane + row % 16 + chunk_lanes * (row / 16), d.column + column};
  const unsigned width = width_of_d();
  return {row + m * (column / width), d.column + column % width};
}

footprint matrix_instruction::touched() const {
  footprint result;
  const auto add = [](cell_set& cells, unsigned first, unsigned count) {
    for (unsigned column = first; column < first + count; ++column)
      for (unsigned lane = 0; lane < lanes; ++lane) cells.set(index_of({lane, column}));
  };
  for (unsigned row = 0; row < m; ++row) {
    for (unsigned column = 0; column < n; ++column) {
      const cell at = place_of_d(row, column);
      if (reads_d) result.reads.set(index_of(at));
      if (writes(at.lane)) result.writes.set(index_of(at));
    }
    if (!tensor_a) continue;
    for (unsigned column = 0; column < shift_columns; ++column) {
      const std::size_t at = index_of({place_of_d(row, 0).lane, tensor_a->column + column});
      result.reads.set(at);
      if (shifts_a) result.writes.set(at);
    }
  }
  if (is_sparse) add(result.reads, metadata, width_of_metadata());
  if (is_scaled(kind)) {
    add(result.reads, scale_a, m / chunk_lanes);
    add(result.reads, scale_b, (n + chunk_lanes - 1) / chunk_lanes);
  }
  return result;
}

std::string matrix_instruction::text() const {
  std::string text = fmt::format("tcgen05.mma{}{}.cta_group::1.kind::{}", is_stationary ? ".ws" : "", is_sparse ? ".sp" : "",
                                 kind_names.at(static_cast<std::size_t>(kind)));
  if (is_scaled(kind)) text += fmt::format(".block_scale.scale_vec::{}X", scales);
  text += fmt::format("{}{} [{:#x}], ", shifts_a ? ".ashift" : "", collector, address_of(d));
  text += tensor_a ? fmt::format("[{:#x}], ", address_of(*tensor_a)) : fmt::format("{:#x}, ", a.descriptor());
  text += fmt::format("{:#x}, ", b.descriptor());
  if (is_sparse) text += fmt::format("[{:#x}], ", metadata);
  text += fmt::format("{:#010x}, ", descriptor_of(*this));
  if (is_scaled(kind)) text += fmt::format("[{:#x}], [{:#x}], ", scale_a, scale_b);
  if (disabled_lanes) {
    const auto& words = *disabled_lanes;
    text += fmt::format("{{{:#x}, {:#x}, {:#x}, {:#x}}}, ", words[0], words[1], words[2], words[3]);
  }
  text += reads_d ? "1" : "0";
  if (zero_columns) text += fmt::format(", {:#x}", zero_columns->bits());
  if (scale_input_d != 0) text += fmt::format(", {}", scale_input_d);
  return text;
}

}  // namespace tc::tensor_programs
