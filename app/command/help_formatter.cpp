// SPDX-License-Identifier: Apache-2.0
#include "help_formatter.hpp"

#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "wrapped_text.hpp"

namespace tcsim {

namespace {

/// "-o,--out" of an option that is called --output too.
std::string shown_name(const CLI::Option& option, bool is_positional) {
  if (is_positional) return option.get_name(true, false);
  std::string name;
  if (!option.get_snames().empty()) name = '-' + option.get_snames().front();
  if (!option.get_lnames().empty()) name += (name.empty() ? "--" : ",--") + option.get_lnames().front();
  return name;
}

std::string value_of(const CLI::Option& option) {
  if (option.get_type_size() == 0) return "";
  std::string text = option.get_type_name().empty() ? "" : ' ' + option.get_type_name();
  if (option.get_positional() && option.get_expected_max() == CLI::detail::expected_max_vector_size) text += "...";
  return text;
}

/// A list without the brackets around it.
std::string default_of(const CLI::Option& option) {
  const std::string& text = option.get_default_str();
  return text.front() == '[' ? text.substr(1, text.size() - 2) : text;
}

/// What else there is to know of an option, in brackets.
std::string remarks_on(const CLI::Option& option) {
  std::string text;
  if (option.get_required()) text += " [required]";
  if (!option.get_default_str().empty() && option.get_type_size() != 0) text += fmt::format(" [default: {}]", default_of(option));
  for (const CLI::Option* const needed : option.get_needs()) text += fmt::format(" [needs {}]", shown_name(*needed, false));
  for (const CLI::Option* const other : option.get_excludes()) text += fmt::format(" [not with {}]", shown_name(*other, false));
  return text;
}

}  // namespace

help_formatter::help_formatter() {
  constexpr std::size_t of_names = 26;
  column_width(of_names);
}

std::string help_formatter::make_description(const CLI::App* app) const { return wrapped(Formatter::make_description(app)); }

std::string help_formatter::make_usage(const CLI::App* app, std::string name) const {
  return wrapped(Formatter::make_usage(app, std::move(name)));
}

std::string help_formatter::make_subcommand(const CLI::App* command) const { return row(command->get_name(), command->get_description()); }

std::string help_formatter::make_footer(const CLI::App* app) const { return wrapped(Formatter::make_footer(app)); }

std::string help_formatter::make_option(const CLI::Option* option, bool is_positional) const {
  return row(shown_name(*option, is_positional) + value_of(*option), option->get_description() + remarks_on(*option));
}

std::string help_formatter::row(const std::string& name, const std::string& meaning) const {
  const std::size_t column = get_column_width();
  std::string text = "  " + name;
  const bool is_beside = text.size() + 2 <= column;
  text += is_beside ? std::string(column - text.size(), ' ') : '\n' + std::string(column, ' ');
  return text + wrapped_cell(meaning, column) + '\n';
}

}  // namespace tcsim
