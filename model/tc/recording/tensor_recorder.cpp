// SPDX-License-Identifier: Apache-2.0
#include "tensor_recorder.hpp"

#include <algorithm>

#include <tc/recording/record_types.hpp>

namespace tc::recording {

tensor_recorder::tensor_recorder(fabric::recorder& records, const fabric::clock_domain& clock, const std::string& tensor)
    : records_(records),
      clock_(clock),
      operand_transfer_(records.add_stream(tensor, operand_transfer_type)),
      a_tile_(records.add_stream(tensor, a_tile_type)),
      b_tile_(records.add_stream(tensor, b_tile_type)),
      accumulator_tile_(records.add_stream(tensor, accumulator_tile_type)),
      dot_product_(records.add_stream(tensor, dot_product_type)),
      pass_(records.add_stream(tensor, pass_type)) {}

/// A B buffer of somebody else's may have answered late: what has passed is left out.
void tensor_recorder::tell(const fabric::record_stream& stream, fabric::cycle_t begin, fabric::cycle_t end,
                           std::initializer_list<fabric::record_value> values, std::uint64_t parent) {
  const fabric::cycle_t first = std::max(begin, clock_.cycle());
  records_.span(stream, first, std::max(first, end), values, parent);
}

void tensor_recorder::dispatched(const links::warp_instruction& instruction) {
  if (records_.is_over()) return;
  tell(operand_transfer_, instruction.dispatch, instruction.operands_read, {std::uint64_t{instruction.warp->slot}}, instruction.record);
}

void tensor_recorder::filled(const links::matrix_work& work) {
  if (records_.is_over()) return;
  const links::tensor_schedule& when = work.schedule;
  tell(a_tile_, when.dispatch, when.release, {std::uint64_t{when.a_tile}}, work.record);
  tell(b_tile_, when.dispatch, when.release, {std::uint64_t{when.b_tile}}, work.record);
  tell(accumulator_tile_, when.dispatch, when.accumulator_release, {std::uint64_t{when.accumulator_tile}}, work.record);
  tell(dot_product_, when.compute, when.release, {}, work.record);
  tell_passes(work);
}

/// Products of f64 start step by step of their chains, all others one after the other.
void tensor_recorder::tell_passes(const links::matrix_work& work) {
  const links::tensor_schedule& when = work.schedule;
  const unsigned steps = work.mma->a == isa::element_type::f64 ? work.mma->k : 1;
  const unsigned starts = when.beats / steps;
  const fabric::cycle_t step_cycles = (when.release - when.compute) / steps;
  for (unsigned beat = 0; beat < when.beats; ++beat) {
    const fabric::cycle_t cycle = when.compute + beat / starts * step_cycles + beat % starts;
    tell(pass_, cycle, cycle + 1, {std::uint64_t{beat}}, work.record);
  }
}

}  // namespace tc::recording
