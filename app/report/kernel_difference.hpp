// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "rank_test.hpp"

namespace tcsim {

/// A kernel of two runs, A and B, or of one of them.
struct kernel_difference {
  /// What one run says of it.
  struct side {
    boost::json::object launch{};         ///< the entry of `kernels`, or `trace`
    std::optional<double> cycles{};       ///< of the plain run
    std::vector<double> varied_cycles{};  ///< of the runs varied by chance, sorted

    double least() const { return varied_cycles.front(); }
    double most() const { return varied_cycles.back(); }
    /// Of two in the middle the lower one, as everywhere.
    double median() const { return varied_cycles[(varied_cycles.size() - 1) / 2]; }
  };

  std::string kernel;
  std::optional<side> a{}, b{};
  /// Why its cycles in A and in B are not compared, for people; empty: they are.
  std::string not_compared{};
  /// "1644 and 1700 instructions": the machines ran other code; empty: the same, as far as their number says.
  std::string other_code{};
  chance_comparison chance{};  ///< of the varied cycles, where both have them

  bool has_runs() const { return a && b && !a->varied_cycles.empty() && !b->varied_cycles.empty(); }
  bool is_compared() const { return not_compared.empty(); }
};

/// The kernels of two runs' statistics: paired by name, and those of one name in their order; then those that only B has.
std::vector<kernel_difference> compare_kernels(const boost::json::object& a, const boost::json::object& b);

/// What is to be known of how chance had a part in two runs, as sentences for people.
std::vector<std::string> remarks_on_chance(const boost::json::object& a, const boost::json::object& b);

/// How many kernels a run has.
std::size_t kernel_count(const boost::json::object& statistics);

}  // namespace tcsim
