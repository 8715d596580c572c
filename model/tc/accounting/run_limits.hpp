// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <boost/json.hpp>

#include <tc/accounting/limit_table.hpp>
#include <tc/accounting/run_result.hpp>
#include <tc/config/machine.hpp>

namespace tc::accounting {

/// How much something limits a run. All shares are of 1.
struct run_limit {
  const limit_info* info = nullptr;
  double stalled = 0;  ///< of the time of all warps: they waited for it
  double alive = 1;    ///< of the cycles: sub-cores had warps, which were what they waited for
  double busy = 0;     ///< of the cycles: its busiest unit was in use; 0 if it has none
  std::string unit{};  ///< that one, of unit_kind_use or several together
  double hidden = 0;   ///< of the cycles: the busiest unit that it does not speed up was in use

  /// Of the cycles of the run: what would be saved without it. Warps would be done earlier by what they waited; but as large a share of it
  /// as another unit is busy anyway is hidden, and stays, as do the beginning and the end of the run, without warps.
  double saving() const { return stalled * alive * (1 - hidden); }
};

/// What limits a run, the largest saving first; what no warp waited for is left out. A unit that is in use in nearly all cycles comes
/// before all others. Collects the statistics of the object tree: call it while the machine exists.
std::vector<run_limit> limits_of(const run_result& result, const config::machine& machine);

/// "dot-product units of the tensor cores: in use in 99.7 % of the cycles; more of them would save about 44 %".
std::string text(const run_limit& limit);

/// The parameters that relax it, as they would be set on this machine, which accepts them all together: one that it does not accept is
/// relaxed by less, or not at all.
boost::json::object relaxed_parameters(const limit_info& limit, const config::machine& machine);

}  // namespace tc::accounting
