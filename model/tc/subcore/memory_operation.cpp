#include <tc/subcore/memory_operation.hpp>

namespace tc::subcore {

memory_operation operation_of(isa::opcode op) {
  using action = memory_action;
  using space = memory_space;
  switch (op) {
    case isa::opcode::ldg:
    case isa::opcode::ld:
      return {action::load, space::global};
    case isa::opcode::stg:
    case isa::opcode::st:
      return {action::store, space::global};
    case isa::opcode::lds:
      return {action::load, space::shared};
    case isa::opcode::sts:
      return {action::store, space::shared};
    case isa::opcode::ldsm:
      return {action::load_matrix, space::shared};
    case isa::opcode::stsm:
      return {action::store_matrix, space::shared};
    case isa::opcode::movm:
      return {action::transpose_matrix, space::shared};
    case isa::opcode::atom:
    case isa::opcode::atomg:
    case isa::opcode::red:
    case isa::opcode::ldgsts:
      return {action::access_only, space::global};
    case isa::opcode::atoms:
      return {action::access_only, space::shared};
    case isa::opcode::ldl:
    case isa::opcode::stl:
      return {action::pipeline_only, space::global};
    case isa::opcode::shfl:
      return {action::pipeline_only, space::shared};
    default:
      return {};
  }
}

}  // namespace tc::subcore
