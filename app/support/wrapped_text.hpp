// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tcsim {

/// Columns of a terminal that texts for people fit.
constexpr std::size_t text_columns = 80;

/// A text whose lines have no more than `columns` characters, as far as blanks allow. What continues a line stands below its text: below
/// the second column of a row of a table, below the first word of a paragraph that is set in. A line that begins with `tcsim`, or with
/// `Example:` and `tcsim`, is a command, and is broken as a shell allows: behind a backslash, and not within quotes.
std::string wrapped(std::string_view text, std::size_t columns = text_columns);

/// A cell of a table that begins in column `indent`: what continues its lines stands below its first word.
std::string wrapped_cell(std::string_view text, std::size_t indent, std::size_t columns = text_columns);

}  // namespace tcsim
