// SPDX-License-Identifier: Apache-2.0
#include "sqlite_connection.hpp"

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

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

namespace json = boost::json;

namespace {

constexpr int wait_milliseconds = 60000;

std::string file_of(sqlite3* connection) {
  const char* const name = connection == nullptr ? nullptr : sqlite3_db_filename(connection, "main");
  return name == nullptr || *name == '\0' ? "results" : name;
}

/// The name as a URI, in which some characters mean something.
std::string uri_of(const std::filesystem::path& file) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(file).string())
    uri += c == '?' || c == '#' || c == '%' ? fmt::format("%{:02x}", static_cast<unsigned>(c)) : std::string(1, c);
  return uri;
}

}  // namespace

sqlite_error::sqlite_error(sqlite3* connection)
    : sqlite_error(fmt::format("{}: {}", file_of(connection), sqlite3_errmsg(connection)), sqlite3_errcode(connection) & 0xff) {}

sqlite_connection::sqlite_connection(const std::filesystem::path& file, access how) {
  std::string uri = uri_of(file);
  // A reader of a file that is written in WAL mode also writes, into the index of the log, if it may.
  int flags = SQLITE_OPEN_URI | SQLITE_OPEN_READWRITE;
  if (how == access::write) flags |= SQLITE_OPEN_CREATE;
  if (how == access::immutable) {
    uri += "?immutable=1";
    flags = SQLITE_OPEN_URI | SQLITE_OPEN_READONLY;
  }
  sqlite3* opened = nullptr;
  const int result = sqlite3_open_v2(uri.c_str(), &opened, flags, nullptr);
  handle_.reset(opened);
  if (result != SQLITE_OK) throw sqlite_error(fmt::format("{}: {}", file.string(), sqlite3_errmsg(opened)), result & 0xff);
  sqlite3_busy_timeout(opened, wait_milliseconds);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
  if (how != access::write) execute("PRAGMA query_only = on");
}

void sqlite_connection::execute(const std::string& statements) {
  if (sqlite3_exec(handle(), statements.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) throw sqlite_error(handle());
}

sqlite_statement::sqlite_statement(sqlite3* connection, std::string_view text) : connection_(connection) {
  sqlite3_stmt* prepared = nullptr;
  const int result = sqlite3_prepare_v2(connection, text.data(), static_cast<int>(text.size()), &prepared, nullptr);
  handle_.reset(prepared);
  require(result);
}

sqlite_statement& sqlite_statement::with_all(const std::vector<json::value>& values) {
  reset();
  int index = 0;
  for (const json::value& value : values) bind(++index, value);
  return *this;
}

void sqlite_statement::require(int result) const {
  if (result != SQLITE_OK) throw sqlite_error(connection_);
}

void sqlite_statement::reset() { sqlite3_reset(handle()); }

bool sqlite_statement::next() {
  const int result = sqlite3_step(handle());
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) {
    const sqlite_error error(connection_);
    reset();
    throw error;
  }
  reset();
  return false;
}

void sqlite_statement::run() {
  while (next()) continue;
}

void sqlite_statement::bind(int index, std::nullptr_t) { require(sqlite3_bind_null(handle(), index)); }
void sqlite_statement::bind(int index, std::int64_t value) { require(sqlite3_bind_int64(handle(), index, value)); }
void sqlite_statement::bind(int index, double value) { require(sqlite3_bind_double(handle(), index, value)); }

void sqlite_statement::bind(int index, std::string_view value) {
  require(sqlite3_bind_text64(handle(), index, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void sqlite_statement::bind(int index, const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      return bind(index, nullptr);
    case json::kind::bool_:
      return bind(index, std::int64_t{value.get_bool()});
    case json::kind::int64:
      return bind(index, value.get_int64());
    case json::kind::double_:
      return bind(index, value.get_double());
    case json::kind::string:
      return bind(index, std::string_view(value.get_string()));
    case json::kind::uint64: {
      constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
      const std::uint64_t number = value.get_uint64();
      return number <= largest ? bind(index, static_cast<std::int64_t>(number)) : bind(index, static_cast<double>(number));
    }
    case json::kind::array:
    case json::kind::object:
      break;
  }
  throw std::logic_error("neither arrays nor objects are values in SQL");
}

int sqlite_statement::columns() const { return sqlite3_column_count(handle()); }
std::string sqlite_statement::column_name(int column) const { return sqlite3_column_name(handle(), column); }
bool sqlite_statement::is_null(int column) const { return sqlite3_column_type(handle(), column) == SQLITE_NULL; }
std::int64_t sqlite_statement::integer(int column) const { return sqlite3_column_int64(handle(), column); }
double sqlite_statement::real(int column) const { return sqlite3_column_double(handle(), column); }

std::string sqlite_statement::text(int column) const {
  const auto* const characters = reinterpret_cast<const char*>(sqlite3_column_text(handle(), column));
  return characters == nullptr ? std::string() : std::string(characters, static_cast<std::size_t>(sqlite3_column_bytes(handle(), column)));
}

json::value sqlite_statement::value(int column) const {
  switch (sqlite3_column_type(handle(), column)) {
    case SQLITE_INTEGER:
      return integer(column);
    case SQLITE_FLOAT:
      return real(column);
    case SQLITE_NULL:
      return nullptr;
    default:
      return json::value(text(column));
  }
}

sqlite_transaction::sqlite_transaction(sqlite_connection& connection) : connection_(connection) { connection.execute("BEGIN IMMEDIATE"); }

sqlite_transaction::~sqlite_transaction() {
  if (is_open_) sqlite3_exec(connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);  // may have happened already
}

void sqlite_transaction::commit() {
  connection_.execute("COMMIT");
  is_open_ = false;
}

}  // namespace tcsim
