// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tc/isa/instruction.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

/// An operand of f64 with the sign that DMMA gives it on the way to the tensor cores: -A, |A| or -|A|. The sign of each element is the top
/// bit of the second register of its pair. Other matrix instructions have no signs, which the parser refuses.
class operand_signs {
 public:
  static constexpr bool are_asked_for(const isa::operand& operand) { return operand.negated || operand.absolute; }

  /// Puts changed copies, which last until the next call, in the place of the first `count` registers of `operand`.
  template <std::size_t Count>
  void apply(const isa::operand& operand, unsigned count, std::array<const warp::lane_vector*, Count>& registers) {
    constexpr std::uint32_t sign = std::uint32_t{1} << 31U;
    for (unsigned r = 1; r < count; r += 2) {
      warp::lane_vector& copy = copies_.at(r / 2);
      copy = *registers[r];
      for (std::uint32_t& word : copy) word = (operand.absolute ? word & ~sign : word) ^ (operand.negated ? sign : 0);
      registers[r] = &copy;
    }
  }

 private:
  static constexpr std::size_t max_elements = 8;  ///< of a lane: A of DMMA.16816
  std::array<warp::lane_vector, max_elements> copies_;
};

}  // namespace tc::subcore
