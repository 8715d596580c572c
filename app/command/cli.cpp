// SPDX-License-Identifier: Apache-2.0
#include "cli.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>

#include <tc/config/spelling.hpp>

#include "exit_status.hpp"

namespace tcsim {

cli_option cli_option::required() const { return cli_option(*option_->required()); }
cli_option cli_option::type_name(const std::string& name) const { return cli_option(*option_->type_name(name)); }
cli_option cli_option::delimiter(char between) const { return cli_option(*option_->delimiter(between)); }
cli_option cli_option::repeatable() const { return cli_option(*option_->take_all()->expected(1)); }
cli_option cli_option::capture_default_str() const { return cli_option(*option_->capture_default_str()); }
cli_option cli_option::needs(cli_option other) const { return cli_option(*option_->needs(other.option_)); }
cli_option cli_option::excludes(cli_option other) const { return cli_option(*option_->excludes(other.option_)); }
cli_option cli_option::one_of(const std::vector<std::string>& values) const { return cli_option(*option_->check(CLI::IsMember(values))); }
cli_option cli_option::between(int least, int most) const { return cli_option(*option_->check(CLI::Range(least, most))); }
cli_option cli_option::between(unsigned least, unsigned most) const { return cli_option(*option_->check(CLI::Range(least, most))); }
cli_option cli_option::positive() const { return cli_option(*option_->check(CLI::PositiveNumber)); }

cli_command cli_command::add_subcommand(const std::string& name, const std::string& description) const {
  return cli_command(*app_->add_subcommand(name, description));
}

template <typename T>
cli_option cli_command::add_option(const std::string& name, T& value, const std::string& description) const {
  return cli_option(*app_->add_option(name, value, description));
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
    throw usage_error("which subcommand of " + app->get_name() + "? There are " + tc::config::joined(names) + "; see --help");
  });
}

cli_program::cli_program(const std::string& name, const std::string& description, const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", version);
}

cli_program::~cli_program() = default;

cli_command cli_program::command() const { return cli_command(*app_); }

void cli_program::run(int argc, const char* const* argv) const {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool is_help = error.get_exit_code() == 0;
    if (!is_help) throw usage_error(std::string(error.what()) + "; see --help");
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
