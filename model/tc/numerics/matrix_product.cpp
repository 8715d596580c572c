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

void matrix_product::operator()(const matrix_operands& operands) const {
  if (operands.products == 1) return one(operands);
  const product_words words{operands.rows * words_for(operands.k, unit_.types().a),
                            operands.columns * words_for(operands.k, unit_.types().b),
                            operands.rows * operands.columns * words_for(1, unit_.types().accumulator)};
  const bool is_tile =
      is_vectorised(operands.k) && operands.columns <= simd::maximum_columns && words.a <= operands.rows * kernel_->words_per_call();
  const unsigned most = is_tile && words.b > 0 ? simd::maximum_b_words / words.b : 1;
  const auto at_once = [&](unsigned products) { return most > 1 ? kernel_->products_at_once(operands.rows, std::min(products, most)) : 1; };
  if (at_once(operands.products) == operands.products) return together_by_kernel(operands, operands.products, words);
  matrix_operands next = operands;
  while (next.products != 0) {
    const unsigned together = at_once(next.products);
    if (together > 1)
      together_by_kernel(next, together, words);
    else
      one(next);
    next.products -= together;
    next.a += together * words.a;
    next.b += together * words.b;
    next.c += together * words.d;
    next.d += together * words.d;
  }
}

void matrix_product::one(const matrix_operands& operands) const {
  if (is_vectorised(operands.k))
    by_kernel(operands);
  else
    by_unit(operands);
}

/// Products of one instruction of a warp are tiles as they are.
void matrix_product::by_kernel(const matrix_operands& operands) const {
  const unsigned words = words_for(operands.k, unit_.types().a);
  if (words > kernel_->words_per_call() || operands.rows > simd::maximum_rows || operands.columns > simd::maximum_columns ||
      operands.columns * words > simd::maximum_b_words)
    return by_tiles(operands, words);
  std::array<std::uint32_t, simd::maximum_rows * simd::maximum_columns> left;
  tile_by_kernel({operands.rows, operands.columns, words, operands.rows, operands.a, operands.b, operands.c, operands.d, left.data()});
}

/// Short products fill a vector together with the next ones.
void matrix_product::together_by_kernel(const matrix_operands& operands, unsigned products, const product_words& words) const {
  std::array<std::uint32_t, simd::maximum_rows * simd::maximum_columns> left;
  simd::tile tile{operands.rows, operands.columns, words_for(operands.k, unit_.types().a),
                  operands.rows, operands.a,       operands.b,
                  operands.c,    operands.d,       left.data()};
  if (!kernel_->together(products, tile)) return;
  for (; products != 0; --products) {
    left_by_kernel(tile);
    tile.a += words.a;
    tile.b += words.b;
    tile.c += words.d;
    tile.d += words.d;
    tile.left += operands.rows;
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
