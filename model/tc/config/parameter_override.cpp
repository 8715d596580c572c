// SPDX-License-Identifier: Apache-2.0
#include "parameter_override.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/config/parameter_list.hpp>
#include <tc/config/parameter_path.hpp>
#include <tc/config/parameter_reader.hpp>
#include <tc/config/spelling.hpp>
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

namespace {

/// Ends with `end`, from the beginning of a key on.
bool ends_with_keys(const std::string& path, const std::string& end) {
  return path.size() > end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0 &&
         path[path.size() - end.size() - 1] == '.';
}

/// Paths that go on, behind other keys, as `path` does: what was meant by one that leaves out where it begins.
std::vector<std::string> longer_paths(const parameter_type& type, const void* root, const std::string& path) {
  std::vector<std::string> found;
  for (const parameter_row& row : list_parameters(type, root))
    if (ends_with_keys(row.path, path)) found.push_back(row.path);
  return found;
}

/// The path whose last key is nearest to a word; empty if none is near. Of several with that key the shortest.
std::string nearest_path(const parameter_type& type, const void* root, const std::string& word) {
  const auto last_key = [](const parameter_row& row) { return row.path.substr(row.path.rfind('.') + 1); };
  const std::vector<parameter_row> rows = list_parameters(type, root);
  std::vector<std::string> keys;
  keys.reserve(rows.size());
  for (const parameter_row& row : rows) keys.push_back(last_key(row));
  const std::string nearest = nearest_name(word, keys);
  std::string path;
  for (const parameter_row& row : rows)
    if (!nearest.empty() && last_key(row) == nearest && (path.empty() || row.path.size() < path.size())) path = row.path;
  return path;
}

}  // namespace

void parameter_override::apply(const parameter_type& type, void* root) const {
  try {
    require_beginning(type, root);
    descend(type, root, 0, "");
  } catch (const config_error& error) {
    throw located(error);
  }
}

/// A path whose first key does not exist, but whose keys stand together further below, lacks its beginning.
void parameter_override::require_beginning(const parameter_type& type, const void* root) const {
  const auto* const record = std::get_if<record_form>(&type.form);
  const bool is_known = record == nullptr || std::find(record->names.begin(), record->names.end(), keys_.front()) != record->names.end();
  if (is_known) return;
  const std::vector<std::string> longer = longer_paths(type, root, path_);
  if (!longer.empty())
    throw config_error("", fmt::format("unknown key \"{}\"; did you mean {}?", keys_.front(), fmt::join(longer, " or ")));
  if (!nearest_name(keys_.front(), record->names).empty()) return;  // which descending into it tells
  const std::string nearest = nearest_path(type, root, keys_.front());
  if (!nearest.empty())
    throw config_error("",
                       fmt::format("unknown key \"{}\"; did you mean {}{}?", keys_.front(), nearest, path_.substr(keys_.front().size())));
}

void parameter_override::descend(const parameter_type& type, void* target, std::size_t depth, const std::string& path) const {
  if (depth == keys_.size()) return parameter_reader(document(type, path)).read(type, target);
  const std::string& key = keys_[depth];
  std::visit(by_form{[&](const optional_form& form) { descend_optional(form, target, depth, path); },
                     [&](const record_form& form) { descend_record(form, target, depth, path); },
                     [&](const list_form& form) {
                       const std::size_t index = list_index(key, form.size(target), path);
                       descend(*form.element, changeable(form.at(target, index)), depth + 1, element_path(path, index));
                     },
                     [&](const table_form& form) { descend(*form.entry, form.at(target, key), depth + 1, member_path(path, key)); },
                     [&](const auto&) { fail_no_member(key, path); }},
             type.form);
}

void parameter_override::descend_optional(const optional_form& form, void* target, std::size_t depth, const std::string& path) const {
  const void* const value = form.value(target);
  descend(*form.held, value == nullptr ? form.emplace(target) : changeable(value), depth, path);
}

void parameter_override::descend_record(const record_form& form, void* target, std::size_t depth, const std::string& path) const {
  const std::string& key = keys_[depth];
  const auto found = std::find_if(form.members.begin(), form.members.end(), [&](const auto& member) { return member.name == key; });
  if (found == form.members.end()) throw config_error(path, unknown_name_text("key", key, form.names));
  descend(*found->type, changeable(found->of(target)), depth + 1, member_path(path, key));
}

json_document parameter_override::document(const parameter_type& type, const std::string& path) const {
  if (document_) return document_->standing_at(path);
  if (const auto* const optional = std::get_if<optional_form>(&type.form); optional != nullptr && value_ != "null")
    return document(*optional->held, path);
  const bool may_be_word = std::holds_alternative<text_form>(type.form) || std::holds_alternative<enumeration_form>(type.form);
  if (may_be_word && (value_.empty() || value_.front() != '"')) return json_document::of_word(value_, source_, path);
  return json_document::parse(value_, source_, path);
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
