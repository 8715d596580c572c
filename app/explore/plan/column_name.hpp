// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "file_value.hpp"

namespace tcsim {

/// Columns of the results of every sweep, whose names neither axes nor metrics can have.
const std::vector<std::string>& common_columns();

/// Throws config_error at `place` unless `name` can be that of a column that expressions name as it is: it is an identifier, no word of
/// SQL, and not one of common_columns().
void check_column_name(const std::string& name, const file_value& place);

/// Whether two names are the same to SQL, to which small and capital letters are.
bool is_same_column(const std::string& a, const std::string& b);

}  // namespace tcsim
