// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tc/config/machine.hpp>

namespace tcsim::random_programs {

/// What is decided before a program runs, all by its seed.
struct program_case {
  std::uint64_t seed = 0;
  std::string configuration;
  std::vector<std::string> assignments{};  ///< as after `--set`
  bool monitors = false, records = false;  ///< links are watched, so that nothing takes a shorter way
  bool without_data = false;               ///< it runs for timing alone as well
  unsigned processes = 1;                  ///< more: it runs in so many as well, if its SMs can be told apart
  std::vector<std::string> traces{};       ///< texts of kernels that follow each other, with what the reference expects
  std::string broken_rule{};               ///< empty: it is legal
  std::string outcome{};                   ///< of a program that breaks a rule

  tc::config::machine machine() const;
  /// How `tcsim` runs it again from files.
  std::string command(const std::vector<std::string>& files) const;
};

/// The case of a seed, on one of some configurations. So many percent of the programs break a rule.
program_case make_case(std::uint64_t seed, const std::vector<std::string>& configurations, unsigned broken_percent);

/// Runs a case in this process, which has elaborated nothing: what is wrong, line by line, or nothing.
std::string run_case(const program_case& what, unsigned seconds);

}  // namespace tcsim::random_programs
