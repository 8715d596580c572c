// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/config/jitter_parameters.hpp>
#include <tc/fabric/clocked.hpp>
#include <tc/fabric/jitter.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// When warps that are launched start, and which of them counts as younger: in the order of launches, unless chance has a part in both.
class warp_start {
 public:
  explicit warp_start(const config::jitter_parameters& jitter) : params_(jitter), chance_(jitter.seed) {}

  /// The first cycle in which a warp may issue that is launched for `first`. Chance delays all warps of a CTA together, and each by itself.
  cycle_t start(const warp::warp_context& warp, cycle_t first) const {
    if (!chance_.is_on()) return first;
    const std::uint64_t most = params_.start_cycles;
    return first + chance_.draw(most, warp.kernel, warp.cta) + chance_.draw(most, warp.kernel, warp.cta, warp.warp_in_cta);
  }

  /// Of the next warp: larger than those of warps that start in earlier cycles. Of those that start in one, chance makes one the younger.
  std::uint64_t next_order(const warp::warp_context& warp, cycle_t start) {
    ++launches_;
    if (!chance_.is_on() || !params_.ties) return launches_;
    constexpr unsigned tie_bits = 20;
    return start << tie_bits | chance_.draw((std::uint64_t{1} << tie_bits) - 1, warp.cta, warp.warp_in_cta, start);
  }

  /// As after construction.
  void reset() { launches_ = 0; }

 private:
  config::jitter_parameters params_;
  fabric::jitter chance_;
  std::uint64_t launches_ = 0;
};

}  // namespace tc::subcore
