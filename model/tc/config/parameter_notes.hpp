// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tc/config/parameter_kinds.hpp>

namespace tc::config {

/// What a reader of the configuration wants to know about one member of a record.
struct parameter_note {
  std::string_view name;     ///< the member
  std::string_view unit;     ///< "cycles", "bits", ...; empty unless the parameter is a number
  std::string_view meaning;  ///< what it sets
  std::string_view source;   ///< where the default comes from: paper, vendor document, measurement, or "design" for a choice of this model
};

/// The notes of a record: whatever `describe_parameters(const record*)`, a constexpr function in the namespace of the record, returns:
///
///     inline constexpr auto describe_parameters(const buffer*) {
///       return std::array{tc::config::parameter_note{"depth_tiles", "tiles", "capacity in operand tiles", "Raihan et al., ISPASS 2019"}};
///     }
template <class Record>
constexpr auto notes_of() {
  return describe_parameters(static_cast<const Record*>(nullptr));
}

/// The note of a member; null if it has none.
template <class Record>
parameter_note note_of(std::string_view member) {
  const auto notes = notes_of<Record>();
  const auto found = std::find_if(notes.begin(), notes.end(), [&](const parameter_note& note) { return note.name == member; });
  return found == notes.end() ? parameter_note{} : *found;
}

template <class T>
void check_notes(const std::string& name, std::vector<std::string>& problems);

/// What is wrong with the notes of a record and of all records in it, one line each; empty if all is well. Every member has exactly one
/// note with a meaning; a number has a unit as well, and every member that is not a record itself has a source.
template <class Record>
std::vector<std::string> check_notes() {
  std::vector<std::string> problems;
  check_notes<Record>("", problems);
  return problems;
}

/// True for a number, and for a list, table or optional of numbers.
template <class T>
constexpr bool is_numeric() {
  if constexpr (is_optional_v<T> || is_list_v<T>) {
    return is_numeric<typename T::value_type>();
  } else if constexpr (is_table_v<T>) {
    return is_numeric<typename T::mapped_type>();
  } else {
    return is_integer_v<T> || std::is_same_v<T, double>;
  }
}

template <class Record>
void check_record_notes(const std::string& name, std::vector<std::string>& problems) {
  const auto names = member_names<Record>();
  for (const auto& note : notes_of<Record>()) {
    if (std::find(names.begin(), names.end(), note.name) == names.end())
      problems.push_back(name + ": a note for \"" + std::string(note.name) + "\", which is no member");
  }
  for_each_member<Record>([&](auto member) {
    using type = std::remove_reference_t<decltype(std::declval<Record&>().*member.pointer)>;
    const std::string member_name = (name.empty() ? "" : name + ".") + member.name;
    const auto notes = notes_of<Record>();
    const auto count = std::count_if(notes.begin(), notes.end(), [&](const parameter_note& note) { return note.name == member.name; });
    if (count != 1) problems.push_back(member_name + ": has " + std::to_string(count) + " notes");
    const auto note = note_of<Record>(member.name);
    if (count == 1 && note.meaning.empty()) problems.push_back(member_name + ": the note has no meaning");
    if (count == 1 && note.unit.empty() && is_numeric<type>()) problems.push_back(member_name + ": the note has no unit");
    if (count == 1 && note.source.empty() && !is_record_v<type>) problems.push_back(member_name + ": the note has no source");
    check_notes<type>(member_name, problems);
  });
}

/// The same for a parameter of any kind, called `name` in the lines.
template <class T>
void check_notes(const std::string& name, std::vector<std::string>& problems) {
  if constexpr (is_optional_v<T> || is_list_v<T>) {
    check_notes<typename T::value_type>(name + (is_list_v<T> ? "[]" : ""), problems);
  } else if constexpr (is_table_v<T>) {
    check_notes<typename T::mapped_type>(name + "[]", problems);
  } else if constexpr (is_record_v<T>) {
    check_record_notes<T>(name, problems);
  }
}

}  // namespace tc::config
