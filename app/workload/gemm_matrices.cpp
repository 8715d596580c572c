// SPDX-License-Identifier: Apache-2.0
#include "gemm_matrices.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include <tc/isa/element_type.hpp>
#include <tc/numerics/matrix_product.hpp>
#include <tc/numerics/number_format.hpp>

#include "interruption.hpp"

namespace tcsim {

namespace {

namespace kernels = tc::kernels;
using bytes = std::vector<std::uint8_t>;
using words = std::vector<std::uint32_t>;

constexpr std::size_t word_bytes = sizeof(std::uint32_t);

/// All hosts that tcsim runs on have the lowest byte of a word first, as the matrices have.
words words_of(const bytes& matrix) {
  words result(matrix.size() / word_bytes);
  std::memcpy(result.data(), matrix.data(), matrix.size());
  return result;
}

/// Large matrices take their time; asked now and then, as for each word it would take longer.
void stop_at_times(std::size_t word) {
  constexpr std::size_t words_between = std::size_t{1} << 16;
  if (word % words_between == 0) stop_if_interrupted();
}

/// Numbers are drawn behind as many draws as the matrix has words.
bytes random_matrix(const tc::numerics::number_format& format, std::uint64_t size, std::mt19937_64& random) {
  words matrix(size / word_bytes);
  if (!format.is_floating_point()) {
    for (std::size_t w = 0; w < matrix.size(); ++w) {
      stop_at_times(w);
      matrix[w] = static_cast<std::uint32_t>(random());
    }
  } else {
    random.discard(matrix.size());
    constexpr double steps = 1 << 23;
    for (std::size_t w = 0; w < matrix.size(); ++w) {
      stop_at_times(w);
      std::uint64_t elements = 0;
      for (unsigned bit = 0; bit < word_bytes * 8; bit += format.storage_bits) {
        const double number = static_cast<double>(random() % (1u << 24)) / steps - 1;
        elements |= tc::numerics::encode(number, format) << bit;
      }
      matrix[w] = static_cast<std::uint32_t>(elements);
    }
  }
  bytes result(size);
  std::memcpy(result.data(), matrix.data(), size);
  return result;
}

/// The words of rows with `pitch` words that a matrix instruction takes from word `first` on, zeros behind the end: its words of the same
/// k side by side.
words transposed_part(const words& matrix, std::size_t pitch, std::size_t first, std::size_t count) {
  const std::size_t rows = matrix.size() / pitch, there = std::min(count, pitch - first);
  words part(rows * count);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t w = 0; w < there; ++w) part[w * rows + row] = matrix[row * pitch + first + w];
  return part;
}

/// The same, row after row.
words part_of(const words& matrix, std::size_t pitch, std::size_t first, std::size_t count) {
  const std::size_t rows = matrix.size() / pitch, there = std::min(count, pitch - first);
  words part(rows * count);
  for (std::size_t row = 0; row < rows; ++row) std::copy_n(&matrix[row * pitch + first], there, &part[row * count]);
  return part;
}

/// D of column after column, a word for each element, as packed rows.
bytes rows_of(const words& columns, const kernels::gemm_problem& problem) {
  const std::size_t m = problem.m, n = problem.n, size = problem.result_bytes();
  bytes rows(m * n * size);
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t column = 0; column < n; ++column) std::memcpy(&rows[(row * n + column) * size], &columns[column * m + row], size);
  return rows;
}

bytes product_of(const kernels::gemm_problem& problem, const bytes& a, const bytes& b, const product_step& step) {
  const tc::numerics::matrix_product multiply(step.unit);
  const std::size_t pitch = problem.row_bytes() / word_bytes, count = step.k * problem.element_bits() / 8 / word_bytes;
  const words all_a = words_of(a), all_b = words_of(b);
  words sums(std::size_t{problem.m} * problem.n);
  for (std::size_t first = 0; first < pitch; first += count) {
    stop_if_interrupted();
    const words part_of_a = transposed_part(all_a, pitch, first, count), columns = part_of(all_b, pitch, first, count);
    multiply({problem.m, problem.n, step.k, part_of_a.data(), columns.data(), sums.data(), sums.data()});
  }
  return rows_of(sums, problem);
}

