// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <stdexcept>
#include <vector>

#include <tc/numerics/dot_product.hpp>

#include "lane_mover.hpp"
#include "matrix_instruction.hpp"

namespace tc::tensor_programs {

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
