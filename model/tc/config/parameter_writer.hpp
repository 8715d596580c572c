// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>

#include <boost/json.hpp>

#include <tc/config/json_text.hpp>
#include <tc/config/parameter_kinds.hpp>

namespace tc::config {

/// Parameters as JSON, all of them, in the order of declaration. Reading the result gives equal parameters.
template <class T>
boost::json::value to_json(const T& parameter) {
  if constexpr (is_optional_v<T>) {
    return parameter ? to_json(*parameter) : boost::json::value(nullptr);
  } else if constexpr (is_record_v<T>) {
    boost::json::object members;
    for_each_member<T>([&](auto member) { members.emplace(member.name, to_json(parameter.*member.pointer)); });
    return members;
  } else if constexpr (is_enumeration_v<T>) {
    return boost::json::value(boost::describe::enum_to_string(parameter, "(unnamed)"));
  } else if constexpr (is_list_v<T>) {
    boost::json::array elements;
    for (const auto& element : parameter) elements.push_back(to_json(element));
    return elements;
  } else if constexpr (is_table_v<T>) {
    boost::json::object entries;
    for (const auto& [key, entry] : parameter) entries.emplace(key, to_json(entry));
    return entries;
  } else {
    static_assert(is_scalar_v<T>, "not a kind of parameter: see parameter_kinds.hpp");
    return boost::json::value(parameter);
  }
}

/// The same as indented text.
template <class T>
std::string to_text(const T& parameter) {
  return pretty_text(to_json(parameter));
}

}  // namespace tc::config
