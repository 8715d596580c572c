// SPDX-License-Identifier: Apache-2.0
#include "parameter_writer.hpp"

#include <cstddef>
#include <variant>

#include <tc/config/json_text.hpp>

namespace tc::config {

namespace {

using boost::json::value;

value list_to_json(const list_form& form, const void* list) {
  boost::json::array elements;
  for (std::size_t i = 0; i < form.size(list); ++i) elements.push_back(to_json(*form.element, form.at(list, i)));
  return elements;
}

value table_to_json(const table_form& form, const void* table) {
  boost::json::object entries;
  form.for_each(table, [&](const std::string& key, const void* entry) { entries.emplace(key, to_json(*form.entry, entry)); });
  return entries;
}

value record_to_json(const record_form& form, const void* record) {
  boost::json::object members;
  for (const auto& member : form.members) members.emplace(member.name, to_json(*member.type, member.of(record)));
  return members;
}

}  // namespace

value to_json(const parameter_type& type, const void* parameter) {
  return std::visit(by_form{[&](const boolean_form&) { return value(*static_cast<const bool*>(parameter)); },
                            [&](const real_form&) { return value(*static_cast<const double*>(parameter)); },
                            [&](const text_form&) { return value(*static_cast<const std::string*>(parameter)); },
                            [&](const signed_form& form) { return value(form.get(parameter)); },
                            [&](const unsigned_form& form) { return value(form.get(parameter)); },
                            [&](const enumeration_form& form) { return value(form.get(parameter)); },
                            [&](const optional_form& form) {
                              const void* const held = form.value(parameter);
                              return held == nullptr ? value(nullptr) : to_json(*form.held, held);
                            },
                            [&](const list_form& form) { return list_to_json(form, parameter); },
                            [&](const table_form& form) { return table_to_json(form, parameter); },
                            [&](const record_form& form) { return record_to_json(form, parameter); }},
                    type.form);
}

std::string to_text(const parameter_type& type, const void* parameter) { return pretty_text(to_json(type, parameter)); }

}  // namespace tc::config
