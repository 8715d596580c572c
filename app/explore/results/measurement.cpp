// SPDX-License-Identifier: Apache-2.0
#include "measurement.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <system_error>

namespace tcsim {

namespace {

namespace json = boost::json;

/// Member or element of this name; null if there is none.
const json::value* child(const json::value& parent, std::string_view name) {
  if (const auto* const object = parent.if_object()) return object->if_contains(name);
  const auto* const array = parent.if_array();
  std::size_t index = 0;
  const auto* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data(), end, index);
  return array != nullptr && read.ec == std::errc() && read.ptr == end ? array->if_contains(index) : nullptr;
}

}  // namespace

std::optional<json::value> measured(const json::object& statistics, std::string_view path) {
  std::size_t end = std::min(path.find('.'), path.size());
  const json::value* place = statistics.if_contains(path.substr(0, end));
  while (place != nullptr && end < path.size()) {
    const std::size_t begin = end + 1;
    end = std::min(path.find('.', begin), path.size());
    place = child(*place, path.substr(begin, end - begin));
  }
  if (place == nullptr) return std::nullopt;
  if (place->is_bool()) return std::int64_t{place->get_bool()};
  if (!place->is_number()) return std::nullopt;
  return *place;
}

}  // namespace tcsim
