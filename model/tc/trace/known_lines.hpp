// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <tc/trace/lanes.hpp>

namespace tc::trace {

/// The lines of a trace that say the same whenever they come: instructions with their pc and without addresses. A loop repeats them, and
/// each needs to be taken apart and checked only once.
class known_lines {
 public:
  struct line {
    std::string text;
    std::uint32_t code_index = 0;
    std::uint32_t pc = 0;
    std::optional<lane_mask> mask;  ///< if the line gives one

   private:
    friend class known_lines;
    line* successor = nullptr;  ///< what was found after it
  };

  /// The line of this text, nullptr if it has not been added. Quickest if it is what followed the line that was found before it last time.
  const line* find(std::string_view text) {
    if (last_ != nullptr && last_->successor != nullptr && last_->successor->text == text) return last_ = last_->successor;
    const auto found = index_.find(text);
    if (found == index_.end()) return nullptr;
    if (last_ != nullptr) last_->successor = found->second;
    return last_ = found->second;
  }

  /// Adds one that find() does not know; not if there are very many already, so that memory stays bounded.
  void add(std::string_view text, std::uint32_t code_index, std::uint32_t pc, std::optional<lane_mask> mask) {
    if (lines_.size() == most) return;
    line& added = lines_.emplace_back();
    added.text = text;
    added.code_index = code_index;
    added.pc = pc;
    added.mask = mask;
    index_.emplace(added.text, &added);
  }

 private:
  static constexpr std::size_t most = 16384;

  std::deque<line> lines_;
  std::unordered_map<std::string_view, line*> index_;
  line* last_ = nullptr;  ///< found last
};

}  // namespace tc::trace
