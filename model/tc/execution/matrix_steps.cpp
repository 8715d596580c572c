// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <tc/execution/steps.hpp>
#include <tc/execution/warp_state.hpp>
#include <tc/execution/warpgroup_values.hpp>

namespace tc::execution {

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

/// HMMA.884.
void steps::multiply_quad_pairs(warp_state& warp, const operation& op, std::uint32_t) {
  const isa::instruction& code = *op.code;
  const isa::operand& destination = code.destinations[0];
  if (destination.index == isa::zero_register) return;
  op.quad_pairs->multiply(operand_registers(warp, code.sources[0].index), operand_registers(warp, code.sources[1].index),
                          operand_registers(warp, code.sources[2].index), &warp.registers().vector[destination.index]);
}

/// HMMA.SP, IMMA.SP, QMMA.SP.
void steps::multiply_sparse(warp_state& warp, const operation& op, std::uint32_t) {
  const sparse_operands& operands = op.sparse->operands();
  if (operands.d == isa::zero_register) return;
  op.sparse->multiply(operand_registers(warp, operands.a), operand_registers(warp, operands.b), operand_registers(warp, operands.c),
                      *operand_registers(warp, operands.metadata), &warp.registers().vector[operands.d]);
}

/// HGMMA. Its operands in shared memory are those of now: a program that changes them before it has waited for the product has no
/// defined result.
void steps::multiply_warpgroup(warp_state& warp, const operation& op, std::uint32_t) {
  const warpgroup_product& product = *op.warpgroup;
  const warpgroup_operands& operands = product.operands();
  const warpgroup_product::values values = warpgroup_values(warp, op);
  ++warp.counts().warpgroup_products;
  const auto missing = product.multiply(values, operand_registers(warp, operands.c), &warp.registers().vector[operands.d]);
  if (missing)
    warp.fail(op, fmt::format("a matrix reaches to {:#x}, outside of the {} bytes of shared memory that the launch has", *missing,
                              values.shared_bytes));
}

}  // namespace tc::execution
