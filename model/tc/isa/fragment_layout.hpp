#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tc/isa/mma_operation.hpp>

namespace tc::isa {

/// The operand of a matrix instruction that a warp's registers hold. C and D have one layout and may differ in element type.
enum class fragment : std::uint8_t { a, b, c, d };

/// Row and column of an element in its matrix: of A (m x k), B (k x n), C or D (m x n).
struct matrix_position {
  unsigned row = 0, column = 0;
};

constexpr bool operator==(matrix_position x, matrix_position y) { return x.row == y.row && x.column == y.column; }

/// Where a warp keeps one element.
struct fragment_element {
  unsigned lane = 0;
  unsigned reg = 0;      ///< register of the operand, 0 first; of a 64-bit element the lower one
  unsigned element = 0;  ///< element in the register, 0 in the lowest bits
};

constexpr bool operator==(fragment_element x, fragment_element y) { return x.lane == y.lane && x.reg == y.reg && x.element == y.element; }

/// Which lane and register holds which matrix element, for the operands of a register-file matrix instruction (fragment figures of the PTX
/// ISA, section on mma; for HMMA.884 also Raihan et al., ISPASS 2019). An HMMA.884 names the 8x8x4 of each quad pair, and of C and D the
/// part that its step computes.
class fragment_layout {
 public:
  static constexpr unsigned lanes = 32;

  fragment_layout(const mma_operation& mma, fragment which);

  unsigned rows() const { return rows_; }
  unsigned columns() const { return columns_; }
  unsigned registers() const { return registers_; }  ///< registers of a lane
  /// Elements in a register; 1 also for 64-bit elements, which fill two registers.
  unsigned elements_per_register() const { return elements_per_register_; }
  unsigned registers_per_element() const { return registers_per_element_; }

  /// The element that a lane holds. `reg` is even for 64-bit elements.
  matrix_position position(unsigned lane, unsigned reg, unsigned element) const {
    return positions_[(lane * registers_ + reg) / registers_per_element_ * elements_per_register_ + element];
  }

  /// Who holds an element; nothing if it belongs to another step of an HMMA.884. `quad_pair` names one of its four matrices.
  std::optional<fragment_element> holder(unsigned row, unsigned column, unsigned quad_pair = 0) const {
    return holders_[(quad_pair * rows_ + row) * columns_ + column];
  }

 private:
  unsigned rows_ = 0, columns_ = 0, registers_ = 0, elements_per_register_ = 1, registers_per_element_ = 1;
  std::vector<matrix_position> positions_;                ///< by lane and element
  std::vector<std::optional<fragment_element>> holders_;  ///< by quad pair, row and column
};

}  // namespace tc::isa
