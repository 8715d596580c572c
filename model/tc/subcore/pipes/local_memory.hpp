// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <tc/links/warp_instruction.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

/// The local memories of the lanes of a sub-core's warps, as far as these have stored something. It has values and no time.
class local_memory {
 public:
  explicit local_memory(unsigned warp_slots) : warps_(warp_slots) {}

  /// STL: each lane stores its registers at its address.
  void store(const links::warp_instruction& instruction);
  /// LDL: fills in the results. Lanes that load a byte which they have not stored, or that was undefined, are undefined.
  void load(links::warp_instruction& instruction);

  void reset();

 private:
  /// The same word of all lanes.
  struct word {
    warp::lane_vector value{};
    std::array<std::uint32_t, 4> defined{};  ///< by byte, a bit for each lane
  };
  using words = std::unordered_map<std::uint32_t, word>;
  struct warp_words {
    std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> owner{};  ///< kernel, CTA and warp
    words by_number;
  };

  words& words_of(const warp::warp_context& warp);

  std::vector<warp_words> warps_;
};

}  // namespace tc::subcore
