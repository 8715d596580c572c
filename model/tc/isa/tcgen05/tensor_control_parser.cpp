// SPDX-License-Identifier: Apache-2.0
#include "tensor_control_parser.hpp"

#include <limits>
#include <string>

#include <fmt/format.h>

#include <tc/isa/ptx_operand_list.hpp>
#include <tc/isa/tcgen05/tcgen05_qualifiers.hpp>

namespace tc::isa {
namespace {

using sort = tcgen05_qualifier;

constexpr unsigned barrier_alignment = 8;

void finish_without_operands(const ptx_statement& statement, std::string_view qualifiers) {
  ptx_operand_list(statement.operands, fmt::format("{}{} without operands", info(statement.op).mnemonic, qualifiers), statement.source)
      .finish();
}

}  // namespace

tensor_wait_operation parse_tensor_wait(ptx_statement& statement) {
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {sort::sync, sort::aligned});
  finish_without_operands(statement, ".sync.aligned");
  return {statement.op == opcode::tcgen05_wait_ld};
}

tensor_commit_operation parse_tensor_commit(ptx_statement& statement) {
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {sort::cta_group, sort::arrival, sort::b64},
                                      {sort::shared_cluster, sort::multicast});
  const bool multicast = qualifiers.has(sort::multicast);
  tensor_commit_operation result;
  result.group = qualifiers.group();
  ptx_operand_list operands(statement.operands,
                            fmt::format("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster{}.b64 [mbarrier]{}",
                                        multicast ? ".multicast::cluster" : "", multicast ? ", mask of CTAs" : ""),
                            statement.source);
  result.barrier = operands.shared_address("the mbarrier's address", barrier_alignment);
  if (multicast) {
    result.cta_mask = static_cast<std::uint16_t>(operands.number("the mask of CTAs", 0, std::numeric_limits<std::uint16_t>::max()));
  }
  operands.finish();
  return result;
}

tensor_fence_operation parse_tensor_fence(ptx_statement& statement) {
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {});
  finish_without_operands(statement, "");
  return {statement.op == opcode::tcgen05_fence_before};
}

}  // namespace tc::isa
