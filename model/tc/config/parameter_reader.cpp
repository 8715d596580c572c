// SPDX-License-Identifier: Apache-2.0
#include "parameter_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <variant>

#include <fmt/format.h>

#include <tc/config/json_text.hpp>
#include <tc/config/parameter_path.hpp>
#include <tc/config/spelling.hpp>

namespace tc::config {

namespace {

/// How a message shows the value that was found.
std::string shown(const boost::json::value& v) {
  if (v.is_object()) return "an object";
  if (v.is_array()) return "an array";
  return compact_text(v);
}

}  // namespace

void parameter_reader::read(const parameter_type& type, void* target) const { read(document_.root(), type, target, document_.path()); }

void parameter_reader::read(const value& v, const parameter_type& type, void* target, const std::string& path) const {
  std::visit(by_form{[&](const boolean_form&) { *static_cast<bool*>(target) = boolean(v, path); },
                     [&](const real_form&) { *static_cast<double*>(target) = real(v, path); },
                     [&](const text_form&) { *static_cast<std::string*>(target) = string(v, "a string", path); },
                     [&](const signed_form& form) { form.set(target, signed_integer(v, form.least, form.most, path)); },
                     [&](const unsigned_form& form) { form.set(target, unsigned_integer(v, form.most, path)); },
                     [&](const enumeration_form& form) { form.set(target, one_of(form.names, v, path)); },
                     [&](const optional_form& form) { read_optional(v, form, target, path); },
                     [&](const list_form& form) { read_list(v, form, target, path); },
                     [&](const table_form& form) { read_table(v, form, target, path); },
                     [&](const record_form& form) { read_record(v, form, target, path); }},
             type.form);
}

void parameter_reader::read_optional(const value& v, const optional_form& form, void* target, const std::string& path) const {
  if (v.is_null()) return form.reset(target);
  const void* const held = form.value(target);
  read(v, *form.held, held == nullptr ? form.emplace(target) : changeable(held), path);
}

void parameter_reader::read_list(const value& v, const list_form& form, void* target, const std::string& path) const {
  const auto& elements = array(v, path);
  if (form.renew != nullptr)
    form.renew(target, elements.size());
  else if (const std::size_t size = form.size(target); elements.size() != size)
    fail(path, fmt::format("expected {} elements, got {}", size, elements.size()));
  for (std::size_t i = 0; i < elements.size(); ++i) read(elements[i], *form.element, changeable(form.at(target, i)), element_path(path, i));
}

void parameter_reader::read_table(const value& v, const table_form& form, void* target, const std::string& path) const {
  for (const auto& entry : object(v, path))
    read(entry.value(), *form.entry, form.at(target, std::string(entry.key())), member_path(path, entry.key()));
}

void parameter_reader::read_record(const value& v, const record_form& form, void* target, const std::string& path) const {
  const auto& members = object(v, path);
  for (const auto& entry : members) require_known("key", entry.key(), form.names, path, member_path(path, entry.key()));
  for (const auto& member : form.members)
    if (const auto* found = members.if_contains(member.name))
      read(*found, *member.type, changeable(member.of(target)), member_path(path, member.name));
}

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

std::string parameter_reader::one_of(const std::vector<std::string>& names, const value& v, const std::string& path) const {
  std::string word = string(v, "one of " + joined(names), path);
  require_known("value", word, names, path, path);
  return word;
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
