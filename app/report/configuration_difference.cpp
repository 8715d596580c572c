// SPDX-License-Identifier: Apache-2.0
#include "configuration_difference.hpp"

#include <cstddef>

#include <tc/config/parameter_path.hpp>

namespace tcsim {

namespace {

namespace json = boost::json;

using differences = std::vector<parameter_difference>;

void compare(const json::value& base, const json::value& other, const std::string& path, differences& found);

void compare_objects(const json::object& base, const json::object& other, const std::string& path, differences& found) {
  for (const auto& [key, value] : base) {
    const auto* const match = other.if_contains(key);
    compare(value, match != nullptr ? *match : json::value(), tc::config::member_path(path, key), found);
  }
  for (const auto& [key, value] : other)
    if (!base.contains(key)) found.push_back({tc::config::member_path(path, key), json::value(), value});
}

void compare(const json::value& base, const json::value& other, const std::string& path, differences& found) {
  if (base == other) return;
  if (base.is_object() && other.is_object()) {
    compare_objects(base.get_object(), other.get_object(), path, found);
  } else if (base.is_array() && other.is_array() && base.get_array().size() == other.get_array().size()) {
    for (std::size_t i = 0; i < base.get_array().size(); ++i)
      compare(base.get_array()[i], other.get_array()[i], tc::config::element_path(path, i), found);
  } else {
    found.push_back({path, base, other});
  }
}

}  // namespace

std::vector<parameter_difference> configuration_differences(const json::value& base, const json::value& configuration) {
  differences found;
  compare(base, configuration, "", found);
  return found;
}

}  // namespace tcsim
