// SPDX-License-Identifier: Apache-2.0
#include "tcgen05_parser.hpp"

#include <tc/isa/tcgen05/tensor_access_parser.hpp>
#include <tc/isa/tcgen05/tensor_allocation_parser.hpp>
#include <tc/isa/tcgen05/tensor_control_parser.hpp>
#include <tc/isa/tcgen05/tensor_copy_parser.hpp>
#include <tc/isa/tcgen05/tensor_mma_parser.hpp>

namespace tc::isa {

tcgen05_operation parse_tcgen05(ptx_statement& statement) {
  switch (statement.op) {
    case opcode::tcgen05_alloc:
    case opcode::tcgen05_dealloc:
    case opcode::tcgen05_relinquish_alloc_permit:
      return parse_tensor_allocation(statement);
    case opcode::tcgen05_ld:
    case opcode::tcgen05_st:
      return parse_tensor_access(statement);
    case opcode::tcgen05_wait_ld:
    case opcode::tcgen05_wait_st:
      return parse_tensor_wait(statement);
    case opcode::tcgen05_cp:
      return parse_tensor_copy(statement);
    case opcode::tcgen05_shift:
      return parse_tensor_shift(statement);
    case opcode::tcgen05_mma:
      return parse_tensor_mma(statement);
    case opcode::tcgen05_commit:
      return parse_tensor_commit(statement);
    default:
      return parse_tensor_fence(statement);
  }
}

}  // namespace tc::isa
