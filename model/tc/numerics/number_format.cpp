#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/numerics/number_format.hpp>

namespace tc::numerics {

namespace {

constexpr std::array all_formats{f32, tf32, bf16, f16, e5m2, e4m3, e3m2, e2m3, e2m1, s32, s8, u8, s4, u4, b1};

}  // namespace

const number_format& find_number_format(std::string_view name) {
  const auto found = std::find_if(all_formats.begin(), all_formats.end(), [name](const number_format& f) { return f.name == name; });
  if (found != all_formats.end()) return *found;
  std::array<std::string_view, all_formats.size()> names;
  std::transform(all_formats.begin(), all_formats.end(), names.begin(), [](const number_format& f) { return f.name; });
  throw std::invalid_argument(fmt::format("unknown number format '{}'; known are {}", name, fmt::join(names, ", ")));
}

}  // namespace tc::numerics
