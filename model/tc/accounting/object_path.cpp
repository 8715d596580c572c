// SPDX-License-Identifier: Apache-2.0
#include "object_path.hpp"

#include <algorithm>

namespace tc::accounting {

namespace {

/// Takes the last name off a path.
std::string_view take_last(std::string_view& path) {
  const auto dot = path.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? path : path.substr(dot + 1);
  path = dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
  return last;
}

}  // namespace

std::string_view without_number(std::string_view name) {
  const auto end = name.find_last_not_of("0123456789");
  const bool numbered = end != std::string_view::npos && end + 1 < name.size() && name[end] == '_';
  return numbered ? name.substr(0, end) : name;
}

bool ends_in(std::string_view path, std::string_view names) {
  while (!names.empty()) {
    const std::string_view wanted = take_last(names), name = take_last(path);
    if (name != wanted && without_number(name) != wanted) return false;
  }
  return true;
}

std::string unit_kind(std::string_view path) {
  std::string kind;
  path.remove_prefix(std::min(path.find('.') + 1, path.size()));  // the GPU
  while (!path.empty()) {
    const auto length = std::min(path.find('.'), path.size());
    const std::string_view name = without_number(path.substr(0, length));
    path.remove_prefix(std::min(length + 1, path.size()));
    if (name == "sm" || name == "sub_core") continue;
    if (!kind.empty()) kind += '.';
    kind += name;
  }
  return kind;
}

}  // namespace tc::accounting
