// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tc/links/stall_cause.hpp>

namespace tc::links {

/// Cycles, by what became of them: issued (`none`), or lost for a cause.
class cause_cycles {
 public:
  constexpr std::uint64_t& operator[](stall_cause cause) { return cycles_[index(cause)]; }
  constexpr std::uint64_t operator[](stall_cause cause) const { return cycles_[index(cause)]; }

  cause_cycles& operator+=(const cause_cycles& other) {
    for (std::size_t c = 0; c < stall_causes; ++c) cycles_[c] += other.cycles_[c];
    return *this;
  }

  std::uint64_t sum() const {
    std::uint64_t all = 0;
    for (const std::uint64_t cycles : cycles_) all += cycles;
    return all;
  }

 private:
  std::array<std::uint64_t, stall_causes> cycles_{};
};

}  // namespace tc::links
