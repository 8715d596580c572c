// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <tc/isa/instruction.hpp>
#include <tc/subcore/issue/warp_policy.hpp>

namespace tc::subcore {

/// Stays with a warp as long as it can, as silicon does. It asks, in this order:
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
class greedy_policy final : public warp_policy {
 public:
  enum class preference { youngest, oldest };

  /// `patience_cycles` 0: a warp waits however long.
  greedy_policy(preference wanted, unsigned patience_cycles) : preference_(wanted), patience_cycles_(patience_cycles) {}

  std::size_t choose(const warp_candidates& candidates, cycle_t cycle) override;
  void issued(std::size_t slot, const isa::instruction& code, cycle_t cycle) override {
    last_ = slot;
    last_cycle_ = cycle;
    if (isa::is_mma(code.op)) last_matrix_ = slot;
  }
  void reset() override {
    last_ = last_matrix_ = no_slot;
    last_cycle_ = 0;
  }

 private:
  static constexpr std::size_t no_slot = ~std::size_t{0};

  std::size_t best_of(const warp_candidates& candidates, bool yielded) const;
  bool loses_patience(const warp_candidate& candidate, cycle_t cycle) const;
  bool is_better(const warp_candidate& candidate, const warp_candidate& best) const {
    return (preference_ == preference::oldest) == candidate.is_older_than(best);
  }

  const preference preference_;
  const unsigned patience_cycles_;
  std::size_t last_ = no_slot;         ///< issued last
  std::size_t last_matrix_ = no_slot;  ///< issued the last matrix instruction
  cycle_t last_cycle_ = 0;
};

}  // namespace tc::subcore
