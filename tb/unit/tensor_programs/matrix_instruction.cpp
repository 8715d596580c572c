// SPDX-License-Identifier: Apache-2.0
#include "matrix_instruction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tc/numerics/dot_product.hpp>

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

namespace {

constexpr unsigned word_bits = 32, unit_elements = 16;

/// Elements of the rows of A, or of the columns of B, each in a word.
using element_rows = std::vector<std::vector<std::uint32_t>>;

unsigned significant_bits(const numerics::number_format& format) {
  return format.is_floating_point() && format.storage_bits <= 8 ? 1 + format.exponent_bits + format.fraction_bits : format.storage_bits;
}

std::uint32_t low_bits(std::uint32_t word, unsigned bits) { return bits == word_bits ? word : word & ((1U << bits) - 1); }

/// The element in an item of tensor memory: where it has a byte for itself, e2m1 is in bits 2 to 5, elements of 6 bits in bits 1 to 6
/// (CUTLASS).
std::uint32_t taken(std::uint32_t item, matrix_kind kind, const numerics::number_format& format) {
  const unsigned bits = significant_bits(format), right = !is_of_bytes(kind) || bits == 8 ? 0 : bits == 4 ? 2 : 1;
  return low_bits(item >> right, bits);
}

std::uint32_t negated(std::uint32_t element, const numerics::number_format& format) {
  return element ^ 1U << (significant_bits(format) - 1);
}

/// Elements of 4 and 6 bits that have a byte each in other layouts stand side by side at the beginning of their 16 bytes.
std::uint32_t shared_element(const shared_tile& tile, unsigned row, unsigned k, matrix_kind kind, const numerics::number_format& format,
                             const std::vector<std::uint8_t>& shared) {
  const unsigned bits = significant_bits(format);
  if (is_of_bytes(kind) && bits < 8) {
    const unsigned along = tile.is_k_major ? k : row, number = along % unit_elements;
    const std::uint32_t unit = tile.is_k_major ? tile.address(row, k - number) : tile.address(row - number, k);
    std::uint32_t element = 0;
    for (unsigned bit = 0; bit < bits; ++bit) {
      const unsigned from = number * bits + bit;
      element |= (shared.at(unit + from / 8) >> from % 8 & 1U) << bit;
    }
    return element;
  }
  if (bits == 4) return low_bits(shared.at(tile.address(row, k / 2)) >> 4 * (k % 2), bits);
  std::uint32_t element = 0;
  for (unsigned byte = 0; byte < bits / 8; ++byte) element |= std::uint32_t{shared.at(tile.address(row, k) + byte)} << 8 * byte;
  return element;
}

element_rows elements_of_a(const matrix_instruction& mma, const tensor_arrays& arrays) {
  element_rows rows(mma.m, std::vector<std::uint32_t>(mma.stored_k()));
  const unsigned bits = element_bits(mma.kind);
  for (unsigned row = 0; row < mma.m; ++row) {
    for (unsigned k = 0; k < mma.stored_k(); ++k) {
      std::uint32_t& element = rows[row][k];
      if (mma.tensor_a) {
        const unsigned first = k * bits;
        const std::uint32_t word = arrays.at({mma.place_of_d(row, 0).lane, mma.tensor_a->column + first / word_bits});
        element = taken(low_bits(word >> first % word_bits, bits), mma.kind, mma.a_format);
      } else {
        element = shared_element(mma.a, row, k, mma.kind, mma.a_format, arrays.shared);
      }
      if (mma.negates_a) element = negated(element, mma.a_format);
    }
  }
  return rows;
}

element_rows elements_of_b(const matrix_instruction& mma, const tensor_arrays& arrays) {
  element_rows columns_of_b(mma.n, std::vector<std::uint32_t>(mma.k()));
  for (unsigned column = 0; column < mma.n; ++column) {
    if (mma.zero_columns && mma.zero_columns->is_zero(column, mma.width_of_d())) continue;
    for (unsigned k = 0; k < mma.k(); ++k) {
      std::uint32_t& element = columns_of_b[column][k];
      element = shared_element(mma.b, mma.first_column_of_b() + column, k, mma.kind, mma.b_format, arrays.shared);
      if (mma.negates_b) element = negated(element, mma.b_format);
    }
  }
  return columns_of_b;
}

/// Which elements of K a row of a sparse A has (PTX ISA, "Sparse matrices"; where their codes are in tensor memory: CUTLASS).
std::vector<unsigned> stored_elements(const matrix_instruction& mma, unsigned row, const tensor_arrays& arrays) {
  const bool is_pair = mma.kind == matrix_kind::tf32;
  const unsigned unit = is_of_nibbles(mma.kind) ? 2 : 1, group = is_pair ? 2 : 4 * unit;
  std::vector<unsigned> elements;
  for (unsigned k = 0; k < mma.k(); k += group) {
    const unsigned in_row = k / group * 4;  // codes have 4 bits
    cell at{row, mma.metadata + in_row / word_bits};
    unsigned bit = in_row % word_bits;
    if (element_bits(mma.kind) > 8) {
      at = {row % 8 + 8 * (in_row / 16) + 16 * (row / 16), mma.metadata};
      bit = in_row % 16 + 16 * (row / 8 % 2);
    }
    const unsigned code = arrays.at(at) >> bit & 0xf;
    if (is_pair) {
      elements.push_back(k + (code == 0b1110 ? 1 : 0));
      continue;
    }
    for (const unsigned index : {code & 3, code >> 2})
      for (unsigned i = 0; i < unit; ++i) elements.push_back(k + index * unit + i);
  }
  return elements;
}

std::vector<std::uint32_t> packed(const std::vector<std::uint32_t>& elements, const numerics::number_format& format) {
  const unsigned in_word = format.elements_per_word();
  std::vector<std::uint32_t> words(elements.size() / in_word);
  for (unsigned i = 0; i < elements.size(); ++i) words[i / in_word] |= elements[i] << i % in_word * format.storage_bits;
  return words;
}

/// Blackwell's arithmetic (MMA-Sim, arXiv 2511.10909).
numerics::dot_product arithmetic_of(const matrix_instruction& mma) {
  using operation = numerics::dot_product_operation;
  numerics::dot_product_types types{mma.a_format, mma.b_format, mma.d_format};
  numerics::dot_product_parameters parameters;
  if (mma.kind == matrix_kind::i8) types.operation = mma.saturates ? operation::integer_saturate : operation::integer_wrap;
  if (is_scaled(mma.kind))
    types.scaling = numerics::block_scaling{mma.has_float_scales ? numerics::ue4m3 : numerics::ue8m0, mma.stored_k() / mma.scales};
  parameters.group_length = mma.stored_k();
  parameters.alignment_fraction_bits = 25;
  if (is_of_nibbles(mma.kind)) {
    parameters.products_per_term = 16;
    parameters.alignment_fraction_bits = 35;
    parameters.alignment_floor = 13;
  }
  parameters.output_rounding = mma.d_format == numerics::f16 ? numerics::rounding_rule{numerics::rounding_mode::to_nearest_even, 10}
                                                             : numerics::rounding_rule{numerics::rounding_mode::toward_zero, 23};
  return numerics::dot_product(types, parameters);
}

/// D divided by a power of two; what does not fit a subnormal number is cut off, as far as anybody knows.
std::uint32_t addend_of(const matrix_instruction& mma, std::uint32_t word) {
  if (!mma.reads_d) return 0;
  const std::uint32_t addend = low_bits(word, mma.d_format.storage_bits);
  if (mma.scale_input_d == 0) return addend;
  const double value = numerics::value_of(addend, mma.d_format);
  if (!std::isfinite(value)) return addend;
  const double scaled = std::ldexp(value, -static_cast<int>(mma.scale_input_d));
  return static_cast<std::uint32_t>(numerics::encode(scaled, mma.d_format, numerics::rounding_mode::toward_zero));
}

}  // namespace

