// SPDX-License-Identifier: Apache-2.0
#include "async_control_parser.hpp"

#include <limits>
#include <string>

#include <tc/isa/ptx_operand_list.hpp>

namespace tc::isa {
namespace {

/// Groups of wgmma that a wait may leave incomplete: the wait counts in three bits (CUTLASS, warpgroup_wait).
constexpr std::uint32_t max_pending_warpgroups = 7;
constexpr unsigned tensor_map_bytes = 128, tensor_map_alignment = 64;

void finish_aligned(qualifier_list& qualifiers) {
  qualifiers.require({"sync"});
  qualifiers.require({"aligned"});
  qualifiers.finish();
}

std::uint32_t read_pending(const ptx_statement& statement, std::string_view qualifiers, std::uint32_t most) {
  ptx_operand_list operands(statement.operands, std::string(info(statement.op).mnemonic) + std::string(qualifiers) + " N",
                            statement.source);
  const auto pending = static_cast<std::uint32_t>(operands.number("the number of pending groups", 0, most));
  operands.finish();
  return pending;
}

async_control_operation without_operands(const ptx_statement& statement, async_control control) {
  const std::string_view text = statement.operands;
  ptx_operand_list(text, std::string(info(statement.op).mnemonic) + " without operands", statement.source).finish();
  return {control};
}

/// fence.proxy.tensormap::generic.release.scope, or .acquire.scope [map], bytes.
void read_tensor_map_fence(ptx_statement& statement) {
  const bool acquires = statement.qualifiers.require({"release", "acquire"}) == "acquire";
  statement.qualifiers.require({"cta", "cluster", "gpu", "sys"});
  statement.qualifiers.finish();
  ptx_operand_list operands(statement.operands,
                            std::string("fence.proxy.tensormap::generic.") + (acquires ? "acquire.gpu [map], 128" : "release.gpu"),
                            statement.source);
  if (acquires) {
    operands.global_address("the tensor map's address", tensor_map_alignment);
    operands.number("the number of bytes", tensor_map_bytes, tensor_map_bytes);
  }
  operands.finish();
}

async_control_operation read_proxy_fence(ptx_statement& statement) {
  qualifier_list& qualifiers = statement.qualifiers;
  const std::string_view proxy = qualifiers.require({"async", "alias", "tensormap::generic"});
  if (proxy == "tensormap::generic") {
    read_tensor_map_fence(statement);
    return {async_control::other_fence};
  }
  std::string_view space;
  if (proxy == "async") space = qualifiers.take({"shared::cta", "shared::cluster", "global"});
  qualifiers.finish();
  return without_operands(statement, proxy == "async" && space != "global" ? async_control::proxy_fence : async_control::other_fence);
}

async_control_operation read_barrier_fence(ptx_statement& statement) {
  statement.qualifiers.require({"release"});
  statement.qualifiers.require({"cluster"});
  statement.qualifiers.finish();
  return without_operands(statement, async_control::barrier_fence);
}

async_control_operation read_bulk_wait(ptx_statement& statement) {
  const bool read = statement.qualifiers.take("read");
  statement.qualifiers.finish();
  const std::uint32_t pending = read_pending(statement, read ? ".read" : "", std::numeric_limits<std::uint32_t>::max());
  return {read ? async_control::bulk_wait_read : async_control::bulk_wait, pending};
}

}  // namespace

async_control_operation parse_async_control(ptx_statement& statement) {
  switch (statement.op) {
    case opcode::wgmma_fence:
      finish_aligned(statement.qualifiers);
      return without_operands(statement, async_control::warpgroup_arrive);
    case opcode::wgmma_commit_group:
      finish_aligned(statement.qualifiers);
      return without_operands(statement, async_control::warpgroup_commit);
    case opcode::wgmma_wait_group:
      finish_aligned(statement.qualifiers);
      return {async_control::warpgroup_wait, read_pending(statement, ".sync.aligned", max_pending_warpgroups)};
    case opcode::cp_async_bulk_commit_group:
      statement.qualifiers.finish();
      return without_operands(statement, async_control::bulk_commit);
    case opcode::cp_async_bulk_wait_group:
      return read_bulk_wait(statement);
    case opcode::fence_proxy:
      return read_proxy_fence(statement);
    default:
      return read_barrier_fence(statement);
  }
}

}  // namespace tc::isa
