// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tc/fabric/clocked.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::subcore {

/// A queue of the few instructions that a unit has inside: in one piece of memory, which grows only when all of it is in use.
template <class Entry>
class short_queue {
 public:
  bool empty() const { return first_ == entries_.size(); }
  std::size_t size() const { return entries_.size() - first_; }
  Entry& front() { return entries_[first_]; }
  auto begin() { return entries_.begin() + static_cast<std::ptrdiff_t>(first_); }
  auto end() { return entries_.end(); }

  void push_back(const Entry& added) {
    if (first_ != 0 && entries_.size() == entries_.capacity()) {
      entries_.erase(entries_.begin(), begin());
      first_ = 0;
    }
    entries_.push_back(added);
  }

  void pop_front() {
    if (++first_ != entries_.size()) return;
    entries_.clear();
    first_ = 0;
  }

 private:
  std::vector<Entry> entries_;
  std::size_t first_ = 0;  // those before it have left
};

using fabric::cycle_t;

/// The queue in front of the load-store unit. An entry is taken when an instruction issues and given back when its access has left the
/// unit: a full memory therefore fills the queue. Instructions leave in the order in which they came, once their operands are there.
class load_store_queue {
 public:
  explicit load_store_queue(unsigned entries) : entries_(entries) {}

  /// The first cycle, not before `dispatch`, in which another instruction fits. If that depends on an entry of which nobody knows yet when
  /// it gets free: a later cycle in which to ask again.
  cycle_t earliest(cycle_t dispatch) const;

  /// Takes an entry for an instruction, whose dispatch time is set.
  void push(links::warp_instruction& instruction);
  /// The operands of an instruction are there.
  void operands_ready(const links::warp_instruction& instruction);
  /// The next instruction in order if its operands are there, nullptr otherwise. Its entry stays taken until left().
  links::warp_instruction* pop();

  /// An instruction that was popped leaves the unit in this cycle. To be called once for each.
  void left(cycle_t cycle);

  /// Instructions that took the last entry.
  std::uint64_t times_full() const { return times_full_; }

 private:
  /// Entries taken by those of which nobody knows when they leave.
  unsigned unknown() const { return static_cast<unsigned>(waiting_.size()) + popped_; }
  /// Whether so many of the others leave after a cycle.
  bool leave_after(unsigned count, cycle_t cycle) const {
    return count == 0 || (count <= leaving_.size() && leaving_[leaving_.size() - count] > cycle);
  }

  struct waiting {
    links::warp_instruction* instruction;
    bool ready;
  };

  unsigned entries_;
  short_queue<waiting> waiting_;
  unsigned popped_ = 0;           // and not known when they leave
  std::vector<cycle_t> leaving_;  // when the latest others leave, ascending; no more than there are entries
  std::uint64_t times_full_ = 0;
};

}  // namespace tc::subcore
