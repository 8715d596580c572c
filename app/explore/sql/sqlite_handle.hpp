// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <sqlite3.h>
#include <string>
#include <string_view>

namespace tcsim {

struct close_database {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct finalize_statement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

/// A connection to SQLite, and a prepared statement of one; statements must go first.
using database_handle = std::unique_ptr<sqlite3, close_database>;
using statement_handle = std::unique_ptr<sqlite3_stmt, finalize_statement>;

/// An empty database in memory, in which a name in double quotes is a name and never a string. Throws std::runtime_error.
database_handle open_in_memory();

/// Runs statements that have no result. Throws std::runtime_error with SQLite's message.
void execute(sqlite3* database, const std::string& sql);

/// A name as SQL quotes it: `"the ""name"""`.
std::string quoted_name(std::string_view name);

}  // namespace tcsim
