// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// The note of a member; without meaning if it has none.
parameter_note note_of(const record_form& record, std::string_view member);

/// What is wrong with the notes of a record and of all records in it, one line each; empty if all is well. Every member has exactly one
/// note with a meaning; a number has a unit as well, and every member that is not a record itself has a source.
std::vector<std::string> check_notes(const parameter_type& type);
template <class Record>
std::vector<std::string> check_notes() {
  return check_notes(type_of<Record>());
}

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
std::string type_name(const parameter_type& type, bool plural = false);
template <class T>
std::string type_name() {
  return type_name(type_of<T>());
}

/// All parameters of a record and of the records in it, in the order of declaration; the defaults are the values in `defaults`.
std::vector<parameter_row> list_parameters(const parameter_type& type, const void* defaults);
template <class Record>
std::vector<parameter_row> list_parameters(const Record& defaults = {}) {
  return list_parameters(type_of<Record>(), &defaults);
}

}  // namespace tc::config
