// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <tc/config/sub_core_parameters.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/subcore/issue/warp_policy.hpp>
#include <tc/subcore/issue/warp_slot.hpp>

namespace tc::subcore {

/// Which of the warps that could issue does: the policy says so, where there is a choice.
class warp_selection {
 public:
  static constexpr std::size_t no_slot = ~std::size_t{0};

  /// Throws config::config_error for a policy that is not known.
  explicit warp_selection(const config::issue_parameters& parameters) : policy_(make_warp_policy(parameters)) {}

  /// One of the slots that are ready in this cycle, given by their numbers in ascending order; no_slot if none is. Throws
  /// std::logic_error if the policy chooses another.
  std::size_t choose(const std::vector<warp_slot>& slots, const std::vector<std::size_t>& ready, cycle_t cycle) {
    if (ready.empty()) return no_slot;
    if (ready.size() == 1) return ready.front();
    return checked(policy_->choose({slots, ready}, cycle), ready);
  }

  /// As after construction.
  void reset() { policy_->reset(); }

  /// The warp of a slot has issued an instruction.
  void issued(std::size_t slot, const isa::instruction& code, cycle_t cycle) { policy_->issued(slot, code, cycle); }

 private:
  static std::size_t checked(std::size_t chosen, const std::vector<std::size_t>& ready);

  std::unique_ptr<warp_policy> policy_;
};

}  // namespace tc::subcore
