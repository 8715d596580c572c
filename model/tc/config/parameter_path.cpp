// SPDX-License-Identifier: Apache-2.0
#include "parameter_path.hpp"

#include <algorithm>

#include <tc/config/config_error.hpp>

namespace tc::config {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier(std::string_view key) {
  return !key.empty() && is_letter(key.front()) && std::all_of(key.begin(), key.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace

std::string member_path(const std::string& path, std::string_view key) {
  if (!is_identifier(key)) return path + "[" + std::string(key) + "]";
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

std::string element_path(const std::string& path, std::size_t index) { return path + "[" + std::to_string(index) + "]"; }

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> keys;
  std::size_t at = 0;
  const auto take = [&](std::size_t end) {
    if (end == at) throw config_error(path, "malformed path: a key is missing");
    keys.push_back(path.substr(at, end - at));
    at = end;
  };
  while (at < path.size()) {
    if (path[at] == '[') {
      ++at;
      const std::size_t close = path.find(']', at);
      if (close == std::string::npos) throw config_error(path, "malformed path: ']' is missing");
      take(close);
      ++at;
      if (at < path.size() && path[at] != '.' && path[at] != '[') throw config_error(path, "malformed path: expected '.' or '[' after ']'");
    } else {
      if (!keys.empty()) ++at;
      take(std::min(path.find_first_of(".[", at), path.size()));
    }
  }
  if (keys.empty()) throw config_error(path, "malformed path: a key is missing");
  return keys;
}

}  // namespace tc::config
