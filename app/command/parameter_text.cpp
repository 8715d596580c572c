// SPDX-License-Identifier: Apache-2.0
#include "parameter_text.hpp"

#include <algorithm>
#include <cctype>
#include <fnmatch.h>
#include <string_view>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/config/built_in_files.hpp>
#include <tc/config/json_text.hpp>
#include <tc/config/presets.hpp>
#include <tc/config/spelling.hpp>

#include "exit_status.hpp"
#include "wrapped_text.hpp"

namespace tcsim {

namespace {

std::string in_lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_found(const parameter_row& row, const std::string& word) {
  if (word.find_first_of("*?") != std::string::npos) return fnmatch(word.c_str(), row.path.c_str(), 0) == 0;
  return in_lower_case(row.path + '\n' + row.meaning).find(in_lower_case(word)) != std::string::npos;
}

/// Adds the parts of a text that a separator parts.
void add_parts(std::string_view text, char separator, std::vector<std::string>& parts) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

std::vector<std::string> configuration_names() {
  std::vector<std::string> names = tc::config::preset_names();
  for (const auto& more : {tc::config::product_names(), tc::config::built_in_names(tc::config::built_in_kind::variant)})
    names.insert(names.end(), more.begin(), more.end());
  return names;
}

/// What may be meant by a word that no parameter has: names in the paths of parameters, the words that these are made of, configurations.
std::vector<std::string> known_words(const std::vector<parameter_row>& rows) {
  std::vector<std::string> names, words = configuration_names();
  for (const parameter_row& row : rows) add_parts(row.path, '.', names);
  for (const std::string& name : names) add_parts(name, '_', words);
  words.insert(words.end(), names.begin(), names.end());
  return words;
}

[[noreturn]] void fail_to_find(const std::vector<parameter_row>& all, const std::vector<std::string>& words) {
  const auto is_nowhere = [&all](const std::string& word) {
    return std::none_of(all.begin(), all.end(), [&word](const parameter_row& row) { return is_found(row, word); });
  };
  const auto wrong = std::find_if(words.begin(), words.end(), is_nowhere);
  const std::string nearest = wrong == words.end() ? "" : tc::config::nearest_name(*wrong, known_words(all));
  throw usage_error(fmt::format("config list: no parameter has \"{}\" in its name or meaning{}", fmt::join(words, "\" and \""),
                                nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest)));
}

std::string type_of(const parameter_row& row) { return row.choices.empty() ? row.type : fmt::format("{}", fmt::join(row.choices, " | ")); }

}  // namespace

bool names_configuration(const std::string& word) {
  const std::vector<std::string> names = configuration_names();
  constexpr std::string_view suffix = ".json";
  const bool is_json = word.size() > suffix.size() && std::string_view(word).substr(word.size() - suffix.size()) == suffix;
  return is_json || std::find(names.begin(), names.end(), word) != names.end();
}

std::vector<parameter_row> find_parameters(const tc::config::machine& machine, const std::vector<std::string>& words) {
  std::vector<parameter_row> all = tc::config::list_parameters(machine);
  all.erase(std::remove_if(all.begin(), all.end(), [](const parameter_row& row) { return row.type == "record"; }), all.end());
  std::vector<parameter_row> found;
  for (const parameter_row& row : all)
    if (std::all_of(words.begin(), words.end(), [&row](const std::string& word) { return is_found(row, word); })) found.push_back(row);
  if (found.empty()) fail_to_find(all, words);
  return found;
}

std::string parameters_text(const std::vector<parameter_row>& rows) {
  constexpr std::size_t indent = 4;
  const std::string margin(indent, ' ');
  std::string text;
  for (const parameter_row& row : rows) {
    const std::string unit = row.unit.empty() ? "" : ' ' + row.unit;
    text += wrapped(fmt::format("{} = {}{}", row.path, row.default_value, unit)) + '\n';
    text += margin + wrapped_cell(row.meaning, indent) + '\n';
    text += margin + wrapped_cell(type_of(row) + (row.source.empty() ? "" : fmt::format("  [{}]", row.source)), indent) + '\n';
  }
  return text;
}

std::string parameters_json(const std::vector<parameter_row>& rows) {
  boost::json::array list;
  for (const parameter_row& row : rows) {
    boost::json::object entry{{"path", row.path}, {"type", row.type}};
    if (!row.choices.empty()) entry["choices"] = boost::json::value_from(row.choices);
    entry["value"] = boost::json::parse(row.default_value);
    entry["unit"] = row.unit;
    entry["meaning"] = row.meaning;
    entry["source"] = row.source;
    list.push_back(std::move(entry));
  }
  return tc::config::pretty_text(list);
}

}  // namespace tcsim
