// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "configuration_difference.hpp"
#include "kernel_difference.hpp"

namespace tcsim {

/// A number that two runs, A and B, have different values of; nothing where a run does not have it.
struct number_difference {
  std::string name;
  std::optional<double> a, b;

  double change() const { return b.value_or(0) - a.value_or(0); }
  /// In percent of A; nothing if A has none of it.
  std::optional<double> percent() const;
};

/// Cycles by what became of them: of all warps, or of all issue slots.
struct cycle_account_difference {
  struct row {
    number_difference cycles;             ///< by the key of the cause
    double a_percent = 0, b_percent = 0;  ///< of all cycles of the account
  };
  double a_total = 0, b_total = 0;
  std::vector<row> rows{};  ///< causes whose cycles differ, those that differ most first
};

/// A counter of a unit, or of all units of a kind together.
struct counter_difference {
  std::string unit;                   ///< kind, as "register_file.bank", or object path
  unsigned a_units = 1, b_units = 1;  ///< of the kind
  number_difference count;
};

/// What changed between two runs.
struct run_difference {
  std::vector<parameter_difference> run;            ///< members of `trace`, or of kernels in both, of `hazards` and `status`
  bool one_hazard_rule = true;                      ///< unless both statistics name one, and not the same
  std::vector<parameter_difference> configuration;  ///< by the path that --set takes
  std::vector<number_difference> results;           ///< cycles, instructions, time_us, mismatches, undefined, warnings, energy_nj
  std::vector<kernel_difference> kernels{};
  std::vector<std::string> remarks{};               ///< of chance, as sentences
  std::optional<std::string> a_limit{}, b_limit{};  ///< what limits each most, for people, if it is not the same
  cycle_account_difference stalls, issue_slots;
  std::vector<counter_difference> counters;       ///< in the order of counter_rule()
  std::vector<std::string> only_in_a, only_in_b;  ///< object paths of units
  std::vector<std::string> other_keys{};          ///< of the statistics, whose values differ too and are not compared one by one
  bool equal = true;                              ///< all that the statistics say of the runs; what was recorded besides may differ

  /// Any kernel was varied by chance in both runs.
  bool has_runs() const;
  /// Whether they differ by more than chance makes: a kernel really does, or another result than time, or not all of this can be told.
  /// Without varied runs, whether they are not equal.
  bool is_beyond_chance() const;
};

/// What a comparison of counters is about.
enum class counters_of { kinds, units };

/// Compares two runs' statistics.
run_difference differences_of_runs(const boost::json::object& a, const boost::json::object& b, counters_of what = counters_of::kinds);

/// How counters are ranked, as a sentence for people.
std::string_view counter_rule();

}  // namespace tcsim
