#pragma once

#include <array>
#include <string_view>

#include <tc/isa/opcode.hpp>

namespace tc::subcore {

/// The execution units of a sub-core that take dispatched instructions, in the order of the operand fetch's sockets.
enum class unit_port : unsigned { tensor, fp32, integer, half, fp64, special_function, uniform, load_store, constant, system };

inline constexpr unsigned unit_ports = 10;

inline constexpr std::array<std::string_view, unit_ports> unit_port_names{
    "tensor", "fp32", "integer", "half", "fp64", "special_function", "uniform", "load_store", "constant", "system"};

/// Whether an instruction ends in the scheduler itself: control flow and waits need no operand values and produce none.
constexpr bool ends_in_scheduler(isa::opcode op, isa::execution_unit unit) {
  switch (op) {
    case isa::opcode::depbar:
    case isa::opcode::nanosleep:
    case isa::opcode::pmtrig:
    case isa::opcode::bpt:
      return true;
    default:
      return unit == isa::execution_unit::none || unit == isa::execution_unit::branch;
  }
}

/// The socket of the unit that takes an instruction; not for those that end in the scheduler. BAR goes through the load-store unit's queue:
/// a warp arrives at a barrier behind its own earlier memory accesses.
constexpr unit_port port_of(isa::opcode op, isa::execution_unit unit) {
  if (op == isa::opcode::bar) return unit_port::load_store;
  switch (unit) {
    case isa::execution_unit::tensor:
      return unit_port::tensor;
    case isa::execution_unit::fp32:
      return unit_port::fp32;
    case isa::execution_unit::integer:
      return unit_port::integer;
    case isa::execution_unit::half:
      return unit_port::half;
    case isa::execution_unit::fp64:
      return unit_port::fp64;
    case isa::execution_unit::special_function:
      return unit_port::special_function;
    case isa::execution_unit::uniform:
      return unit_port::uniform;
    case isa::execution_unit::load_store:
      return unit_port::load_store;
    case isa::execution_unit::constant_load:
      return unit_port::constant;
    case isa::execution_unit::none:
    case isa::execution_unit::branch:
    case isa::execution_unit::system:
      break;
  }
  return unit_port::system;
}

inline bool ends_in_scheduler(isa::opcode op) { return ends_in_scheduler(op, isa::unit_of(op)); }
inline unit_port port_of(isa::opcode op) { return port_of(op, isa::unit_of(op)); }

}  // namespace tc::subcore
