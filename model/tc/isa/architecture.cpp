#include <algorithm>
#include <array>
#include <cstddef>

#include <tc/isa/architecture.hpp>

namespace tc::isa {
namespace {

constexpr std::array<std::string_view, 7> names{"sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100"};

}  // namespace

std::string_view name(architecture arch) { return names.at(static_cast<std::size_t>(arch)); }

std::optional<architecture> find_architecture(std::string_view wanted) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end()) return std::nullopt;
  return static_cast<architecture>(found - names.begin());
}

std::string_view architecture_names() { return "sm_70, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100"; }

}  // namespace tc::isa
