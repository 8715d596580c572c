#include <algorithm>
#include <array>
#include <cstddef>

#include <tc/isa/architecture.hpp>

namespace tc::isa {
namespace {

constexpr std::array<std::string_view, 7> names{"sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100"};

}  // namespace

std::string_view name(architecture arch) { return names.at(static_cast<std::size_t>(arch)); }

std::optional<architecture> find_architecture(std::string_view text) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return std::nullopt;
  return static_cast<architecture>(found - names.begin());
}

std::string_view architecture_names() { return "sm_70, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100"; }

std::string describe(architecture_range range) {
  const std::string first(name(range.first));
  if (range.first == range.last) return first + " only";
  if (range.last == architecture_range{}.last) return first + " and later";
  return first + " to " + std::string(name(range.last));
}

}  // namespace tc::isa
