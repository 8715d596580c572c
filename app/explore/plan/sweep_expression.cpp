// SPDX-License-Identifier: Apache-2.0
#include "sweep_expression.hpp"

namespace tcsim {

sql_expression read_expression(const file_value& string, std::string_view file_text, const std::vector<std::string>& columns) {
  try {
    return {string.string(), columns};
  } catch (const sql_error& error) {
    throw string.error_within(file_text, error.offset(), error.what());
  }
}

}  // namespace tcsim
