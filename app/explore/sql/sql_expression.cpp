// SPDX-License-Identifier: Apache-2.0
#include "sql_expression.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <tc/config/spelling.hpp>

#include "sqlite_connection.hpp"

namespace tcsim {

namespace {

bool starts_with(std::string_view text, std::string_view begin) { return text.substr(0, begin.size()) == begin; }

/// Where a word is in a text, letters being small or capital; 0 if it is nowhere.
std::size_t find_word(std::string_view text, std::string_view word) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  const auto* const found =
      std::search(text.begin(), text.end(), word.begin(), word.end(), [&](char a, char b) { return small(a) == small(b); });
  return found == text.end() ? 0 : static_cast<std::size_t>(found - text.begin());
}

/// Lets SQLite prepare an expression on an empty table, and watches what it uses.
class expression_check {
 public:
  expression_check(std::string_view text, const std::vector<std::string>& columns)
      : text_(text), columns_(columns), database_(open_in_memory()) {
    std::vector<std::string> quoted;
    std::transform(columns.begin(), columns.end(), std::back_inserter(quoted), quoted_name);
    execute(database_.get(), fmt::format("CREATE TABLE results ({})", fmt::join(quoted, ", ")));
    sqlite3_set_authorizer(database_.get(), authorize, this);
  }

  /// `before` and `behind` go around the expression. Throws sql_error.
  void prepare(const std::string& before, const std::string& behind) {
    const std::string start = "SELECT 1 FROM results WHERE " + before;
    const std::string sql = start + std::string(text_) + behind;
    selects_ = 0;
    sqlite3_stmt* prepared = nullptr;
    const int code = sqlite3_prepare_v2(database_.get(), sql.c_str(), static_cast<int>(sql.size()), &prepared, nullptr);
    const statement_handle statement(prepared);
    if (code != SQLITE_OK) fail(code, sqlite3_error_offset(database_.get()) - static_cast<int>(start.size()));
    if (sqlite3_bind_parameter_count(prepared) != 0) throw sql_error("there are no parameters (?, :name, @name, $name) here", 0);
  }

  const std::set<std::string>& used() const { return used_; }

 private:
  static int authorize(void* self, int action, const char* first, const char* second, const char* /*schema*/, const char* /*trigger*/) {
    return static_cast<expression_check*>(self)->is_allowed(action, first, second) ? SQLITE_OK : SQLITE_DENY;
  }

  bool is_allowed(int action, const char* first, const char* second) {
    const std::string name = second == nullptr ? "" : second;
    if (action == SQLITE_SELECT) return ++selects_ == 1;
    if (action == SQLITE_READ) return std::string_view(first) == "results" && is_column(name);
    if (action == SQLITE_FUNCTION) return is_function(name);
    return false;
  }

  bool is_column(const std::string& name) {
    if (std::find(columns_.begin(), columns_.end(), name) == columns_.end()) return deny("column", name, columns_);
    used_.insert(name);
    return true;
  }

  bool is_function(const std::string& name) {
    const auto& known = sql_expression::known_functions();
    return std::find(known.begin(), known.end(), name) != known.end() || deny("function", name, known);
  }

  bool deny(const char* what, const std::string& name, const std::vector<std::string>& known) {
    denied_ = tc::config::unknown_name_text(what, name, known);
    denied_at_ = find_word(text_, name);
    return false;
  }

  [[noreturn]] void fail(int code, int offset) const {
    const std::string message = sqlite3_errmsg(database_.get());
    const std::size_t at = std::min(static_cast<std::size_t>(std::max(offset, 0)), text_.size());
    if (!denied_.empty()) throw sql_error(denied_, denied_at_);
    if (code == SQLITE_AUTH) throw sql_error("an expression has no SELECT in it", find_word(text_, "select"));
    for (const auto& [begin, what, known] : {std::tuple("no such column: ", "column", &columns_),
                                             std::tuple("no such function: ", "function", &sql_expression::known_functions())})
      if (starts_with(message, begin))
        throw sql_error(tc::config::unknown_name_text(what, message.substr(std::string_view(begin).size()), *known), at);
    if (message == "incomplete input") throw sql_error("the expression is not complete", text_.size());
    throw sql_error(message, at);
  }

  std::string_view text_;
  const std::vector<std::string>& columns_;
  database_handle database_;
  int selects_ = 0;
  std::set<std::string> used_;
  std::string denied_;  ///< why, if the reason is not a SELECT
  std::size_t denied_at_ = 0;
};

}  // namespace

sql_expression::sql_expression(std::string text, const std::vector<std::string>& columns) : text_(std::move(text)) {
  expression_check check(text_, columns);
  check.prepare("", "");      // fails for a closing bracket without an opening one
  check.prepare("(", "\n)");  // fails for what may follow an expression: ORDER BY, LIMIT, a semicolon
  std::copy_if(columns.begin(), columns.end(), std::back_inserter(columns_),
               [&](const auto& name) { return check.used().count(name) != 0; });
}

const std::vector<std::string>& sql_expression::known_functions() {
  static const std::vector<std::string> names = {"abs",  "ceil",  "coalesce", "exp",    "floor",  "format", "glob",    "ifnull",
                                                 "iif",  "instr", "length",   "like",   "ln",     "log10",  "log2",    "lower",
                                                 "max",  "min",   "mod",      "nullif", "pow",    "printf", "replace", "round",
                                                 "sign", "sqrt",  "substr",   "trim",   "typeof", "upper"};
  return names;
}

}  // namespace tcsim
