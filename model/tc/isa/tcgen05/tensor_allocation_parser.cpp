// SPDX-License-Identifier: Apache-2.0
#include "tensor_allocation_parser.hpp"

#include <limits>
#include <string>

#include <fmt/format.h>

#include <tc/isa/ptx_operand_list.hpp>
#include <tc/isa/tcgen05/tcgen05_qualifiers.hpp>

namespace tc::isa {
namespace {

using sort = tcgen05_qualifier;

// PTX ISA, tcgen05.alloc.
constexpr std::uint32_t min_columns = 32, max_columns = tensor_columns, column_unit = 32;
constexpr unsigned destination_alignment = 4;

tensor_allocation_operation read_allocation(ptx_statement& statement) {
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {sort::cta_group, sort::sync, sort::aligned, sort::b32},
                                      {sort::shared_cta});
  tensor_allocation_operation result{tensor_allocation::allocate, qualifiers.group()};
  ptx_operand_list operands(statement.operands, "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [destination], columns",
                            statement.source);
  result.destination = operands.shared_address("the address of the destination", destination_alignment);
  result.columns = static_cast<std::uint32_t>(operands.number("the number of columns", min_columns, max_columns));
  if ((result.columns & (result.columns - 1)) != 0) {
    operands.fail(
        fmt::format("the number of columns is {}; it must be a power of two from {} to {}", result.columns, min_columns, max_columns));
  }
  operands.finish();
  return result;
}

tensor_allocation_operation read_deallocation(ptx_statement& statement) {
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {sort::cta_group, sort::sync, sort::aligned, sort::b32});
  tensor_allocation_operation result{tensor_allocation::deallocate, qualifiers.group()};
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  ptx_operand_list operands(statement.operands, "tcgen05.dealloc.cta_group::1.sync.aligned.b32 address, columns", statement.source);
  result.tensor_address = static_cast<std::uint32_t>(operands.number("the address in tensor memory", 0, most));
  result.columns = static_cast<std::uint32_t>(operands.number("the number of columns", 0, most));
  if (result.columns % column_unit != 0) {
    operands.fail(fmt::format("the number of columns is {}; it must be a multiple of {}", result.columns, column_unit));
  }
  operands.finish();
  return result;
}

tensor_allocation_operation read_relinquishment(ptx_statement& statement) {
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {sort::cta_group, sort::sync, sort::aligned});
  ptx_operand_list(statement.operands, "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned without operands", statement.source)
      .finish();
  return {tensor_allocation::relinquish, qualifiers.group()};
}

}  // namespace

tensor_allocation_operation parse_tensor_allocation(ptx_statement& statement) {
  if (statement.op == opcode::tcgen05_alloc) return read_allocation(statement);
  if (statement.op == opcode::tcgen05_dealloc) return read_deallocation(statement);
  return read_relinquishment(statement);
}

}  // namespace tc::isa
