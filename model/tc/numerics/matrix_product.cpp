// SPDX-License-Identifier: Apache-2.0
#include "matrix_product.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

namespace tc::numerics {

namespace {

instruction_set require_executed(instruction_set set) {
  const std::vector<instruction_set> executed = instruction_sets();
  if (std::find(executed.begin(), executed.end(), set) == executed.end())
    throw std::invalid_argument(fmt::format("matrix product: this machine does not execute {} instructions", name(set)));
  return set;
}

/// Row r of a matrix that has the words of a column side by side.
void gather_row(const std::uint32_t* matrix, unsigned stride, unsigned r, unsigned words, std::uint32_t* row) {
  for (unsigned w = 0; w < words; ++w) row[w] = matrix[std::size_t{w} * stride + r];
}

/// Words of the block scales of a row or column.
unsigned scale_words_of(unsigned k, const dot_product_types& types) {
  if (!types.scaling) return 0;
  return words_for((k + types.scaling->block_length - 1) / types.scaling->block_length, types.scaling->format);
}

}  // namespace

matrix_product::matrix_product(const dot_product& unit, instruction_set set)
    : unit_(unit), kernel_(matrix_kernel::find(unit.types(), unit.parameters(), require_executed(set))) {}

matrix_product::method matrix_product::method_for(const matrix_operands& operands) const {
  method how;
  how.row_words = words_for(operands.k, unit_.types().a);
  how.a_words = operands.rows * how.row_words;
  how.b_words = operands.columns * words_for(operands.k, unit_.types().b);
  how.d_words = operands.rows * operands.columns * words_for(1, unit_.types().accumulator);
  how.is_vectorised = is_vectorised(operands.k);
  if (!how.is_vectorised || how.row_words > kernel_->words_per_call() || operands.columns > simd::maximum_columns) return how;
  how.is_tile = operands.rows <= simd::maximum_rows && operands.columns * how.row_words <= simd::maximum_b_words;
  if (how.is_tile && operands.products == 1) {
    how.column_parts = kernel_->products_at_once(operands.rows, operands.columns % 4 == 0 ? 4 : operands.columns % 2 == 0 ? 2 : 1);
  }
  if (operands.products > 1 && how.b_words > 0) how.most_together = simd::maximum_b_words / how.b_words;
  return how;
}

void matrix_product::multiply(const matrix_operands& operands, const method& how) const {
  if (operands.products == 1) return one(operands, how);
  if (at_once(operands, how) == operands.products) return together_by_kernel(operands, operands.products, how);
  matrix_operands next = operands;
  while (next.products != 0) {
    const unsigned together = at_once(next, how);
    if (together > 1)
      together_by_kernel(next, together, how);
    else
      one(next, how);
    next.products -= together;
    next.a += together * how.a_words;
    next.b += together * how.b_words;
    next.c += together * how.d_words;
    next.d += together * how.d_words;
  }
}

void matrix_product::one(const matrix_operands& operands, const method& how) const {
  if (how.is_vectorised)
    by_kernel(operands, how);
  else
    by_unit(operands);
}

/// Products of one instruction of a warp are tiles as they are.
void matrix_product::by_kernel(const matrix_operands& operands, const method& how) const {
  if (!how.is_tile) return by_tiles(operands, how.row_words);
  if (how.column_parts > 1) return parts_by_kernel(operands, how);
  std::array<std::uint32_t, simd::maximum_rows * simd::maximum_columns> left;
  tile_by_kernel(
      {operands.rows, operands.columns, how.row_words, operands.rows, operands.a, operands.b, operands.c, operands.d, left.data()});
}

/// Short products fill a vector together with the next ones.
void matrix_product::together_by_kernel(const matrix_operands& operands, unsigned products, const method& how) const {
  std::array<std::uint32_t, simd::maximum_rows * simd::maximum_columns> left;
  together_by_kernel({operands.rows, operands.columns, how.row_words, operands.rows, operands.a, operands.b, operands.c, operands.d,
                      left.data(), how.a_words},
                     products);
}

/// A product of few rows fills a vector with several of its columns, as if they were of products with the same A.
void matrix_product::parts_by_kernel(const matrix_operands& operands, const method& how) const {
  std::array<std::uint32_t, simd::maximum_rows * simd::maximum_columns> left;
  together_by_kernel({operands.rows, operands.columns / how.column_parts, how.row_words, operands.rows, operands.a, operands.b, operands.c,
                      operands.d, left.data(), 0},
                     how.column_parts);
}

void matrix_product::together_by_kernel(simd::tile tile, unsigned products) const {
  if (!kernel_->together(products, tile)) return;
  for (; products != 0; --products) {
    left_by_kernel(tile);
    tile.a += tile.a_apart;
    tile.b += tile.columns * tile.words;
    tile.c += tile.rows * tile.columns;
    tile.d += tile.rows * tile.columns;
    tile.left += tile.rows;
  }
}

/// Cuts the product into tiles. A row that takes several calls goes on from D.
void matrix_product::by_tiles(const matrix_operands& operands, unsigned words) const {
  std::array<std::uint32_t, simd::maximum_b_words> part_of_b;
  std::array<std::uint32_t, simd::maximum_rows * simd::maximum_columns> left;
  for (unsigned first = 0; first == 0 || first < words; first += kernel_->words_per_call()) {
    const unsigned part = std::min(words - first, kernel_->words_per_call());
    const unsigned most_columns = std::min(simd::maximum_columns, simd::maximum_b_words / std::max(part, 1U));
    for (unsigned n = 0; n < operands.columns; n += most_columns) {
      const unsigned columns = std::min(operands.columns - n, most_columns);
      const std::uint32_t* b = operands.b + std::size_t{n} * words;
      if (part != words) {
        for (unsigned i = 0; i < columns; ++i) std::copy_n(b + std::size_t{i} * words + first, part, &part_of_b[std::size_t{i} * part]);
        b = part_of_b.data();
      }
      for (unsigned r = 0; r < operands.rows; r += simd::maximum_rows) {
        const std::size_t element = std::size_t{n} * operands.rows + r;
        tile_by_kernel({std::min(operands.rows - r, simd::maximum_rows), columns, part, operands.rows,
                        operands.a + std::size_t{first} * operands.rows + r, b, (first == 0 ? operands.c : operands.d) + element,
                        operands.d + element, left.data()});
      }
    }
  }
}

void matrix_product::tile_by_kernel(const simd::tile& operands) const {
  if ((*kernel_)(operands)) left_by_kernel(operands);
}

/// Where D is C, what the kernel left still holds the addend.
void matrix_product::left_by_kernel(const simd::tile& t) const {
  std::array<std::uint32_t, simd::maximum_words> row;
  const unsigned k = t.words * kernel_->elements_per_word();
  for (unsigned r = 0; r < t.rows; ++r) {
    gather_row(t.a, t.stride, r, t.words, row.data());
    for (unsigned n = 0; n < t.columns; ++n) {
      const std::size_t element = std::size_t{n} * t.stride + r;
      if (t.left[n * simd::maximum_rows + r] != 0)
        t.d[element] = static_cast<std::uint32_t>(unit_(row.data(), t.b + std::size_t{n} * t.words, k, t.c[element]));
    }
  }
}

void matrix_product::by_unit(const matrix_operands& operands) const {
  const dot_product_types& types = unit_.types();
  const unsigned words = words_for(operands.k, types.a), b_words = words_for(operands.k, types.b);
  const unsigned scale_words = operands.scale_a != nullptr ? scale_words_of(operands.k, types) : 0;
  const unsigned result_words = words_for(1, types.accumulator);
  std::vector<std::uint32_t> row(words + scale_words);
  for (unsigned r = 0; r < operands.rows; ++r) {
    gather_row(operands.a, operands.rows, r, words, row.data());
    gather_row(operands.scale_a, operands.rows, r, scale_words, row.data() + words);
    const std::uint32_t* scale_a = scale_words != 0 ? row.data() + words : nullptr;
    for (unsigned n = 0; n < operands.columns; ++n) {
      const std::size_t element = (std::size_t{n} * operands.rows + r) * result_words;
      std::uint64_t c = operands.c[element];
      if (result_words == 2) c |= std::uint64_t{operands.c[element + 1]} << 32;
      const std::uint32_t* scale_b = operands.scale_b != nullptr ? operands.scale_b + std::size_t{n} * scale_words : nullptr;
      const std::uint64_t d = unit_(row.data(), operands.b + std::size_t{n} * b_words, scale_a, scale_b, operands.k, c);
      operands.d[element] = static_cast<std::uint32_t>(d);
      if (result_words == 2) operands.d[element + 1] = static_cast<std::uint32_t>(d >> 32);
    }
  }
}

}  // namespace tc::numerics
