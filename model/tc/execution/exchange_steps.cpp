// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <tc/execution/cta_state.hpp>
#include <tc/execution/steps.hpp>
#include <tc/execution/warp_state.hpp>
#include <tc/lanes/predicate_combination.hpp>
#include <tc/lanes/warp_operations.hpp>

namespace tc::execution {

/// What lanes compute from each other's values.
void steps::compute_warp(warp_state& warp, const operation& op, std::uint32_t mask) {
  const isa::instruction& code = *op.code;
  std::array<lanes::lane_source, isa::instruction::max_sources> sources;
  std::array<std::array<warp::lane_vector, 2>, isa::instruction::max_sources> store;
  for (unsigned s = 0; s < code.source_count; ++s) sources[s] = warp.source(op, s, store[s][0], store[s][1]);
  lanes::lane_result& result = warp.cta().results();
  lanes::find_warp_operation(code)(lanes::lane_operands(code, sources), mask, result);
  for (unsigned d = 0; d < code.destination_count; ++d) {
    const isa::operand& destination = code.destinations[d];
    if (destination.is_predicate())
      warp.write_predicate(destination, result.predicates[d], mask);
    else
      warp.write(destination, 0, result.registers[0], mask);
  }
}

/// R2UR with a predicate: the value of the lowest lane, and in which lanes it is another; with .OR and .AND combined with what the
/// predicate was (compiled code goes on in a loop with the lanes where it is another).
void steps::move_to_uniform(warp_state& warp, const operation& op, std::uint32_t mask) {
  warp::lane_vector store;
  const warp::lane_vector& values = warp.word(op, 0, store);
  const std::uint32_t first = values[static_cast<unsigned>(__builtin_ctz(mask))];
  std::uint32_t differs = 0;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
    if (values[lane] != first) differs |= 1U << lane;
  const isa::operand& predicate = op.code->destinations[0];
  if (op.code->mods.combine != isa::boolean_operation::none)
    differs = lanes::combined(op.code->mods.combine, differs, warp.registers().predicates[predicate.index]);
  for (unsigned d = 0; d < op.code->destination_count; ++d) {
    const isa::operand& destination = op.code->destinations[d];
    if (destination.is_predicate())
      warp.write_predicate(destination, differs, mask);
    else
      warp.write(destination, 0, warp::broadcast(first), mask);
  }
}

}  // namespace tc::execution
