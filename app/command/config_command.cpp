// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tc/config/parameter_writer.hpp>
#include <tc/config/presets.hpp>

#include "commands.hpp"
#include "configuration.hpp"
#include "exit_status.hpp"
#include "options.hpp"
#include "parameter_text.hpp"

namespace tcsim {

namespace {

using tc::config::machine;

struct config_options {
  std::string file;
  std::vector<std::string> files;
  std::vector<std::string> words;
  bool json = false;
  std::vector<std::string> assignments;
};

void show(const config_options& options) {
  std::cout << tc::config::to_text(load_configuration(options.file, options.assignments)) << '\n';
}

/// Whether its latencies are those that control codes were compiled for.
std::string timing_of(const machine& checked) {
  if (!tc::config::has_preset_timing(checked)) return "timing of its own";
  const std::vector<std::string> own = tc::config::architectures_of_timing(checked);
  std::vector<std::string> others;
  std::copy_if(checked.architectures.begin(), checked.architectures.end(), std::back_inserter(others),
               [&](const std::string& each) { return std::find(own.begin(), own.end(), each) == own.end(); });
  return others.empty() ? "timing as built in"
                        : fmt::format("timing as built in; code for {} waits for results by an interlock", fmt::join(others, ", "));
}

void check(const config_options& options) {
  for (const auto& file : options.files) {
    const machine checked = load_configuration(file, options.assignments);
    std::cout << fmt::format("{}: ok; machine {}, {}\n", file, checked.name, timing_of(checked));
  }
}

/// A word may name a configuration, as it can in the other subcommands; all others are searched for.
void list(const config_options& options) {
  std::vector<std::string> words = options.words;
  std::string file = options.file;
  const auto configuration = std::find_if(words.begin(), words.end(), names_configuration);
  if (file.empty() && configuration != words.end()) {
    file = *configuration;
    words.erase(configuration);
  }
  if (file.empty() && !options.assignments.empty()) throw usage_error("config list: --set changes which machine? Give --config too");
  const machine values = file.empty() ? machine{} : load_configuration(file, options.assignments);
  const std::vector<parameter_row> found = find_parameters(values, words);
  std::cout << (options.json ? parameters_json(found) : parameters_text(found));
}

}  // namespace

void add_config_command(const cli_command& app, exit_status& status) {
  const auto config = app.add_subcommand("config", "Show, check and explain the parameters of a machine");
  config.ask_for_subcommand();
  config.footer("Example: tcsim config show hopper");
  const auto options = std::make_shared<config_options>();
  const std::string what = "A configuration: a JSON file, or the name of a built-in one";

  const auto show_command = config.add_subcommand("show", "Print the effective values; the output is a configuration itself");
  show_command.add_option("FILE", options->file, what).required().type_name("");
  add_set_option(show_command, options->assignments);
  show_command.footer(built_in_configurations() +
                      "\n\nExample: tcsim config show turing --set sm.sub_core.tensor_core.dot_product_units=8 > mine.json");

  const auto check_command = config.add_subcommand("check", "Say whether configurations are correct (exit status 0 or 2)");
  check_command.add_option("FILE", options->files, what).required().type_name("");
  add_set_option(check_command, options->assignments);
  check_command.footer(built_in_configurations() + "\n\nExample: tcsim config check mine.json");

  const auto list_command =
      config.add_subcommand("list", "Explain every parameter, or those that are looked for: value, unit, meaning, type, source");
  list_command
      .add_option(
          "WORD", options->words,
          "Only parameters whose name or meaning has all of these words, as latency, or whose name is as sm.*.banks says. One of them "
          "may name a configuration instead, as --config does")
      .type_name("");
  list_command.add_option("--config", options->file, what + "; its values take the place of the defaults").type_name("FILE|NAME");
  list_command.add_flag("--json", options->json, "As JSON: an array of objects");
  add_set_option(list_command, options->assignments);
  list_command.footer(built_in_configurations() +
                      "\n\nExample: tcsim config list hopper tensor_core\nExample: tcsim config list 'sm.*.banks' --json");

  const auto run_as = [options, &status](void (*action)(const config_options&)) {
    return [options, &status, action] {
      action(*options);
      status = exit_status::done;
    };
  };
  show_command.callback(run_as(show));
  check_command.callback(run_as(check));
  list_command.callback(run_as(list));
}

}  // namespace tcsim
