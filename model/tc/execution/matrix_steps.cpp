// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include <tc/execution/cta_state.hpp>
#include <tc/execution/steps.hpp>
#include <tc/execution/warp_state.hpp>

namespace tc::execution {

namespace {

constexpr unsigned most_operand_registers = 128;  // the accumulators of 64 x 256 f32

/// The registers of an operand; RZ stands for as many zeros.
const warp::lane_vector* operand_registers(const warp_state& warp, unsigned index) {
  static constexpr std::array<warp::lane_vector, most_operand_registers> zeros{};
  return index == isa::zero_register ? zeros.data() : &warp.registers().vector[index];
}

std::uint64_t descriptor_in(const warp_state& warp, unsigned index) {
  const auto& uniform = warp.registers().uniform;
  return std::uint64_t{uniform[index + 1]} << 32U | uniform[index];
}

}  // namespace

/// The whole warp takes part, whatever the mask says.
void steps::multiply_registers(warp_state& warp, const operation& op, std::uint32_t) {
  const isa::instruction& code = *op.code;
  const isa::operand& destination = code.destinations[0];
  if (destination.index == isa::zero_register) return;
  const auto sign = [&](unsigned s) { return register_product::operand_sign{code.sources[s].absolute, code.sources[s].negated}; };
  op.product->multiply(operand_registers(warp, code.sources[0].index), operand_registers(warp, code.sources[1].index),
                       operand_registers(warp, code.sources[2].index), &warp.registers().vector[destination.index],
                       {sign(0), sign(1), sign(2)});
}

/// HGMMA. Its operands in shared memory are those of now: a program that changes them before it has waited for the product has no
/// defined result.
void steps::multiply_warpgroup(warp_state& warp, const operation& op, std::uint32_t) {
  constexpr unsigned warps_per_group = 4;
  const warpgroup_product& product = *op.warpgroup;
  const warpgroup_operands& operands = product.operands();
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
  ++warp.counts().warpgroup_products;
  const auto missing = product.multiply(values, operand_registers(warp, operands.c), &warp.registers().vector[operands.d]);
  if (missing)
    warp.fail(op, fmt::format("a matrix reaches to {:#x}, outside of the {} bytes of shared memory that the launch has", *missing,
                              values.shared_bytes));
}

}  // namespace tc::execution
