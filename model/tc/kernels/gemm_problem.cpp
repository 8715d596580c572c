// SPDX-License-Identifier: Apache-2.0
#include "gemm_problem.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/config/number_format_name.hpp>
#include <tc/config/spelling.hpp>
#include <tc/isa/opcode.hpp>
#include <tc/kernels/gemm_matrix_step.hpp>

namespace tc::kernels {
namespace {

using type = isa::element_type;

constexpr std::array precisions{
    gemm_precision{"f16", type::f16, type::f16, "HMMA", "F16"},
    gemm_precision{"mixed", type::f16, type::f32, "HMMA", "F32"},
    gemm_precision{"bf16", type::bf16, type::f32, "HMMA", "F32.BF16"},
    gemm_precision{"tf32", type::tf32, type::f32, "HMMA", "F32.TF32"},
    gemm_precision{"e4m3", type::e4m3, type::f32, "QMMA", "F32.E4M3.E4M3"},
    gemm_precision{"e4m3.f16", type::e4m3, type::f16, "QMMA", "F16.E4M3.E4M3"},
    gemm_precision{"e5m2", type::e5m2, type::f32, "QMMA", "F32.E5M2.E5M2"},
    gemm_precision{"e5m2.f16", type::e5m2, type::f16, "QMMA", "F16.E5M2.E5M2"},
    gemm_precision{"s8", type::s8, type::s32, "IMMA", "S8.S8"},
    gemm_precision{"u8", type::u8, type::s32, "IMMA", "U8.U8"},
    gemm_precision{"s4", type::s4, type::s32, "IMMA", "S4.S4"},
    gemm_precision{"u4", type::u4, type::s32, "IMMA", "U4.U4"},
    gemm_precision{"b1", type::b1, type::s32, "BMMA", "XOR.POPC"},
    gemm_precision{"b1.and", type::b1, type::s32, "BMMA", "AND.POPC"},
};

/// Element types that wgmma multiplies (PTX ISA, wgmma.mma_async).
constexpr std::array warpgroup_multiplicands{type::f16, type::bf16, type::tf32, type::e4m3, type::e5m2, type::s8, type::u8};

}  // namespace

const gemm_precision& find_precision(std::string_view name) {
  const std::string known = config::number_format_name(name);
  const auto* const found =
      std::find_if(precisions.begin(), precisions.end(), [&](const gemm_precision& precision) { return precision.name == known; });
  if (found == precisions.end()) {
    const std::string nearest = config::nearest_name(known, precision_names());
    throw gemm_error(fmt::format("there is no precision \"{}\"; {}there are {}", name,
                                 nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest), fmt::join(precision_names(), ", ")));
  }
  return *found;
}

std::string precision_names(isa::architecture arch) {
  std::vector<std::string_view> names;
  for (const gemm_precision& precision : precisions)
    if (!matrix_shapes(precision, arch).empty()) names.push_back(precision.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

bool has_warpgroup_product(const gemm_precision& precision, isa::architecture arch) {
  const auto& types = warpgroup_multiplicands;
  return isa::info(isa::opcode::wgmma_mma_async).architectures.contains(arch) &&
         std::find(types.begin(), types.end(), precision.multiplicand) != types.end();
}

std::vector<std::string> precision_names() {
  std::vector<std::string> names(precisions.size());
  std::transform(precisions.begin(), precisions.end(), names.begin(), [](const gemm_precision& precision) { return precision.name; });
  return names;
}

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
