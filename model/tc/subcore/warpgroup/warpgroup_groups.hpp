// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include <tc/fabric/clocked.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// The groups of asynchronous matrix instructions of one warp (PTX ISA, wgmma.commit_group): those between two commits complete together.
class warpgroup_groups {
 public:
  /// An instruction joins the group that the next commit closes; returns the group's number.
  std::uint64_t join();
  void commit();
  /// An instruction of a group will have completed in this cycle.
  void completes(std::uint64_t group, cycle_t cycle);

  /// When all groups but the last `pending` have completed; nothing if that is not known yet.
  std::optional<cycle_t> complete_but(std::uint64_t pending) const;

 private:
  static constexpr std::size_t max_pending = 7;  // that wgmma.wait_group can name; more need not be told apart

  struct group {
    unsigned open = 0;  // instructions of which nobody knows when they complete
    cycle_t done = 0;   // when the others have
  };
  void forget();

  std::deque<group> groups_{1};  // the last one is not committed
  std::uint64_t first_ = 0;      // number of groups_.front()
  cycle_t forgotten_ = 0;        // when all groups before it have completed
};

}  // namespace tc::subcore
