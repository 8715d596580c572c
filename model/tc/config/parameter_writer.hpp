// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <boost/json.hpp>

#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// Parameters as JSON, all of them, in the order of declaration. Reading the result gives equal parameters.
boost::json::value to_json(const parameter_type& type, const void* parameter);
template <class T>
boost::json::value to_json(const T& parameter) {
  return to_json(type_of<T>(), &parameter);
}

/// The same as indented text.
std::string to_text(const parameter_type& type, const void* parameter);
template <class T>
std::string to_text(const T& parameter) {
  return to_text(type_of<T>(), &parameter);
}

}  // namespace tc::config
