#include "statistics_file.hpp"

#include <string_view>

#include <fmt/format.h>

#include <tc/config/json_document.hpp>

#include "exit_status.hpp"

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

}  // namespace

json::object read_statistics(const std::filesystem::path& file) {
  json::value document = tc::config::json_document::value_of(tc::config::json_document::read(file), file.string());
  if (const std::string mistake = mistake_in(document); !mistake.empty())
    throw usage_error(fmt::format("{}: not the statistics of a run: {}; `tcsim run TRACE --config NAME --stats FILE` writes them",
                                  file.string(), mistake));
  return std::move(document.get_object());
}

}  // namespace tcsim
