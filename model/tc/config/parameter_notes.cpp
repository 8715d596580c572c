// SPDX-License-Identifier: Apache-2.0
#include "parameter_notes.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

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

}  // namespace tc::config
