// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace tc::machine_code {

/// A file of tables/, which the library holds.
struct code_table {
  std::string_view name, text;
};

/// All of them.
const std::vector<code_table>& code_tables();

}  // namespace tc::machine_code
