#pragma once

#include <cstdint>

#include <tc/isa/instruction.hpp>

namespace tc::subcore {

/// Which memory an instruction of the load-store unit goes to; its results come back in order with those of the same space. Exchanges
/// between lanes go through the data path of the shared memory without using its banks.
enum class memory_space : std::uint8_t { shared, global };
inline constexpr unsigned memory_spaces = 2;

/// What an instruction of the load-store unit does.
enum class memory_action : std::uint8_t {
  none,              ///< orders other accesses: MEMBAR, LDGDEPBAR, ...
  load,              ///< each lane reads its own bytes
  store,             ///< each lane writes its own bytes
  load_matrix,       ///< LDSM: rows of 8x8 matrices, dealt to the lanes
  store_matrix,      ///< STSM
  transpose_matrix,  ///< MOVM: an 8x8 matrix changes places between lanes
  access_only,       ///< not computed; takes the time of a read at its addresses: atomics, LDGSTS
  pipeline_only,     ///< not computed; takes the time of the pipeline: SHFL, local memory
};

struct memory_operation {
  memory_action action = memory_action::none;
  memory_space space = memory_space::global;

  bool is_load() const { return action == memory_action::load || action == memory_action::load_matrix; }
  bool is_store() const { return action == memory_action::store || action == memory_action::store_matrix; }
  bool is_matrix() const { return action == memory_action::load_matrix || action == memory_action::store_matrix; }
  bool is_access() const { return is_load() || is_store() || action == memory_action::access_only; }
  bool is_computed() const { return action != memory_action::access_only && action != memory_action::pipeline_only; }
};

/// Generic loads and stores (LD, ST, ATOM) go to global memory.
memory_operation operation_of(isa::opcode op);

}  // namespace tc::subcore
