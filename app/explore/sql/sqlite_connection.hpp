// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <sqlite3.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

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

/// What SQLite could not do. what() names the file.
class sqlite_error : public std::runtime_error {
 public:
  /// What the connection failed at last.
  explicit sqlite_error(sqlite3* connection);
  sqlite_error(const std::string& message, int code) : std::runtime_error(message), code_(code) {}

  /// SQLITE_FULL and the like, without what extends it.
  int code() const { return code_; }

 private:
  int code_;
};

/// A connection to an SQLite file. Text in double quotes is always a name, never a string. Waits for other processes that write.
class sqlite_connection {
 public:
  enum class access {
    read,       ///< a file that others may write meanwhile
    immutable,  ///< a file that nobody writes: it may lie in a folder where nobody may write
    write,      ///< also makes a file
  };

  /// Throws sqlite_error.
  sqlite_connection(const std::filesystem::path& file, access how);

  sqlite3* handle() const { return handle_.get(); }
  /// Statements without results, separated by semicolons. Throws sqlite_error.
  void execute(const std::string& statements);

 private:
  database_handle handle_;
};

/// A prepared statement. All members throw sqlite_error.
class sqlite_statement {
 public:
  sqlite_statement(sqlite3* connection, std::string_view text);

  /// Starts it anew, with these values for its parameters, in order.
  template <class... Values>
  sqlite_statement& with(const Values&... values) {
    reset();
    int index = 0;
    (bind(++index, values), ...);
    return *this;
  }
  /// The same with the values of a list.
  sqlite_statement& with_all(const std::vector<boost::json::value>& values);
  /// Goes to the next row; false behind the last one.
  bool next();
  /// Runs a statement that has no rows.
  void run();

  int columns() const;
  std::string column_name(int column) const;
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  /// Of the type that the value has.
  boost::json::value value(int column) const;

  sqlite3_stmt* handle() const { return handle_.get(); }

 private:
  void reset();
  void bind(int index, std::nullptr_t nothing);
  void bind(int index, std::int64_t value);
  void bind(int index, int value) { bind(index, std::int64_t{value}); }
  void bind(int index, std::size_t value) { bind(index, static_cast<std::int64_t>(value)); }
  void bind(int index, double value);
  void bind(int index, std::string_view value);  // which must outlive the run
  void bind(int index, const std::string& value) { bind(index, std::string_view(value)); }
  void bind(int index, const char* value) { bind(index, std::string_view(value)); }
  void bind(int index, const boost::json::value& value);
  void require(int result) const;

  sqlite3* connection_;
  statement_handle handle_;
};

/// All or nothing of what is written until commit(): undone if that is not called.
class sqlite_transaction {
 public:
  explicit sqlite_transaction(sqlite_connection& connection);
  ~sqlite_transaction();
  sqlite_transaction(const sqlite_transaction&) = delete;
  sqlite_transaction& operator=(const sqlite_transaction&) = delete;

  void commit();

 private:
  sqlite_connection& connection_;
  bool is_open_ = true;
};

}  // namespace tcsim
