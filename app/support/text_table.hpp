// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tcsim {

/// Rows of text in columns as wide as their longest cell, two blanks apart. Lines do not end in blanks.
class text_table {
 public:
  enum class align { left, right };

  /// One entry for each column.
  explicit text_table(std::vector<align> columns) : columns_(std::move(columns)) {}

  /// A row with a cell for each column. Cells are measured in bytes: ASCII lines up.
  void add(std::vector<std::string> cells);

  /// All rows, each with `indent` blanks in front and a line feed behind.
  std::string text(std::size_t indent = 0) const;

 private:
  std::vector<align> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tcsim
