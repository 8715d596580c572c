// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/element_type.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/isa/opcode.hpp>

namespace tc::isa {

// What shapes and element types the matrix instructions of the register file have: decoding, fragment layouts, what a machine is asked
// for, and the sizes of its buffers follow from this alone.

/// Rows of A and of D, and columns of B and of D, that come in tiles of this number: one for each threadgroup of a warp.
inline constexpr unsigned matrix_tile_lines = 8;

/// Most rows of A, and columns of B, of an operation that is one product of the warp.
inline constexpr unsigned max_matrix_rows = 16, max_matrix_columns = 16;

/// Registers of a lane that hold A, B, and C or D, of any operation: those of m16n8k16 in f64.
inline constexpr unsigned max_a_registers = 16, max_b_registers = 8, max_accumulator_registers = 8;

/// Element types that the same multipliers take, and those that they accumulate in.
struct element_kind {
  std::vector<element_type> multiplicands;  ///< of A and of B; the first one stands in the table for all
  std::vector<element_type> accumulators;   ///< of C and D, which have the same one
};

/// The kind of the elements of A and B; nullptr if no matrix instruction has such.
const element_kind* find_element_kind(element_type multiplicand);
/// The same of a type that has one.
const element_kind& element_kind_of(element_type multiplicand);

/// A shape that the hardware has, for elements of one kind.
struct matrix_shape {
  opcode op;
  std::string_view digits;  ///< as the mnemonic spells m, n and k
  std::uint16_t m, n, k;
  element_type elements;  ///< the first one of their kind
  architecture_range architectures;
  bit_operation combine = bit_operation::none;
};

/// The shapes of all architectures, by element kind.
const std::vector<matrix_shape>& hardware_matrix_shapes();

/// Whether one instruction of an architecture multiplies matrices of that shape in registers; u8 counts as s8, and so on.
bool has_mma(architecture arch, element_type elements, unsigned m, unsigned n, unsigned k, bit_operation combine = bit_operation::none);

/// Why an operation that is one product of the warp is none that registers and operand buffers can hold; empty if they can.
std::string unheld_reason(const mma_operation& mma);

/// What the table cannot say of a shape: what() says why, and what would be right.
class matrix_shape_error : public std::invalid_argument {
 public:
  matrix_shape_error(std::string_view part, const std::string& message) : std::invalid_argument(message), part_(part) {}

  /// Which part is wrong: "m", "n", "k", "a", "b", "c", "d", "combine", "saturate", or "mnemonic".
  std::string_view part() const { return part_; }

 private:
  std::string_view part_;
};

/// The table: the shapes of the hardware, and those that a program or a trace declares besides, each by a mnemonic of its own.
class matrix_shape_table {
 public:
  /// The shapes of the hardware alone.
  static const matrix_shape_table& hardware();

  /// Adds an instruction that is one product of the warp. Its mnemonic, suffixes included, is then known on every architecture. Throws
  /// matrix_shape_error.
  void declare(std::string_view mnemonic, const mma_operation& mma);

  /// The operation that was declared with this mnemonic; nullptr if none was.
  const mma_operation* find_declared(std::string_view mnemonic) const;

  /// The mnemonics that were declared, in this order.
  std::vector<std::string> declared() const;

 private:
  struct declared_shape {
    std::string mnemonic;
    mma_operation mma;
  };
  std::vector<declared_shape> declared_;
};

}  // namespace tc::isa
