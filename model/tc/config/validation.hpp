// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tc/config/config_error.hpp>
#include <tc/config/parameter_path.hpp>
#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// Throws config_error unless `condition` holds; `message` says what would be right ("must be a power of two, is 12").
inline void require(bool condition, const std::string& path, const std::string& message) {
  if (!condition) throw config_error(path, message);
}

inline bool is_power_of_two(unsigned value) { return value != 0 && (value & (value - 1)) == 0; }

inline void require_positive(unsigned value, const std::string& path, const char* member) {
  require(value > 0, member_path(path, member), "must be positive");
}

/// Ranges that keep a run finite; nobody builds more.
inline void require_at_most(unsigned value, unsigned limit, const std::string& path, const char* member) {
  require(value <= limit, member_path(path, member), "must be at most " + std::to_string(limit) + ", is " + std::to_string(value));
}

/// Tests the rules of a parameter and of everything in it, the innermost first. A record's rules (ranges, and relations between its
/// members) are a function `void validate(const record&, const std::string& path)` in the namespace of the record, declared next to it,
/// that calls `require(units > 0, member_path(path, "units"), "must be positive")`.
void validate_tree(const parameter_type& type, const void* parameter, const std::string& path);
template <class T>
void validate_tree(const T& parameter, const std::string& path = "") {
  validate_tree(type_of<T>(), &parameter, path);
}

}  // namespace tc::config
