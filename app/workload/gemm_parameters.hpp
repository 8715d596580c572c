// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <tc/config/parameter_type.hpp>
#include <tc/kernels/gemm_plan.hpp>
#include <tc/kernels/warpgroup_gemm_plan.hpp>

namespace tcsim {

/// Reads `count` positive numbers with an x between them, such as "128x64x32". Throws std::invalid_argument, which says what is expected
/// and shows the example.
std::vector<unsigned> read_number_product(const std::string& text, std::size_t count, const char* example);

/// Where the matrix instructions of a kernel find their operands.
enum class gemm_instructions : std::uint8_t {
  mma,    ///< fragments in the registers of a warp
  wgmma,  ///< tiles in shared memory
};
BOOST_DESCRIBE_ENUM(gemm_instructions, mma, wgmma)

/// A matrix product to make a kernel for, as the options of `tcsim gemm` describe it.
struct gemm_parameters {
  unsigned size = 0;
  unsigned m = 0, n = 0, k = 0;
  std::string precision = "mixed";
  gemm_instructions instructions = gemm_instructions::mma;
  std::string tile{};
  std::string warps{};
  unsigned stages = 0;
  bool single_buffer = false;
  std::string architecture{};
  std::uint64_t seed = 1;
  bool data = true;
};
BOOST_DESCRIBE_STRUCT(gemm_parameters, (),
                      (size, m, n, k, precision, instructions, tile, warps, stages, single_buffer, architecture, seed, data))

inline constexpr auto describe_parameters(const gemm_parameters*) {
  using tc::config::parameter_note;
  return std::array{
      parameter_note{"size", "elements", "M = N = K; 0: m, n and k say it", ""},
      parameter_note{"m", "elements", "rows of A and D", ""},
      parameter_note{"n", "elements", "columns of B and D", ""},
      parameter_note{"k", "elements", "columns of A, rows of B", ""},
      parameter_note{"precision", "", "types of the matrices; mixed multiplies f16 and accumulates in f32", ""},
      parameter_note{"instructions", "", "mma: warps multiply fragments in registers; wgmma: warpgroups multiply tiles in shared memory",
                     ""},
      parameter_note{"tile", "", "MxNxK, elements of m and n that a CTA computes, and of k in shared memory; empty: chosen", ""},
      parameter_note{"warps", "", "mma: MxN, warps of a CTA along m and n; empty: chosen", ""},
      parameter_note{"stages", "tiles", "wgmma: tiles of k in shared memory; 0: chosen", ""},
      parameter_note{"single_buffer", "", "mma: load, then multiply: no tile and no fragment is loaded ahead", ""},
      parameter_note{"architecture", "", "architecture to make code for; empty: the first that the machine runs", ""},
      parameter_note{"seed", "", "what the random A and B depend on", ""},
      parameter_note{"data", "", "compute the product and compare it; false: count cycles only", ""},
  };
}

/// Throws config_error.
void validate(const gemm_parameters& parameters, const std::string& path);

/// Of valid parameters.
tc::kernels::gemm_problem problem_of(const gemm_parameters& parameters);
/// Of instructions mma.
tc::kernels::gemm_tiling register_tiling_of(const gemm_parameters& parameters);
/// Of instructions wgmma.
tc::kernels::warpgroup_tiling warpgroup_tiling_of(const gemm_parameters& parameters);

/// How texts of parameters look.
inline constexpr std::size_t gemm_tile_extents = 3, gemm_warp_extents = 2;
inline constexpr const char *gemm_tile_example = "64x64x32", *gemm_warps_example = "2x2";

}  // namespace tcsim
