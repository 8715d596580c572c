#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tc/subcore/links/instruction_stream.hpp>
#include <tc/subcore/warp/warp_context.hpp>
#include <tc/trace/warp_player.hpp>

namespace tc::device {

/// Plays a trace to the warps of one sub-core, a player for each occupied warp slot.
class warp_feed final : public subcore::instruction_stream {
 public:
  explicit warp_feed(unsigned warp_slots) : players_(warp_slots) {}

  void load(std::uint32_t slot, trace::warp_player player) { players_[slot].emplace(std::move(player)); }
  void unload(std::uint32_t slot) { players_[slot].reset(); }
  bool occupied(std::uint32_t slot) const { return players_[slot].has_value(); }
  /// A slot that no warp occupies; there must be one.
  std::uint32_t free_slot() const;

  bool next(std::uint32_t slot, subcore::warp_step& step) override;

 private:
  std::vector<std::optional<trace::warp_player>> players_;
  trace::step played_;
};

}  // namespace tc::device
