// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <tc/fabric/clock_domain.hpp>
#include <tc/subcore/operands/allocate_stage.hpp>

namespace tc::subcore {

/// Moves the allocate stage in each cycle in which there is something in it, for somebody who wants to hear of each; by itself it moves
/// only when it is asked. A unit of its own: the operand fetch, woken more often, would change places with others that are due in the same
/// edge, and what they send in it would arrive in another order.
class stage_follower final : public fabric::clocked {
 public:
  /// During elaboration. Both outlive it.
  stage_follower(allocate_stage& stage, fabric::clock_domain& clock) : stage_(stage), clock_(clock), id_(clock.add(*this)) {}

  /// Something has come into the stage.
  void follow() {
    if (stage_.is_occupied()) clock_.wake(id_, clock_.cycle() + 1);
  }

  void evaluate(cycle_t cycle) override {
    stage_.advance(cycle);
    follow();
  }
  void commit(cycle_t) override {}

 private:
  allocate_stage& stage_;
  fabric::clock_domain& clock_;
  const std::size_t id_;
};

}  // namespace tc::subcore
