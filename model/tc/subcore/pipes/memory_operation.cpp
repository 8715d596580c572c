// SPDX-License-Identifier: Apache-2.0
#include "memory_operation.hpp"

namespace tc::subcore {

memory_operation operation_of(isa::opcode op) {
  const isa::memory_use use = isa::info(op).memory;
  memory_operation operation;
  operation.action = use.action;
  switch (use.action) {
    case memory_action::none:
    case memory_action::order:
      return operation;
    case memory_action::barrier:
    case memory_action::bulk_copy:
      operation.space = memory_space::shared;
      operation.asynchronous = true;
      return operation;
    case memory_action::transpose_matrix:
    case memory_action::exchange:
      operation.space = memory_space::shared;
      operation.computed = use.action == memory_action::transpose_matrix;
      return operation;
    default:
      break;
  }
  const bool is_local = use.space == memory_space::local;
  operation.space = use.space == memory_space::shared ? memory_space::shared : memory_space::global;
  operation.accesses = !is_local;
  operation.computed = !is_local && use.action != memory_action::atomic && use.action != memory_action::copy;
  return operation;
}

}  // namespace tc::subcore
