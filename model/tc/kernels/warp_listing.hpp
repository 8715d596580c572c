// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tc/kernels/gemm_code.hpp>
#include <tc/kernels/kernel_text.hpp>

namespace tc::kernels {

/// Lists instructions that a warp executes, without control codes: the scoreboard keeps them in order.
class warp_listing {
 public:
  /// Null: nobody takes the instructions; only their place matters.
  explicit warp_listing(listing_target* target) : target_(target) {}

  /// Byte address of the next instruction.
  std::uint32_t pc() const { return pc_; }
  /// A branch to an instruction that has been there before, or that lies ahead.
  void go_to(std::uint32_t pc) { pc_ = pc; }

  /// Executed by all lanes.
  void add(std::string_view instruction) { add(instruction, std::nullopt, {}); }
  /// Executed by lane 0.
  void add_for_one(std::string_view instruction) { add(instruction, 1, {}); }
  /// Predicated off.
  void add_idle(std::string_view instruction) { add(instruction, 0, {}); }
  /// Code that accesses no memory.
  void add(const code_block& block);
  /// A global access by all lanes, `offset` bytes behind an address.
  void add_access(std::string_view instruction, const linear_address& address, std::uint64_t offset, warp_place place);
  /// An access by the lanes of a mask, lowest first, with the address of each of them.
  void add_access(std::string_view instruction, std::uint32_t mask, const std::vector<std::uint64_t>& addresses);
  /// Counts a round of a loop in a register, and goes back to `begin` unless it is the last one. P1 is whether there are more.
  void add_loop_end(unsigned counter, unsigned rounds, unsigned round, std::uint32_t begin);

 private:
  void add(std::string_view instruction, std::optional<trace::lane_mask> mask, const trace::address_list& addresses);

  listing_target* target_;
  std::uint32_t pc_ = 0;
};

}  // namespace tc::kernels
