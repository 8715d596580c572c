// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "file_value.hpp"
#include "sql_expression.hpp"

namespace tcsim {

/// Columns of the results of every sweep, whose names neither axes nor metrics can have.
const std::vector<std::string>& common_columns();

/// Throws config_error at `place` unless `name` can be that of a column that expressions name as it is: it is an identifier, no word of
/// SQL, and not one of common_columns().
void check_column_name(const std::string& name, const file_value& place);

/// Whether two names are the same to SQL, to which small and capital letters are.
bool is_same_column(const std::string& a, const std::string& b);

/// An SQL expression that stands in a sweep file as a string. Throws config_error with the line and column of a mistake in it.
sql_expression read_expression(const file_value& string, std::string_view file_text, const std::vector<std::string>& columns);

}  // namespace tcsim
