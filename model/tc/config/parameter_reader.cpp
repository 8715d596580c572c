// SPDX-License-Identifier: Apache-2.0
#include "parameter_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/config/json_text.hpp>

namespace tc::config {

namespace {

/// How a message shows the value that was found.
std::string shown(const boost::json::value& v) {
  if (v.is_object()) return "an object";
  if (v.is_array()) return "an array";
  return compact_text(v);
}

}  // namespace

const boost::json::object& parameter_reader::object(const value& v, const std::string& path) const {
  if (!v.is_object()) fail(path, fmt::format("expected an object, got {}", shown(v)));
  return v.get_object();
}

const boost::json::array& parameter_reader::array(const value& v, const std::string& path) const {
  if (!v.is_array()) fail(path, fmt::format("expected an array, got {}", shown(v)));
  return v.get_array();
}

bool parameter_reader::boolean(const value& v, const std::string& path) const {
  if (!v.is_bool()) fail(path, fmt::format("expected true or false, got {}", shown(v)));
  return v.get_bool();
}

double parameter_reader::real(const value& v, const std::string& path) const {
  if (!v.is_number()) fail(path, fmt::format("expected a number, got {}", shown(v)));
  return v.to_number<double>();
}

std::int64_t parameter_reader::signed_integer(const value& v, std::int64_t least, std::int64_t most, const std::string& path) const {
  boost::json::error_code error;
  const auto number = v.to_number<std::int64_t>(error);
  if (error || number < least || number > most) fail(path, fmt::format("expected an integer from {} to {}, got {}", least, most, shown(v)));
  return number;
}

std::uint64_t parameter_reader::unsigned_integer(const value& v, std::uint64_t most, const std::string& path) const {
  boost::json::error_code error;
  const auto number = v.to_number<std::uint64_t>(error);
  if (error || number > most) fail(path, fmt::format("expected an integer from 0 to {}, got {}", most, shown(v)));
  return number;
}

std::string parameter_reader::string(const value& v, const std::string& expected, const std::string& path) const {
  if (!v.is_string()) fail(path, fmt::format("expected {}, got {}", expected, shown(v)));
  return {v.get_string().data(), v.get_string().size()};
}

void parameter_reader::require_known(std::string_view what, std::string_view word, const std::vector<std::string>& names,
                                     const std::string& path, const std::string& place) const {
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  throw config_error(document_.source(), document_.position_of(place), path, unknown_name_text(what, word, names));
}

void parameter_reader::fail(const std::string& path, const std::string& message) const {
  throw config_error(document_.source(), document_.position_of(path), path, message);
}

}  // namespace tc::config