/// Of each tile along one side of D, its first and last lines, and four neighbours in between that chance has chosen; in ascending order.
std::vector<unsigned> sampled_lines(unsigned extent, unsigned tile, std::mt19937_64& random) {
  constexpr unsigned neighbours = 4;
  std::vector<unsigned> lines;
  for (unsigned first = 0; first < extent; first += tile) {
    std::vector<unsigned> of_tile{0, tile - 1};
    const auto begin = static_cast<unsigned>(random() % std::max(tile / neighbours, 1U)) * neighbours;
    for (unsigned i = begin; i < std::min(begin + neighbours, tile); ++i) of_tile.push_back(i);
    std::sort(of_tile.begin(), of_tile.end());
    of_tile.erase(std::unique(of_tile.begin(), of_tile.end()), of_tile.end());
    for (const unsigned line : of_tile) lines.push_back(first + line);
  }
  return lines;
}

/// Some rows of a matrix of packed rows.
bytes lines_of(const bytes& matrix, std::size_t pitch, const std::vector<unsigned>& lines) {
  bytes some;
  some.reserve(lines.size() * pitch);
  for (const unsigned line : lines) {
    const auto begin = matrix.begin() + static_cast<std::ptrdiff_t>(line * pitch);
    some.insert(some.end(), begin, begin + static_cast<std::ptrdiff_t>(pitch));
  }
  return some;
}

/// Where the products of some rows and some columns lie in D; neighbours in a row are one range.
std::vector<tc::trace::byte_range> ranges_of(const std::vector<unsigned>& rows, const std::vector<unsigned>& columns,
                                             const kernels::gemm_problem& problem) {
  const std::uint64_t size = problem.result_bytes();
  std::vector<tc::trace::byte_range> ranges;
  for (const unsigned row : rows) {
    for (const unsigned column : columns) {
      const std::uint64_t offset = (std::uint64_t{row} * problem.n + column) * size;
      if (!ranges.empty() && ranges.back().offset + ranges.back().bytes == offset)
        ranges.back().bytes += size;
      else
        ranges.push_back({offset, size});
    }
  }
  return ranges;
}

/// D of the crossings of sampled rows and columns, each of which is the same as in all of D.
void sample_product(kernels::gemm_matrices& matrices, const kernels::gemm_problem& problem, const product_step& step,
                    const gemm_values& values) {
  std::mt19937_64 random(values.seed);
  const std::vector<unsigned> rows = sampled_lines(problem.m, values.tile_m, random),
                              columns = sampled_lines(problem.n, values.tile_n, random);
  kernels::gemm_problem part = problem;
  part.m = static_cast<unsigned>(rows.size());
  part.n = static_cast<unsigned>(columns.size());
  matrices.samples = ranges_of(rows, columns, problem);
  matrices.d = product_of(part, lines_of(matrices.a, problem.row_bytes(), rows), lines_of(matrices.b, problem.row_bytes(), columns), step);
}

}  // namespace

kernels::gemm_matrices make_gemm_matrices(const kernels::gemm_problem& problem, const product_step& step, const gemm_values& values) {
  std::mt19937_64 random(values.seed);
  const auto& format = tc::isa::format_of(problem.precision.multiplicand);
  kernels::gemm_matrices matrices;
  matrices.a = random_matrix(format, problem.a_bytes(), random);
  matrices.b = random_matrix(format, problem.b_bytes(), random);
  if (!values.with_product) return matrices;
  if (std::uint64_t{problem.m} * problem.n * problem.k > values.most_products)
    sample_product(matrices, problem, step, values);
  else
    matrices.d = product_of(problem, matrices.a, matrices.b, step);
  return matrices;
}

}  // namespace tcsim
