// SPDX-License-Identifier: Apache-2.0
#include "sqlite_handle.hpp"

#include <stdexcept>

namespace tcsim {

database_handle open_in_memory() {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open(":memory:", &opened);
  database_handle database(opened);
  if (code != SQLITE_OK) throw std::runtime_error(sqlite3_errstr(code));
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
  return database;
}

void execute(sqlite3* database, const std::string& sql) {
  if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(database));
}

std::string quoted_name(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  return text + '"';
}

}  // namespace tcsim
