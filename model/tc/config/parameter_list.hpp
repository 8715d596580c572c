// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tc/config/parameter_notes.hpp>
#include <tc/config/parameter_path.hpp>
#include <tc/config/parameter_writer.hpp>

namespace tc::config {

/// One line of a parameter listing.
struct parameter_row {
  std::string path;                  ///< elements of a list are `path[]`, entries of a table `path[key]`
  std::string type;                  ///< "integer", "list of records", ...
  std::string default_value;         ///< JSON in one line; empty for a record, whose members have rows of their own
  std::string unit;                  ///< see parameter_note
  std::string meaning;               ///< see parameter_note
  std::string source;                ///< see parameter_note
  std::vector<std::string> choices;  ///< values of an enumeration; empty for any other type
};

/// Name of a parameter's type; `plural` for the elements of a list.
template <class T>
std::string type_name(bool plural = false) {
  const char* const s = plural ? "s" : "";
  if constexpr (is_optional_v<T>) {
    return type_name<typename T::value_type>(plural) + " or null";
  } else if constexpr (is_list_v<T>) {
    return std::string("list") + s + " of " + type_name<typename T::value_type>(true);
  } else if constexpr (is_table_v<T>) {
    return std::string("table") + s + " of " + type_name<typename T::mapped_type>(true);
  } else if constexpr (is_record_v<T>) {
    return std::string("record") + s;
  } else if constexpr (is_enumeration_v<T>) {
    return std::string("choice") + s;
  } else if constexpr (std::is_same_v<T, bool>) {
    return std::string("boolean") + s;
  } else if constexpr (std::is_same_v<T, double>) {
    return std::string("number") + s;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return std::string("string") + s;
  } else {
    return std::string(std::is_signed_v<T> ? "integer" : "unsigned integer") + s;
  }
}

/// The values of an enumeration, or of the enumeration that a list, table or optional holds.
template <class T>
std::vector<std::string> choices_of() {
  if constexpr (is_optional_v<T> || is_list_v<T>) {
    return choices_of<typename T::value_type>();
  } else if constexpr (is_table_v<T>) {
    return choices_of<typename T::mapped_type>();
  } else if constexpr (is_enumeration_v<T>) {
    return enumerator_names<T>();
  } else {
    return {};
  }
}

template <class T>
void list_members(const T& parameter, const std::string& path, std::vector<parameter_row>& rows);

/// All parameters of a record and of the records in it, in the order of declaration; the defaults are the values in `defaults`.
template <class Record>
std::vector<parameter_row> list_parameters(const Record& defaults = {}) {
  std::vector<parameter_row> rows;
  list_members(defaults, "", rows);
  return rows;
}

/// Appends the rows of all members below a parameter of any kind.
template <class T>
void list_members(const T& parameter, const std::string& path, std::vector<parameter_row>& rows) {
  if constexpr (is_optional_v<T>) {
    list_members(parameter.value_or(typename T::value_type{}), path, rows);
  } else if constexpr (is_list_v<T>) {
    list_members(typename T::value_type{}, path + "[]", rows);
  } else if constexpr (is_table_v<T>) {
    list_members(typename T::mapped_type{}, path + "[key]", rows);
  } else if constexpr (is_record_v<T>) {
    for_each_member<T>([&](auto member) {
      const auto& value = parameter.*member.pointer;
      using type = std::remove_cv_t<std::remove_reference_t<decltype(value)>>;
      const auto note = note_of<T>(member.name);
      std::string member_at = member_path(path, member.name);
      rows.push_back({member_at, type_name<type>(), is_record_v<type> ? "" : compact_text(to_json(value)), std::string(note.unit),
                      std::string(note.meaning), std::string(note.source), choices_of<type>()});
      list_members(value, member_at, rows);
    });
  }
}

}  // namespace tc::config
