// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "file_value.hpp"
#include "sql_expression.hpp"

namespace tcsim {

/// An SQL expression that stands in a sweep file as a string. Throws config_error with the line and column of a mistake in it.
sql_expression read_expression(const file_value& string, std::string_view file_text, const std::vector<std::string>& columns);

}  // namespace tcsim
