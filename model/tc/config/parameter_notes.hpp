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

}  // namespace tc::config
