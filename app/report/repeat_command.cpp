// SPDX-License-Identifier: Apache-2.0
#include "repeat_command.hpp"

#include <filesystem>
#include <string_view>

#include <tc/config/json_document.hpp>
#include <tc/config/parameter_writer.hpp>

#include "configuration.hpp"
#include "configuration_difference.hpp"
#include "exit_status.hpp"
#include "workload.hpp"

namespace tcsim {

namespace {

namespace json = boost::json;

std::string quoted_for_shell(std::string_view word) {
  constexpr std::string_view harmless = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=.,:/@%";
  if (!word.empty() && word.find_first_not_of(harmless) == std::string_view::npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) c == '\'' ? quoted += "'\\''" : quoted += c;
  return quoted + '\'';
}

std::string assignment(const parameter_difference& difference) {
  const auto* const text = difference.value.if_string();
  return difference.path + '=' + (text != nullptr ? std::string(text->c_str()) : json::serialize(difference.value));
}

json::value read_configuration(const std::string& base) {
  try {
    return json::parse(json::serialize(tc::config::to_json(load_configuration(base, {}))));  // numbers as those of a text
  } catch (const usage_error&) {
    return nullptr;
  } catch (const tc::config::config_error&) {
    return nullptr;
  }
}

}  // namespace

const json::value& repeat_command::configuration(const std::string& base) {
  const auto known = bases_.find(base);
  return known != bases_.end() ? known->second : bases_.emplace(base, read_configuration(base)).first->second;
}

std::string repeat_command::of(const planned_run& run, const std::string& base) {
  const json::value& from = configuration(base);
  if (from.is_null()) return "";
  const auto parameters = tc::config::json_document::parse(run.parameters, "the results");
  std::string command = "tcsim";
  for (const std::string& word : make_workload(run.kind, parameters, std::filesystem::current_path())->arguments())
    command += ' ' + quoted_for_shell(word);
  command += " --config " + quoted_for_shell(base);
  const auto add = [&](const char* option, const std::string& configuration) {
    for (const auto& difference : configuration_differences(from, json::parse(configuration)))
      command += option + quoted_for_shell(assignment(difference));
  };
  add(" --set ", run.configuration);
  if (run.code_configuration.empty()) return command;
  command += " --fixed-code";
  add(" --code-set ", run.code_configuration);
  return command;
}

}  // namespace tcsim
