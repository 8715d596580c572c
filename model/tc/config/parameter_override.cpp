// SPDX-License-Identifier: Apache-2.0
#include "parameter_override.hpp"

#include <charconv>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tc/isa/utf8.hpp>

namespace tc::config {

parameter_override::parameter_override(std::string_view assignment) : source_(fmt::format("--set {}", isa::to_utf8(assignment))) {
  if (isa::find_malformed_utf8(assignment) != assignment.size()) throw config_error(source_, {}, "", "must be UTF-8");
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) throw config_error(source_, {}, "", "expected path=value");
  path_ = assignment.substr(0, equals);
  value_ = assignment.substr(equals + 1);
  split();
}

parameter_override::parameter_override(std::string path, text_position path_position, json_document value)
    : source_(value.source()), path_(std::move(path)), document_(std::move(value)), path_position_(path_position) {
  split();
}

void parameter_override::split() {
  try {
    keys_ = split_path(path_);
  } catch (const config_error& error) {
    throw located(error);
  }
  path_.clear();
  for (const std::string& key : keys_) path_ = member_path(path_, key);
}

config_error parameter_override::located(const config_error& error) const {
  if (!document_) return {source_, {}, error.path(), error.message()};  // a line and column within one word help nobody
  return {source_, error.position().line == 0 ? path_position_ : error.position(), error.path(), error.message()};
}

std::size_t parameter_override::list_index(const std::string& key, std::size_t size, const std::string& path) {
  std::size_t index = 0;
  const auto result = std::from_chars(key.data(), key.data() + key.size(), index);
  if (result.ec != std::errc{} || result.ptr != key.data() + key.size())
    throw config_error(path, fmt::format("expected an index such as [0], got \"{}\"", key));
  if (index >= size) throw config_error(path, fmt::format("no element {}: the list has {}", index, size));
  return index;
}

void parameter_override::fail_no_member(const std::string& key, const std::string& path) {
  throw config_error(path, fmt::format("has no member \"{}\": it is a single value", key));
}

}  // namespace tc::config
