// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>

#include <tc/engine/tensor/matrix_job.hpp>

namespace tc::engine {

/// What the tensor engines of the two SMs of a pair ask of each other (.cta_group::2). The engine whose CTA issues an instruction leads it;
/// the other one does the same for its own CTA, in lockstep as far as products go.
class tensor_pair : public virtual sc_core::sc_interface {
 public:
  /// The other engine leads an instruction: the job here that takes part in it. It stays until both are done.
  /// Throws std::invalid_argument with what is wrong with the instruction for the CTA here.
  virtual tensor_job& take_part(const tensor_job& leader) = 0;
  /// Whether a matrix instruction has room in a cycle.
  virtual bool has_room(cycle_t cycle) const = 0;
  /// The other engine will have room from a cycle on.
  virtual void room_from(cycle_t cycle) = 0;
  /// The other engine has dispatched an instruction.
  virtual void dispatch_part(tensor_job& part) = 0;

  /// When the products of a matrix instruction may begin here; unknown_cycle as long as that is not known.
  virtual cycle_t earliest_begin(const matrix_job& part) const = 0;
  /// They begin in a cycle.
  virtual void begin_products(matrix_job& part, cycle_t cycle) = 0;
  /// Something that the other's jobs wait for here has come.
  virtual void partner_changed() = 0;

  /// Both jobs are done: this engine led, and an answer is due, or took part.
  virtual void conclude(tensor_job& job, cycle_t complete) = 0;

  /// Somebody knows that what a warp of the other SM has committed up to an instruction is complete.
  virtual void settle_part(const warp::warp_context& warp, std::uint64_t number) = 0;
  /// Somebody at the other SM's mbarriers has seen the phase of a commit complete.
  virtual void part_observed(std::uint64_t commit) = 0;
};

}  // namespace tc::engine
