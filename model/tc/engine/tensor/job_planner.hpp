// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <tc/engine/tensor/tensor_hazards.hpp>
#include <tc/engine/tensor/tensor_job.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>

namespace tc::engine {

/// A decoded instruction, and the cells that it touches.
struct planned_job {
  std::unique_ptr<tensor_job> job;
  tensor_hazards::access access{};
};

/// The part of a tcgen05.mma, cp or shift that is one CTA's, with this number in the group; layouts of what is copied are kept in
/// `layouts`. Throws std::invalid_argument with the rule that the operation breaks.
planned_job plan_job(const isa::tcgen05_operation& operation, unsigned cta, operand_layouts& layouts);

/// Whether both CTAs of a pair have a part in an operation on tensor memory.
bool is_of_pair(const isa::tcgen05_operation& operation);

}  // namespace tc::engine
