// SPDX-License-Identifier: Apache-2.0
#include "parameter_list.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <tc/config/json_text.hpp>
#include <tc/config/parameter_path.hpp>
#include <tc/config/parameter_writer.hpp>

namespace tc::config {

namespace {

/// True for a number, and for a list, table or optional of numbers.
bool is_numeric(const parameter_type& type) {
  if (const parameter_type* const held = held_type(type)) return is_numeric(*held);
  return std::visit(by_form{[](const signed_form&) { return true; }, [](const unsigned_form&) { return true; },
                            [](const real_form&) { return true; }, [](const auto&) { return false; }},
                    type.form);
}

class note_checker {
 public:
  void check(const parameter_type& type, const std::string& name) {
    std::visit(by_form{[&](const optional_form& form) { check(*form.held, name); },
                       [&](const list_form& form) { check(*form.element, name + "[]"); },
                       [&](const table_form& form) { check(*form.entry, name + "[]"); },
                       [&](const record_form& form) { check_record(form, name); }, [](const auto&) {}},
               type.form);
  }

  std::vector<std::string> take() { return std::move(problems_); }

 private:
  void check_record(const record_form& record, const std::string& name) {
    for (const parameter_note& note : record.notes)
      if (std::find(record.names.begin(), record.names.end(), note.name) == record.names.end())
        problems_.push_back(fmt::format("{}: a note for \"{}\", which is no member", name, note.name));
    for (const auto& member : record.members) {
      const std::string member_name = (name.empty() ? "" : name + ".") + member.name;
      check_note_of(record, member, member_name);
      check(*member.type, member_name);
    }
  }

  void check_note_of(const record_form& record, const record_form::member& member, const std::string& name) {
    const auto count =
        std::count_if(record.notes.begin(), record.notes.end(), [&](const parameter_note& note) { return note.name == member.name; });
    if (count != 1) return problems_.push_back(fmt::format("{}: has {} notes", name, count));
    const parameter_note note = note_of(record, member.name);
    const bool is_record = std::holds_alternative<record_form>(member.type->form);
    if (note.meaning.empty()) problems_.push_back(name + ": the note has no meaning");
    if (note.unit.empty() && is_numeric(*member.type)) problems_.push_back(name + ": the note has no unit");
    if (note.source.empty() && !is_record) problems_.push_back(name + ": the note has no source");
  }

  std::vector<std::string> problems_;
};

}  // namespace

parameter_note note_of(const record_form& record, std::string_view member) {
  const auto found =
      std::find_if(record.notes.begin(), record.notes.end(), [&](const parameter_note& note) { return note.name == member; });
  return found == record.notes.end() ? parameter_note{} : *found;
}

std::vector<std::string> check_notes(const parameter_type& type) {
  note_checker checker;
  checker.check(type, "");
  return checker.take();
}

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
