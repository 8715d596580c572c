// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <tc/trace/trace_contents.hpp>
#include <tc/trace/warp_player.hpp>

namespace tc::packed {

/// Plays all steps of a trace in the order of its text, one warp after the other.
class step_sequence {
 public:
  /// Stands at the first step. The contents must outlive it. Throws as warp_player does.
  explicit step_sequence(const trace::trace_contents& contents) : contents_(contents) { advance(); }

  /// The step at which it stands; null at the end.
  const trace::step* current() const { return player_ ? &step_ : nullptr; }
  /// The player of the current step's warp.
  const trace::warp_player& player() const { return *player_; }
  /// Position of the current step's warp among all warps.
  std::uint32_t position() const { return next_position_ - 1; }
  void advance() {
    while (!player_ || !player_->next(step_)) {
      player_.reset();
      if (next_position_ + 1 >= contents_.warp_extents.size()) return;
      player_.emplace(contents_, next_position_++);
    }
  }

 private:
  const trace::trace_contents& contents_;
  std::optional<trace::warp_player> player_;
  std::uint32_t next_position_ = 0;
  trace::step step_;
};

}  // namespace tc::packed
