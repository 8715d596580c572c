// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace tc::subcore {

/// The bulk groups of one warp: its copies out of shared memory between two commits (PTX ISA, cp.async.bulk.commit_group).
class bulk_groups {
 public:
  /// A copy joins the group that the next commit closes; returns the group's number.
  std::uint64_t join();
  void commit();
  /// A copy of a group has read all its bytes, or written them.
  void has_read(std::uint64_t number) { --group_of(number).reading; }
  void has_written(std::uint64_t number);

  /// Whether all groups but the last `pending` have read, or written, all bytes.
  bool have_read_but(std::size_t pending) const;
  bool have_written_but(std::size_t pending) const;

 private:
  struct group {
    unsigned reading = 0, writing = 0;  // copies
  };
  group& group_of(std::uint64_t number) { return groups_[number - first_]; }

  std::deque<group> groups_{1};  // the last one is not committed; complete ones are forgotten from the front
  std::uint64_t first_ = 0;      // number of groups_.front()
};

}  // namespace tc::subcore
