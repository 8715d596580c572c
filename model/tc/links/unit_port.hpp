// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include <tc/isa/opcode.hpp>

namespace tc::links {

/// The execution units of a sub-core that take dispatched instructions, in the order of the operand fetch's sockets.
enum class unit_port : unsigned {
  tensor,
  fp32,
  integer,
  half,
  fp64,
  special_function,
  uniform,
  load_store,
  constant,
  system,
  warpgroup,
  tensor_memory
};

inline constexpr unsigned unit_ports = 12;

inline constexpr std::array<std::string_view, unit_ports> unit_port_names{
    "tensor",  "fp32",       "integer",  "half",   "fp64",      "special_function",
    "uniform", "load_store", "constant", "system", "warpgroup", "tensor_memory"};

/// The units that a sub-core has. Only the last two may be missing; one that does has no socket at the operand fetch.
struct unit_port_set {
  bool warpgroup = true, tensor_memory = true;

  constexpr unsigned count() const { return unit_ports - (warpgroup ? 0 : 1) - (tensor_memory ? 0 : 1); }
  /// Which socket is that of a unit.
  constexpr unsigned socket(unit_port port) const {
    return static_cast<unsigned>(port) - (port == unit_port::tensor_memory && !warpgroup ? 1 : 0);
  }
};

/// Whether an instruction ends in the scheduler itself.
inline bool ends_in_scheduler(isa::opcode op) {
  const isa::issue_role role = isa::role_of(op);
  return role != isa::issue_role::dispatched && role != isa::issue_role::arrives_at_barrier && role != isa::issue_role::holds_warp;
}

/// The socket of the unit that takes an instruction; not for those that end in the scheduler. BAR goes through the load-store unit's queue:
/// a warp arrives at a barrier behind its own earlier memory accesses.
inline unit_port port_of(isa::opcode op) {
  if (isa::role_of(op) == isa::issue_role::arrives_at_barrier) return unit_port::load_store;
  switch (isa::unit_of(op)) {
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
    case isa::execution_unit::warpgroup:
      return unit_port::warpgroup;
    case isa::execution_unit::load_store:
      return unit_port::load_store;
    case isa::execution_unit::constant_load:
      return unit_port::constant;
    case isa::execution_unit::tensor_memory:
      return unit_port::tensor_memory;
    case isa::execution_unit::none:
    case isa::execution_unit::branch:
    case isa::execution_unit::system:
      break;
  }
  return unit_port::system;
}

}  // namespace tc::links
