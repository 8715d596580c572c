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
  std::string trace{};                     ///< its text, with what the reference expects
  std::string broken_rule{};               ///< empty: it is legal
  std::string outcome{};                   ///< of a program that breaks a rule

  tc::config::machine machine() const;
  /// How `tcsim` runs it again from a file.
  std::string command(const std::string& file) const;
};

/// The case of a seed, on one of some configurations. So many percent of the programs break a rule.
program_case make_case(std::uint64_t seed, const std::vector<std::string>& configurations, unsigned broken_percent);

/// Runs a case in this process, which has elaborated nothing: what is wrong, line by line, or nothing.
std::string run_case(const program_case& what, unsigned seconds);

}  // namespace tcsim::random_programs
