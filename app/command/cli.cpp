// SPDX-License-Identifier: Apache-2.0
#include "cli.hpp"

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include <CLI/CLI.hpp>

#include <tc/config/number_format_name.hpp>
#include <tc/config/spelling.hpp>

#include "exit_status.hpp"
#include "help_formatter.hpp"
#include "usage_text.hpp"

namespace tcsim {

cli_option cli_option::required() const { return cli_option(*option_->required()); }
cli_option cli_option::type_name(const std::string& name) const {
  if (name == "FILE") option_->check(is_not_empty());
  return cli_option(*option_->type_name(name));
}
cli_option cli_option::delimiter(char between) const { return cli_option(*option_->delimiter(between)); }
cli_option cli_option::repeatable() const { return cli_option(*option_->take_all()->expected(1)); }
cli_option cli_option::capture_default_str() const { return cli_option(*option_->capture_default_str()); }
cli_option cli_option::needs(cli_option other) const { return cli_option(*option_->needs(other.option_)); }
cli_option cli_option::excludes(cli_option other) const { return cli_option(*option_->excludes(other.option_)); }
cli_option cli_option::one_of(const std::vector<std::string>& values) const { return cli_option(*option_->check(is_one_of(values))); }
cli_option cli_option::format_of(const std::vector<std::string>& values) const {
  const CLI::Validator known_name([](std::string& name) { return name = tc::config::number_format_name(name), std::string(); }, "");
  return cli_option(*option_->transform(known_name)->check(is_one_of(values)));
}
cli_option cli_option::between(int least, int most) const { return cli_option(*option_->check(is_between(least, most))); }
cli_option cli_option::between(unsigned least, unsigned most) const { return cli_option(*option_->check(is_between(least, most))); }
cli_option cli_option::positive() const { return cli_option(*option_->check(is_between(1, std::numeric_limits<long long>::max()))); }

cli_command cli_command::add_subcommand(const std::string& name, const std::string& description) const {
  return cli_command(*app_->add_subcommand(name, description));
}

template <typename T>
cli_option cli_command::add_option(const std::string& name, T& value, const std::string& description) const {
  CLI::Option* const option = app_->add_option(name, value, description);
  // The library reads -1 as the largest number there is.
  if constexpr (std::is_same_v<T, std::uint64_t> || std::is_same_v<T, std::optional<std::uint64_t>>) option->check(is_whole_number());
  return cli_option(*option);
}

cli_option cli_command::add_flag(const std::string& name, bool& value, const std::string& description) const {
  return cli_option(*app_->add_flag(name, value, description));
}

void cli_command::footer(const std::string& text) const { app_->footer(text); }

void cli_command::callback(std::function<void()> action) const { app_->callback(std::move(action)); }

void cli_command::ask_for_subcommand() const {
  app_->require_subcommand(0, 1);
  app_->final_callback([app = app_] {
    if (!app->get_subcommands().empty()) return;
    std::vector<std::string> names;
    for (const CLI::App* const known : app->get_subcommands([](const CLI::App*) { return true; })) names.push_back(known->get_name());
    throw usage_error("which subcommand of " + app->get_name() + "? There are " + tc::config::joined(names) + "; see " + full_name(*app) +
                      " --help");
  });
}

cli_program::cli_program(const std::string& name, const std::string& description, const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->formatter(std::make_shared<help_formatter>());  // that of all commands added to it
  app_->set_version_flag("-V,--version", version, "Print the version and exit");
  app_->set_help_flag("-h,--help", "Print this help and exit");
}

cli_program::~cli_program() = default;

void cli_program::add_help_command() const {
  CLI::App* const help = app_->add_subcommand("help", "Explain a command: the same as its option --help");
  const auto words = std::make_shared<std::vector<std::string>>();
  help->add_option("COMMAND", *words, "The command, as it is typed: run, or trace pack")->type_name("");
  help->footer("Example: tcsim help trace pack");
  help->callback([words, app = app_.get()] {
    const CLI::App& command = find_command(*app, *words);
    std::cout << app->get_formatter()->make_help(&command, full_name(command), CLI::AppFormatMode::Normal);
  });
}

cli_command cli_program::command() const { return cli_command(*app_); }

void cli_program::run(int argc, const char* const* argv) const {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool is_help = error.get_exit_code() == 0;
    if (!is_help) throw usage_error(usage_text(*app_, error));
    app_->exit(error);
  }
}

template cli_option cli_command::add_option(const std::string&, std::string&, const std::string&) const;
template cli_option cli_command::add_option(const std::string&, std::filesystem::path&, const std::string&) const;
template cli_option cli_command::add_option(const std::string&, unsigned&, const std::string&) const;
template cli_option cli_command::add_option(const std::string&, std::uint64_t&, const std::string&) const;
template cli_option cli_command::add_option(const std::string&, std::optional<std::uint64_t>&, const std::string&) const;
template cli_option cli_command::add_option(const std::string&, std::vector<unsigned>&, const std::string&) const;
template cli_option cli_command::add_option(const std::string&, std::vector<std::string>&, const std::string&) const;

}  // namespace tcsim
