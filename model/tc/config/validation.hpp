// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include <tc/config/config_error.hpp>
#include <tc/config/parameter_kinds.hpp>
#include <tc/config/parameter_path.hpp>

namespace tc::config {

/// Throws config_error unless `condition` holds; `message` says what would be right ("must be a power of two, is 12").
inline void require(bool condition, const std::string& path, const std::string& message) {
  if (!condition) throw config_error(path, message);
}

inline void require_positive(unsigned value, const std::string& path, const char* member) {
  require(value > 0, member_path(path, member), "must be positive");
}

/// Ranges that keep a run finite; nobody builds more.
inline void require_at_most(unsigned value, unsigned limit, const std::string& path, const char* member) {
  require(value <= limit, member_path(path, member), "must be at most " + std::to_string(limit) + ", is " + std::to_string(value));
}

template <class T, class = void>
inline constexpr bool has_validate_v = false;
template <class T>
inline constexpr bool has_validate_v<T, std::void_t<decltype(validate(std::declval<const T&>(), std::declval<const std::string&>()))>> =
    true;

/// Tests the rules of a parameter and of everything in it, the innermost first. A record's rules (ranges, and relations between its
/// members) are a function `void validate(const record&, const std::string& path)` in the namespace of the record, declared next to it,
/// that calls `require(units > 0, member_path(path, "units"), "must be positive")`.
template <class T>
void validate_tree(const T& parameter, const std::string& path = "") {
  if constexpr (is_optional_v<T>) {
    if (parameter) validate_tree(*parameter, path);
  } else if constexpr (is_record_v<T>) {
    for_each_member<T>([&](auto member) { validate_tree(parameter.*member.pointer, member_path(path, member.name)); });
  } else if constexpr (is_list_v<T>) {
    for (std::size_t i = 0; i < parameter.size(); ++i) validate_tree(parameter[i], element_path(path, i));
  } else if constexpr (is_table_v<T>) {
    for (const auto& [key, entry] : parameter) validate_tree(entry, member_path(path, key));
  }
  if constexpr (is_record_v<T> && has_validate_v<T>) validate(parameter, path);
}

}  // namespace tc::config
