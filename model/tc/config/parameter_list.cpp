// SPDX-License-Identifier: Apache-2.0
#include "parameter_list.hpp"

#include <utility>
#include <variant>

#include <tc/config/json_text.hpp>
#include <tc/config/parameter_notes.hpp>
#include <tc/config/parameter_path.hpp>
#include <tc/config/parameter_writer.hpp>

namespace tc::config {

namespace {

/// The values of an enumeration, or of the enumeration that a list, table or optional holds.
std::vector<std::string> choices_of(const parameter_type& type) {
  if (const parameter_type* const held = held_type(type)) return choices_of(*held);
  const auto* const enumeration = std::get_if<enumeration_form>(&type.form);
  return enumeration == nullptr ? std::vector<std::string>() : enumeration->names;
}

class lister {
 public:
  /// Adds the rows of all members below a parameter of any kind.
  void list(const parameter_type& type, const void* parameter, const std::string& path) {
    std::visit(by_form{[&](const optional_form& form) {
                         const void* const value = form.value(parameter);
                         if (value == nullptr)
                           list_default(*form.held, path);
                         else
                           list(*form.held, value, path);
                       },
                       [&](const list_form& form) { list_default(*form.element, path + "[]"); },
                       [&](const table_form& form) { list_default(*form.entry, path + "[key]"); },
                       [&](const record_form& form) { list_members(form, parameter, path); }, [](const auto&) {}},
               type.form);
  }

  std::vector<parameter_row> take() { return std::move(rows_); }

 private:
  void list_default(const parameter_type& type, const std::string& path) { list(type, type.make().get(), path); }

  void list_members(const record_form& form, const void* record, const std::string& path) {
    for (const auto& member : form.members) {
      const void* const value = member.of(record);
      const bool is_record = std::holds_alternative<record_form>(member.type->form);
      const parameter_note note = note_of(form, member.name);
      const std::string member_at = member_path(path, member.name);
      rows_.push_back({member_at, type_name(*member.type), is_record ? "" : compact_text(to_json(*member.type, value)),
                       std::string(note.unit), std::string(note.meaning), std::string(note.source), choices_of(*member.type)});
      list(*member.type, value, member_at);
    }
  }

  std::vector<parameter_row> rows_;
};

}  // namespace

std::string type_name(const parameter_type& type, bool plural) {
  const std::string s = plural ? "s" : "";
  return std::visit(by_form{[&](const boolean_form&) { return "boolean" + s; }, [&](const real_form&) { return "number" + s; },
                            [&](const text_form&) { return "string" + s; }, [&](const signed_form&) { return "integer" + s; },
                            [&](const unsigned_form&) { return "unsigned integer" + s; },
                            [&](const enumeration_form&) { return "choice" + s; }, [&](const record_form&) { return "record" + s; },
                            [&](const optional_form& form) { return type_name(*form.held, plural) + " or null"; },
                            [&](const list_form& form) { return "list" + s + " of " + type_name(*form.element, true); },
                            [&](const table_form& form) { return "table" + s + " of " + type_name(*form.entry, true); }},
                    type.form);
}

std::vector<parameter_row> list_parameters(const parameter_type& type, const void* defaults) {
  lister all;
  all.list(type, defaults, "");
  return all.take();
}

}  // namespace tc::config
