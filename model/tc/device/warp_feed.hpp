// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <systemc>

#include <tc/links/warp_control.hpp>
#include <tc/trace/warp_player.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::device {

/// Plays traces, and kernels that are executed, to the warps of one sub-core: a player for each occupied warp slot.
class warp_feed final : public links::instruction_stream {
 public:
  /// `owner`: the object in which a trace that cannot be read any further is a fault; its warp ends if that returns.
  warp_feed(unsigned warp_slots, const sc_core::sc_object& owner) : owner_(owner), players_(warp_slots) {}

  void load(std::uint32_t slot, trace::warp_player player) { players_[slot].emplace(std::move(player)); }
  void unload(std::uint32_t slot) { players_[slot].reset(); }
  bool occupied(std::uint32_t slot) const { return players_[slot].has_value(); }
  /// A slot that no warp occupies; there must be one.
  std::uint32_t free_slot() const;

  bool next(std::uint32_t slot, warp::warp_step& step) override;
  void issues(std::uint32_t slot, warp::warp_step& step, fabric::cycle_t cycle) override;
  void performed(std::uint32_t slot, std::uint32_t access) override;

 private:
  const sc_core::sc_object& owner_;
  std::vector<std::optional<trace::warp_player>> players_;
  trace::step played_;
};

}  // namespace tc::device
