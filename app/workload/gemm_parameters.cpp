// SPDX-License-Identifier: Apache-2.0
#include "gemm_parameters.hpp"

#include <charconv>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include <tc/config/described_type.hpp>
#include <tc/config/validation.hpp>
#include <tc/kernels/gemm_problem.hpp>

namespace tcsim {

std::vector<unsigned> read_number_product(const std::string& text, std::size_t count, const char* example) {
  std::vector<unsigned> numbers;
  const char *at = text.data(), *const end = at + text.size();
  while (numbers.size() < count) {
    unsigned value = 0;
    const auto [after, error] = std::from_chars(at, end, value);
    const bool is_last = numbers.size() + 1 == count;
    if (error != std::errc() || value == 0 || (is_last ? after != end : after == end || *after != 'x'))
      throw std::invalid_argument(fmt::format("expected {} positive numbers, as in {}", count, example));
    numbers.push_back(value);
    at = after + 1;
  }
  return numbers;
}

namespace {

namespace kernels = tc::kernels;
using tc::config::config_error;
using tc::config::member_path;
using tc::config::require;

void validate_extents(const gemm_parameters& parameters, const std::string& path) {
  const bool any = parameters.m != 0 || parameters.n != 0 || parameters.k != 0;
  const bool all = parameters.m != 0 && parameters.n != 0 && parameters.k != 0;
  require(any != (parameters.size != 0), member_path(path, "size"),
          any ? "stands beside m, n or k: give size for square matrices, or all of m, n and k"
              : "is not given: give size for square matrices, or all of m, n and k");
  for (const auto& [name, extent] : {std::pair("m", parameters.m), std::pair("n", parameters.n), std::pair("k", parameters.k)})
    require(!any || all || extent != 0, member_path(path, name), "is not given: m, n and k belong together");
}

void validate_product(const std::string& text, std::size_t count, const char* example, const std::string& path) {
  if (text.empty()) return;
  try {
    read_number_product(text, count, example);
  } catch (const std::invalid_argument& error) {
    throw config_error(path, error.what());
  }
}

void validate_precision(const std::string& name, const std::string& path) {
  try {
    kernels::find_precision(name);
  } catch (const kernels::gemm_error& error) {
    throw config_error(path, error.what());
  }
}

}  // namespace

void validate(const gemm_parameters& parameters, const std::string& path) {
  validate_extents(parameters, path);
  validate_precision(parameters.precision, member_path(path, "precision"));
  validate_product(parameters.tile, gemm_tile_extents, gemm_tile_example, member_path(path, "tile"));
  validate_product(parameters.warps, gemm_warp_extents, gemm_warps_example, member_path(path, "warps"));
  const bool is_mma = parameters.instructions == gemm_instructions::mma;
  require(is_mma || parameters.warps.empty(), member_path(path, "warps"),
          "is for instructions mma; wgmma has a warpgroup for each 64 rows of the tile");
  require(is_mma || !parameters.single_buffer, member_path(path, "single_buffer"), "is for instructions mma; wgmma takes stages");
  require(!is_mma || parameters.stages == 0, member_path(path, "stages"), "is for instructions wgmma");
  tc::config::require_at_most(parameters.stages, 1024, path, "stages");
}

kernels::gemm_problem problem_of(const gemm_parameters& parameters) {
  const kernels::gemm_precision& precision = kernels::find_precision(parameters.precision);
  if (parameters.size != 0) return {parameters.size, parameters.size, parameters.size, precision};
  return {parameters.m, parameters.n, parameters.k, precision};
}

kernels::gemm_tiling register_tiling_of(const gemm_parameters& parameters) {
  kernels::gemm_tiling tiling;
  tiling.double_buffered = !parameters.single_buffer;
  if (!parameters.tile.empty()) {
    const auto extents = read_number_product(parameters.tile, gemm_tile_extents, gemm_tile_example);
    tiling.m = extents[0];
    tiling.n = extents[1];
    tiling.k = extents[2];
  }
  if (!parameters.warps.empty()) {
    const auto counts = read_number_product(parameters.warps, gemm_warp_extents, gemm_warps_example);
    tiling.warps_m = counts[0];
    tiling.warps_n = counts[1];
  }
  return tiling;
}

kernels::warpgroup_tiling warpgroup_tiling_of(const gemm_parameters& parameters) {
  const kernels::gemm_tiling tile = register_tiling_of(parameters);
  return {tile.m, tile.n, tile.k, parameters.stages};
}

}  // namespace tcsim

template const tc::config::parameter_type& tc::config::type_of<tcsim::gemm_parameters>();
