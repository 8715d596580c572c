// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/fragment_layout.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/memory_access.hpp>

namespace tc::kernels {

enum class wmma_action : std::uint8_t { load, multiply, store };

/// Where a matrix lies in memory.
struct matrix_location {
  isa::memory_space space = isa::memory_space::generic;
  std::uint64_t address = 0;  ///< of the first element, in bytes
  std::uint64_t stride = 0;   ///< elements from the start of one row to that of the next, or of one column if it is stored by columns
  bool by_columns = false;    ///< .col
};

/// An instruction of the WMMA API as PTX writes it (PTX ISA, sections on wmma.load, wmma.store and wmma.mma).
struct wmma_instruction {
  wmma_action action = wmma_action::load;
  isa::mma_operation mma;                      ///< of a load or store, an operation that has such a fragment
  isa::fragment which = isa::fragment::a;      ///< that is loaded or stored
  matrix_location matrix;                      ///< of a load or store
  std::array<std::vector<unsigned>, 4> named;  ///< vector registers of A, B, C and D that the instruction names
  std::string guard;                           ///< "@P0 ", or empty
  std::string control;                         ///< "[B------:R-:W-:-:S01]", or empty

  const std::vector<unsigned>& registers(isa::fragment fragment) const { return named[static_cast<std::size_t>(fragment)]; }
};

/// True for the opcodes of wmma_instruction.
bool is_wmma_opcode(std::string_view opcode);

/// Decodes `[control] [@predicate] OPCODE operands` of a kernel. Addresses and strides are numbers, fragments lists of registers: as many
/// as a lane has (isa::fragment_layout), the registers of a 64-bit element one after the other. Throws isa::syntax_error: a malformed
/// operand, a shape or type that the architecture does not have, a register beyond the kernel's, an address or stride that is not aligned
/// as the PTX ISA demands.
wmma_instruction parse_wmma(std::string_view code, const trace::kernel_header& header);

}  // namespace tc::kernels
