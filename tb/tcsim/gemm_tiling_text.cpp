#include "gemm_tiling_text.hpp"

#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "exit_status.hpp"

namespace tcsim {

namespace {

/// `count` positive numbers with an x between them.
std::vector<unsigned> numbers(const std::string& option, const std::string& text, std::size_t count, const char* example) {
  std::vector<unsigned> result;
  const char *at = text.data(), *const end = at + text.size();
  while (result.size() < count) {
    unsigned value = 0;
    const auto [after, error] = std::from_chars(at, end, value);
    const bool is_last = result.size() + 1 == count;
    if (error != std::errc() || value == 0 || (is_last ? after != end : after == end || *after != 'x'))
      throw usage_error(fmt::format("{} {}: expected {} positive numbers, as in {}", option, text, count, example));
    result.push_back(value);
    at = after + 1;
  }
  return result;
}

}  // namespace

void read_tiling(const std::string& tile, const std::string& warps, tc::kernels::gemm_tiling& tiling) {
  if (!tile.empty()) {
    const auto sizes = numbers("--tile", tile, 3, "64x64x32");
    tiling.m = sizes[0];
    tiling.n = sizes[1];
    tiling.k = sizes[2];
  }
  if (!warps.empty()) {
    const auto counts = numbers("--warps", warps, 2, "2x2");
    tiling.warps_m = counts[0];
    tiling.warps_n = counts[1];
  }
}

}  // namespace tcsim
