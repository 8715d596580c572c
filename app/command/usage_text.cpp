// SPDX-License-Identifier: Apache-2.0
#include "usage_text.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <tc/config/spelling.hpp>

#include "exit_status.hpp"

namespace tcsim {

std::string full_name(const CLI::App& command) {
  return command.get_parent() == nullptr ? command.get_name() : full_name(*command.get_parent()) + ' ' + command.get_name();
}

namespace {

/// The subcommand that the command line has come to.
const CLI::App& reached_command(const CLI::App& program) {
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* const each : command.get_subcommands({})) names.push_back(each->get_name());
  return names;
}

std::string unknown_option_text(const CLI::App& command, const std::string& argument) {
  const std::string option = argument.substr(0, argument.find('='));
  const std::string nearest = tc::config::nearest_name(option, option_names(command));
  return fmt::format("there is no option {}{}", option, nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest));
}

/// Also of a word that is an option without its dashes, as "version".
std::string unknown_command_text(const CLI::App& command, const std::string& word) {
  const std::vector<std::string> names = command_names(command);
  std::string nearest = tc::config::nearest_name(word, names);
  if (nearest.empty()) nearest = tc::config::nearest_name("--" + word, option_names(command));
  return fmt::format("{} has no command \"{}\"; {}there are {}", full_name(command), word,
                     nearest.empty() ? "" : fmt::format("did you mean {}? ", nearest), tc::config::joined(names));
}

/// What is wrong with the words that a command has no use for; empty if there are none.
std::string unexpected_text(const CLI::App& command) {
  for (const std::string& argument : command.remaining())
    if (argument.size() > 1 && argument.front() == '-' && argument != "--") return unknown_option_text(command, argument);
  if (command.remaining().empty()) return "";
  const std::string word = command.remaining().front();
  if (!command_names(command).empty()) return unknown_command_text(command, word);
  return fmt::format("\"{}\" belongs to no option, and {} takes no {}argument", word, full_name(command),
                     command.get_options([](const CLI::Option* option) { return option->get_positional(); }).empty() ? "" : "further ");
}

/// An option's message begins with its name, or holds it behind "Could not convert: ".
std::string value_text(const CLI::App& command, const CLI::ParseError& error) {
  std::string text = error.what();
  constexpr std::string_view conversion = "Could not convert: ";
  if (text.rfind(conversion, 0) == 0) {
    const std::size_t equal = text.find(" = ");
    if (equal == std::string::npos) return text;
    return fmt::format("{} {}: expected a whole number that is not negative or too large",
                       text.substr(conversion.size(), equal - conversion.size()), text.substr(equal + 3));
  }
  if (const std::size_t missing = text.find(": 1 required "); missing != std::string::npos)
    return text.substr(0, missing) + " is nothing without a value behind it";
  if (const std::size_t most = text.find(": At Most 1 required but received"); most != std::string::npos)
    return text.substr(0, most) + " is given more than once";
  for (const CLI::Option* const option : command.get_options())
    if (text == option->get_name() + " is required") return fmt::format("{}. {}", text, option->get_description());
  return text;
}

}  // namespace

std::string usage_text(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& command = reached_command(program);
  const std::string unexpected = unexpected_text(command);
  return fmt::format("{}; see {} --help", unexpected.empty() ? value_text(command, error) : unexpected, full_name(command));
}

const CLI::App& find_command(const CLI::App& program, const std::vector<std::string>& words) {
  const CLI::App* found = &program;
  for (const std::string& word : words) {
    const CLI::App* next = nullptr;
    for (const CLI::App* const each : found->get_subcommands({}))
      if (each->get_name() == word) next = each;
    if (next == nullptr && command_names(*found).empty()) throw usage_error(fmt::format("{} has no commands", full_name(*found)));
    if (next == nullptr) throw usage_error(unknown_command_text(*found, word));
    found = next;
  }
  return *found;
}

CLI::Validator is_one_of(const std::vector<std::string>& values) {
  return {[values](const std::string& value) -> std::string {
            for (const std::string& each : values)
              if (each == value) return "";
            const std::string nearest = tc::config::nearest_name(value, values);
            return fmt::format("\"{}\" is none of {}{}", value, tc::config::joined(values),
                               nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest));
          },
          ""};
}

CLI::Validator is_whole_number() {
  return {[](const std::string& text) -> std::string {
            std::uint64_t value = 0;
            const bool is_hexadecimal = text.rfind("0x", 0) == 0;
            const char* const end = text.data() + text.size();
            const auto [behind, failure] = std::from_chars(text.data() + (is_hexadecimal ? 2 : 0), end, value, is_hexadecimal ? 16 : 10);
            if (failure == std::errc() && behind == end) return "";
            return fmt::format("\"{}\" is no whole number from 0 to {}", text, std::numeric_limits<std::uint64_t>::max());
          },
          ""};
}

CLI::Validator is_not_empty() {
  return {[](const std::string& text) -> std::string { return text.empty() ? "a file has a name" : ""; }, ""};
}

CLI::Validator is_between(long long least, long long most) {
  return {[least, most](const std::string& text) -> std::string {
            long long value = 0;
            const char* const end = text.data() + text.size();
            const auto [behind, failure] = std::from_chars(text.data(), end, value);
            if (failure == std::errc() && behind == end && least <= value && value <= most) return "";
            const std::string limit = most == std::numeric_limits<long long>::max() ? "" : fmt::format(" to {}", most);
            return fmt::format("\"{}\" is no whole number from {}{}", text, least, limit);
          },
          ""};
}

}  // namespace tcsim
