// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tc/isa/instruction.hpp>
#include <tc/trace/memory_access.hpp>

namespace tc::trace {

/// A distinct instruction of a trace.
struct code_entry {
  isa::instruction instruction;
  memory_access access;
  std::uint64_t executions = 0;  ///< steps of all warps that execute it
  std::uint64_t line = 0;        ///< where it first stands
};

/// The distinct instructions of a trace in the order they first appear, each decoded once. Entries keep their addresses as the table grows.
class code_table {
 public:
  /// Quickest if what follows the instruction that was found before is what followed it last time.
  std::optional<std::uint32_t> find(std::string_view text) {
    if (last_ < size() && texts_[successors_[last_]] == text) {
      last_ = successors_[last_];
      return last_;
    }
    const auto found = index_.find(text);
    if (found == index_.end()) return std::nullopt;
    if (last_ < size()) successors_[last_] = found->second;
    last_ = found->second;
    return last_;
  }

  /// Adds an instruction that find() does not know under `text`; returns its index.
  std::uint32_t add(std::string_view text, code_entry entry) {
    const auto index = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back(std::move(entry));
    index_.emplace(texts_.emplace_back(text), index);
    if (last_ < index) successors_[last_] = index;
    successors_.push_back(0);
    last_ = index;
    return index;
  }

  /// The text under which an instruction was added.
  std::string_view text(std::uint32_t index) const { return texts_[index]; }

  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
  code_entry& operator[](std::uint32_t index) { return entries_[index]; }
  const code_entry& operator[](std::uint32_t index) const { return entries_[index]; }

 private:
  std::deque<code_entry> entries_;
  std::deque<std::string> texts_;  ///< the keys of index_
  std::unordered_map<std::string_view, std::uint32_t> index_;
  std::vector<std::uint32_t> successors_;  ///< what was found or added after each entry
  std::uint32_t last_ = 0;                 ///< entry that was found or added last
};

}  // namespace tc::trace
