// SPDX-License-Identifier: Apache-2.0
#include "element_type.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tc::isa {
namespace {

constexpr std::array<std::string_view, 19> element_type_names{"",   "f64", "f32", "tf32", "f16",  "bf16", "e4m3", "e5m2",  "s32",  "s8",
                                                              "u8", "s4",  "u4",  "b1",   "e3m2", "e2m3", "e2m1", "ue8m0", "ue4m3"};

}  // namespace

std::string_view name(element_type type) { return element_type_names.at(static_cast<std::size_t>(type)); }

std::optional<element_type> find_element_type(std::string_view text) {
  const auto* const found = std::find(element_type_names.begin() + 1, element_type_names.end(), text);
  if (found == element_type_names.end()) return std::nullopt;
  return static_cast<element_type>(found - element_type_names.begin());
}

const numerics::number_format& format_of(element_type type) { return numerics::find_number_format(name(type)); }

}  // namespace tc::isa
