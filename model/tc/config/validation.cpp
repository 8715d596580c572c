// SPDX-License-Identifier: Apache-2.0
#include "validation.hpp"

#include <cstddef>
#include <variant>

namespace tc::config {

namespace {

void validate_record(const record_form& form, const void* record, const std::string& path) {
  for (const auto& member : form.members) validate_tree(*member.type, member.of(record), member_path(path, member.name));
  if (form.validate != nullptr) form.validate(record, path);
}

}  // namespace

void validate_tree(const parameter_type& type, const void* parameter, const std::string& path) {
  std::visit(by_form{[&](const optional_form& form) {
                       if (const void* const value = form.value(parameter)) validate_tree(*form.held, value, path);
                     },
                     [&](const list_form& form) {
                       for (std::size_t i = 0; i < form.size(parameter); ++i)
                         validate_tree(*form.element, form.at(parameter, i), element_path(path, i));
                     },
                     [&](const table_form& form) {
                       form.for_each(parameter, [&](const std::string& key, const void* entry) {
                         validate_tree(*form.entry, entry, member_path(path, key));
                       });
                     },
                     [&](const record_form& form) { validate_record(form, parameter, path); }, [](const auto&) {}},
             type.form);
}

}  // namespace tc::config
