// SPDX-License-Identifier: Apache-2.0
#include "statistics_file.hpp"

#include <array>
#include <cstddef>
#include <fstream>
#include <ios>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <tc/config/json_document.hpp>

#include "exit_status.hpp"
#include "input_files.hpp"

namespace tcsim {

namespace {

namespace json = boost::json;

/// What is wrong with it as statistics; empty: nothing.
std::string mistake_in(const json::value& document) {
  const auto* const root = document.if_object();
  if (root == nullptr) return "the JSON is no object";
  for (const std::string_view key : {"cycles", "instructions"})
    if (const auto* const number = root->if_contains(key); number == nullptr || !number->is_number())
      return fmt::format("there is no number `{}`", key);
  for (const std::string_view key : {"config", "trace", "stalls", "issue_slots", "units"})
    if (const auto* const part = root->if_contains(key); part == nullptr || !part->is_object())
      return fmt::format("there is no object `{}`", key);
  return "";
}

/// Other files of ours are known by how they begin (SQLite, Database File Format, section 1.2).
void check_kind(const std::filesystem::path& file) {
  std::array<char, 16> bytes{};
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), bytes.size());
  const std::string_view begin(bytes.data(), static_cast<std::size_t>(in.gcount()));
  if (begin.substr(0, 15) == "SQLite format 3")
    throw usage_error(
        fmt::format("{}: these are the results of a sweep, not the statistics of a run: `tcsim results` and `tcsim report` show "
                    "them, points beside each other",
                    file.string()));
  if (begin.substr(0, 1) == "<")
    throw usage_error(
        fmt::format("{}: this is a page, not the statistics of a run: name the file of --stats that it was made of", file.string()));
}

/// Errors name the file and the place, and no parameter: nothing here is a configuration.
json::value read_json(const std::filesystem::path& file) {
  note_input(file);
  try {
    return tc::config::json_document::value_of(tc::config::json_document::read(file), file.string());
  } catch (const tc::config::config_error& error) {
    const auto [line, column] = error.position();
    const std::string place = line == 0 ? file.string() : fmt::format("{}:{}:{}", file.string(), line, column);
    throw usage_error(fmt::format("{}: {}{}", place, error.message(), line == 0 ? "" : "; the statistics of a run are JSON"));
  }
}

}  // namespace

json::object read_statistics(const std::filesystem::path& file) {
  check_kind(file);
  json::value document = read_json(file);
  if (const std::string mistake = mistake_in(document); !mistake.empty())
    throw usage_error(fmt::format("{}: not the statistics of a run: {}; `tcsim run TRACE --config NAME --stats FILE` writes them",
                                  file.string(), mistake));
  return std::move(document.get_object());
}

}  // namespace tcsim
