// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <tc/config/sub_core_parameters.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/subcore/issue/warp_slot.hpp>

namespace tc::subcore {

/// Which of the warps that could issue does. The greedy policies ask, in this order:
///
///   1. warps whose last instruction did not yield; the others issue only if there is none of them
///   2. of these the one that has waited longest for the tensor core or a queued unit, once that is as long as the patience; streams of
///      FFMA keep their turn however long others wait [recorded on an H200]
///   3. the one that issued last (Huerta et al., arXiv 2503.20481, section 5.1.2); not with a matrix instruction after a pause
///   4. the one that the tensor core served last, if its next instruction is for the tensor core too
///   5. the youngest or the oldest (Huerta et al., same place)
///
/// 1, 2 and 4 are what streams of matrix instructions of two to four warps on one sub-core showed on an H200: without a yield before the
/// streams they share the tensor core, with one they take it in turns, each for its whole stream.
class warp_selection {
 public:
  static constexpr std::size_t no_slot = ~std::size_t{0};

  explicit warp_selection(const config::issue_parameters& parameters) : params_(parameters) {}

  /// One of the slots that are ready in this cycle, given by their numbers in ascending order; no_slot if none is.
  std::size_t choose(const std::vector<warp_slot>& slots, const std::vector<std::size_t>& ready, cycle_t cycle) const;

  /// As after construction.
  void reset() {
    last_ = last_matrix_ = no_slot;
    last_cycle_ = 0;
  }

  /// The warp of a slot has issued an instruction.
  void issued(std::size_t slot, const isa::instruction& code, cycle_t cycle);

 private:
  std::size_t choose_greedily(const std::vector<warp_slot>& slots, const std::vector<std::size_t>& ready, cycle_t cycle) const;
  std::size_t best_of(const std::vector<warp_slot>& slots, const std::vector<std::size_t>& ready, bool yielded) const;
  std::size_t next_in_turn(const std::vector<std::size_t>& ready) const;
  bool loses_patience(const warp_slot& slot, cycle_t cycle) const;
  bool is_better(const warp_slot& candidate, const warp_slot& best) const;

  const config::issue_parameters params_;
  std::size_t last_ = no_slot;         ///< issued last
  std::size_t last_matrix_ = no_slot;  ///< issued the last matrix instruction
  cycle_t last_cycle_ = 0;
};

}  // namespace tc::subcore