void multiply(const matrix_instruction& mma, tensor_arrays& arrays) {
  const numerics::dot_product sum(arithmetic_of(mma));
  const element_rows a = elements_of_a(mma, arrays), b = elements_of_b(mma, arrays);
  std::vector<std::vector<std::uint32_t>> packed_b;
  for (const auto& column : b) packed_b.push_back(packed(column, mma.b_format));
  const auto scales_of = [&](unsigned first_column, unsigned index, unsigned id) {
    return is_scaled(mma.kind) ? arrays.at({index % chunk_lanes, first_column + index / chunk_lanes}) >> 8 * id : 0;
  };
  for (unsigned row = 0; row < mma.m; ++row) {
    const std::vector<std::uint32_t> packed_a = packed(a[row], mma.a_format);
    const std::vector<unsigned> stored = mma.is_sparse ? stored_elements(mma, row, arrays) : std::vector<unsigned>{};
    const std::uint32_t scale_a = scales_of(mma.scale_a, row, mma.scale_a_id);
    for (unsigned column = 0; column < mma.n; ++column) {
      const cell at = mma.place_of_d(row, column);
      if (!mma.writes(at.lane)) continue;
      std::vector<std::uint32_t> chosen;
      for (const unsigned k : stored) chosen.push_back(b[column][k]);
      if (mma.is_sparse) packed_b[column] = packed(chosen, mma.b_format);
      const std::uint32_t scale_b = scales_of(mma.scale_b, column, mma.scale_b_id);
      std::uint32_t& d = arrays.at(at);
      d = static_cast<std::uint32_t>(sum(packed_a.data(), packed_b[column].data(), &scale_a, &scale_b, mma.stored_k(), addend_of(mma, d)));
    }
  }
  if (mma.shifts_a) shift(mma.tensor_a->column, arrays);
}

}  // namespace tc::tensor_programs
