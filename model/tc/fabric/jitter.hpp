// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tc::fabric {

/// Draws for what differs between runs by chance. A draw depends on the seed and on the numbers of what it is drawn for, and on nothing
/// else: neither on the order of calls nor on which process simulates an SM.
class jitter {
 public:
  /// Without chance: every draw is 0.
  jitter() = default;
  /// The same for seed 0.
  explicit jitter(std::uint64_t seed) : seed_(seed) {}

  bool is_on() const { return seed_ != 0; }

  /// From 0 to `most`, all equally likely.
  template <class... Numbers>
  std::uint64_t draw(std::uint64_t most, Numbers... drawn_for) const {
    if (!is_on() || most == 0) return 0;
    std::uint64_t state = mixed(seed_);
    ((state = mixed(state ^ static_cast<std::uint64_t>(drawn_for))), ...);
    return state % (most + 1);
  }

 private:
  /// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
  static std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  std::uint64_t seed_ = 0;
};

}  // namespace tc::fabric
