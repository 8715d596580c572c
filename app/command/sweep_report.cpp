// SPDX-License-Identifier: Apache-2.0
#include "sweep_report.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sqlite_connection.hpp"
#include "sweep_notes.hpp"
#include "text_table.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

constexpr std::size_t most_messages = 5;

std::string runs_text(std::size_t runs, std::size_t points) {
  return runs == points ? fmt::format("{}", runs) : fmt::format("{}, as points that amount to the same share one", runs);
}

std::size_t count(const result_store& store, std::string_view condition) {
  sqlite_statement runs(store.handle(), fmt::format("SELECT count(*) FROM runs WHERE {}", condition));
  runs.next();
  return static_cast<std::size_t>(runs.integer(0));
}

/// A line for each reason for which runs failed, with the first point that it happened to.
std::string failures_text(const result_store& store) {
  sqlite_statement reasons(store.handle(),
                           "SELECT message, count(DISTINCT run), min(number) FROM results WHERE exit_status <> 0 GROUP BY message "
                           "ORDER BY min(number)");
  std::string text;
  for (std::size_t lines = 0; reasons.next(); ++lines) {
    if (lines == most_messages) return text + "  and others: see tcsim results --failed\n";
    text += fmt::format("  {}, the first of point {}: {}\n", counted(static_cast<std::uint64_t>(reasons.integer(1)), "run"),
                        reasons.integer(2), reasons.text(0));
  }
  return text;
}

}  // namespace

std::string outcome_text(const result_store& store) {
  text_table table(std::vector(2, text_table::align::left));
  table.add({"points", std::to_string(store.point_count())});
  table.add({"runs", runs_text(store.run_count(), store.point_count())});
  table.add({"done", std::to_string(count(store, "exit_status = 0"))});
  const std::size_t wrong = count(store, "exit_status = 1"), failed = count(store, "exit_status > 1"),
                    missing = count(store, "exit_status IS NULL");
  if (wrong > 0) table.add({"wrong results", std::to_string(wrong)});
  if (failed > 0) table.add({"failed", std::to_string(failed)});
  if (missing > 0) table.add({"missing", std::to_string(missing)});
  std::string text = table.text() + failures_text(store);
  for (const std::string& note : notes_on(store)) text += "note: " + note + '\n';
  return text;
}

exit_status outcome_of(const result_store& store) {
  if (!store.unfinished_runs().empty()) return exit_status::model_stopped;
  return count(store, "exit_status = 1") > 0 ? exit_status::check_failed : exit_status::done;
}

}  // namespace tcsim
