// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tcsim {

/// An option of a command: the name of CLI::Option, of the library CLI11, for which this stands. Each function changes the option and
/// returns it. CLI11's own headers cost whoever includes them more than a second of compilation, used or not, and as much again for its
/// templates; here cli.cpp alone includes them.
class cli_option {
 public:
  explicit cli_option(CLI::Option& option) : option_(&option) {}

  cli_option required() const;
  /// What help calls the value.
  cli_option type_name(const std::string& name) const;
  /// One value holds several, with this between them.
  cli_option delimiter(char between) const;
  /// May be given several times, with one value each time.
  cli_option repeatable() const;
  /// Help says the value that it has now.
  cli_option capture_default_str() const;
  cli_option needs(cli_option other) const;
  cli_option excludes(cli_option other) const;
  /// Only these values.
  cli_option one_of(const std::vector<std::string>& values) const;
  /// Only these number formats, by whichever name (tc::config::number_format_name); the value becomes the first of its names.
  cli_option format_of(const std::vector<std::string>& values) const;
  /// Only numbers from `least` to `most`.
  cli_option between(int least, int most) const;
  cli_option between(unsigned least, unsigned most) const;
  /// Only numbers above 0.
  cli_option positive() const;

 private:
  CLI::Option* option_;
};

/// A command, or a subcommand of one: the name of a CLI::App. It lives as long as its cli_program.
class cli_command {
 public:
  explicit cli_command(CLI::App& app) : app_(&app) {}

  cli_command add_subcommand(const std::string& name, const std::string& description) const;
  /// T: one of the types at the end of cli.cpp. The value must outlive the program's run.
  template <typename T>
  cli_option add_option(const std::string& name, T& value, const std::string& description) const;
  cli_option add_flag(const std::string& name, bool& value, const std::string& description) const;
  /// The text below the options in help.
  void footer(const std::string& text) const;
  /// What the command does once its arguments have been read.
  void callback(std::function<void()> action) const;
  /// A command that is nothing without a subcommand: called without one, or with an unknown one, it says which there are.
  void ask_for_subcommand() const;

 private:
  CLI::App* app_;
};

/// A program with its commands.
class cli_program {
 public:
  cli_program(const std::string& name, const std::string& description, const std::string& version);
  ~cli_program();
  cli_program(const cli_program&) = delete;
  cli_program& operator=(const cli_program&) = delete;

  cli_command command() const;
  /// Adds the command `help`, which prints the help of another one.
  void add_help_command() const;
  /// Reads the arguments and calls the commands, or prints the help or version that they ask for. Throws usage_error, and what a command
  /// throws.
  void run(int argc, const char* const* argv) const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace tcsim
