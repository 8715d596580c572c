// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <tc/links/result_source.hpp>
#include <tc/links/stall_cause.hpp>

namespace tc::accounting {

/// A parameter and a value with which it is in no one's way. A value that begins with "x" is a factor.
struct relaxation {
  std::string_view parameter, value;
};

/// Something that can limit a run, and what is changed to see whether it does: the only list of both.
struct limit_info {
  /// `rate`: a unit that takes no more work, or a place that is full; more of it helps. `full_rate`: a unit for which warps wait even if it
  /// has time left; they promise something only if it has none. `latency`: results that are waited for; units that are busy meanwhile,
  /// whichever they are, are so without the wait too.
  enum class kind { rate, full_rate, latency };

  std::string_view key;   ///< in statistics
  std::string_view text;  ///< for people: what it is
  std::string_view cure;  ///< for people, behind "with": what would make the run shorter
  kind is;
  std::vector<links::stall_cause> causes;     ///< stalls for it, but those for results
  std::vector<links::result_source> sources;  ///< results whose stalls are for it
  std::vector<std::string_view> units;        ///< those of busiest_units() which it speeds up
  bool by_stall_counts;                       ///< the code's control codes are in the way too: waits that its compiler wrote down
  std::vector<relaxation> relaxations;
};

/// All of them, in the order of docs/causes.md.
const std::vector<limit_info>& limit_table();

}  // namespace tc::accounting
