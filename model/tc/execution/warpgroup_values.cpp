// SPDX-License-Identifier: Apache-2.0
#include "warpgroup_values.hpp"

#include <array>
#include <stdexcept>

#include <tc/execution/cta_state.hpp>
#include <tc/execution/program.hpp>
#include <tc/execution/warp_state.hpp>

namespace tc::execution {

namespace {

constexpr unsigned most_operand_registers = 128;  // the accumulators of 64 x 256 f32

std::uint64_t descriptor_in(const warp_state& warp, unsigned index) {
  const auto& uniform = warp.registers().uniform;
  return std::uint64_t{uniform[index + 1]} << 32U | uniform[index];
}

}  // namespace

const warp::lane_vector* operand_registers(const warp_state& warp, unsigned index) {
  static constexpr std::array<warp::lane_vector, most_operand_registers> zeros{};
  return index == isa::zero_register ? zeros.data() : &warp.registers().vector[index];
}

warpgroup_product::values warpgroup_values(const warp_state& warp, const operation& op) {
  constexpr unsigned warps_per_group = 4;
  const warpgroup_operands& operands = op.warpgroup->operands();
  const isa::architecture arch = warp.code().kernel().arch;
  warpgroup_product::values values;
  values.warp = warp.context().warp_in_cta % warps_per_group;
  values.shared = warp.cta().shared();
  values.shared_bytes = warp.cta().shared_bytes();
  try {
    if (operands.matrices.a_in_registers)
      values.a_registers = operand_registers(warp, operands.a);
    else
      values.a = isa::decode_matrix_descriptor(descriptor_in(warp, operands.descriptors), arch);
    values.b = isa::decode_matrix_descriptor(descriptor_in(warp, operands.descriptors + 2U), arch);
  } catch (const std::invalid_argument& error) {
    warp.fail(op, error.what());
  }
  if (operands.has_condition) {
    const auto& file =
        operands.condition_file == isa::register_file::predicate ? warp.registers().predicates : warp.registers().uniform_predicates;
    values.accumulate = ((file[operands.condition] & 1U) != 0) != operands.condition_is_inverted;
  }
  return values;
}

}  // namespace tc::execution
