// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tcsim {

/// What a command line that CLI11 refuses should have been, and where to read on. A word that is no option or command is told first, with
/// the nearest one that there is: mostly what else is missing is missing because of it.
std::string usage_text(const CLI::App& program, const CLI::ParseError& error);

/// "tcsim trace pack"
std::string full_name(const CLI::App& command);

/// A command by the words behind the program's name; throws usage_error if there is none.
const CLI::App& find_command(const CLI::App& program, const std::vector<std::string>& words);

/// Only these values; others are refused with the nearest one.
CLI::Validator is_one_of(const std::vector<std::string>& values);

/// Only numbers from `least` to `most`.
CLI::Validator is_between(long long least, long long most);
/// Only numbers of 64 bits without a sign.
CLI::Validator is_whole_number();
CLI::Validator is_not_empty();

}  // namespace tcsim
