// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

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

}  // namespace tc::subcore
