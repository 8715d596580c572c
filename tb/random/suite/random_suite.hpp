// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tcsim::random_programs {

struct suite_options {
  std::uint64_t seed = 1;  ///< of the first program; the others follow
  std::uint64_t programs = 100;
  std::optional<std::uint64_t> seconds{};     ///< so many programs as begin in this time, instead
  unsigned broken_percent = 20;               ///< of the programs break a rule
  unsigned jobs = 1;                          ///< programs at a time
  unsigned time_limit = 60;                   ///< seconds of a program
  std::vector<std::string> configurations{};  ///< names of built-in ones
  std::filesystem::path folder{};             ///< for what was found
};

/// Runs programs, each in a process of its own, and prints what is found, and a summary in the end. True if nothing was found.
bool run_suite(const suite_options& options);

}  // namespace tcsim::random_programs
