// SPDX-License-Identifier: Apache-2.0
#include "gemm_problem.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/kernels/gemm_error.hpp>

namespace tc::kernels {
namespace {

constexpr std::uint64_t region_alignment = 256;  // bytes, as cudaMalloc
constexpr std::uint64_t reach_bytes = 1 << 23;   // of the immediate in an address: 24 bits with sign

}  // namespace

matrix_placement place_matrices(const gemm_problem& problem, std::uint64_t base) {
  const auto align = [](std::uint64_t address) { return (address + region_alignment - 1) / region_alignment * region_alignment; };
  matrix_placement memory;
  memory.a = align(base);
  memory.b = align(memory.a + problem.a_bytes());
  memory.d = align(memory.b + problem.b_bytes());
  return memory;
}

void require_multiple(std::string_view name, unsigned value, unsigned unit, std::string_view what) {
  if (value % unit == 0 && value != 0) return;
  const unsigned below = value / unit * unit;
  const std::string right = below == 0 ? fmt::format("{} would be", unit) : fmt::format("{} and {} would be", below, below + unit);
  throw gemm_error(fmt::format("{} = {} is no multiple of {}, {}; {}", name, value, unit, what, right));
}

void require_reach(const gemm_problem& problem, unsigned tile_m, unsigned tile_n) {
  const std::uint64_t result_row = std::uint64_t{problem.n} * problem.result_bytes();
  const std::uint64_t farthest = std::max(std::uint64_t{std::max(tile_m, tile_n)} * problem.row_bytes(), tile_m * result_row);
  const std::uint64_t largest = std::max({problem.a_bytes(), problem.b_bytes(), problem.d_bytes()});
  if (farthest > reach_bytes || largest >> 31 != 0)
    throw gemm_error(
        fmt::format("rows of {} and {} bytes are too long: a tile's rows must lie within {} bytes of each other, and each matrix "
                    "within 2 GiB; use a smaller problem or tile",
                    problem.row_bytes(), result_row, reach_bytes));
}

}  // namespace tc::kernels
