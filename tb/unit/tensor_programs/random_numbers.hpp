// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tc::tensor_programs {

/// Numbers that depend on the seed alone, the same on every platform (SplitMix64: Steele, Lea and Flood, OOPSLA 2014).
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(next() >> 32); }
  unsigned below(unsigned end) { return word() % end; }
  unsigned between(unsigned first, unsigned last) { return first + below(last - first + 1); }
  bool chance(unsigned percent) { return below(100) < percent; }

  template <class T, std::size_t Count>
  const T& pick(const std::array<T, Count>& values) {
    return values.at(below(Count));
  }

 private:
  std::uint64_t state_;
};

}  // namespace tc::tensor_programs
