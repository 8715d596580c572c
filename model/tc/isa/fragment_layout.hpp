// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tc/isa/linear_layout.hpp>
#include <tc/isa/mma_operation.hpp>

namespace tc::isa {

/// The operand of a matrix instruction that a warp's registers hold. C and D have one layout and may differ in element type.
enum class fragment : std::uint8_t { a, b, c, d };

/// What the eight threadgroups (lane / 4) of a warp count in a tile.
enum class tile_lines : std::uint8_t { rows, columns };

/// The layout of a fragment built of tiles, as all are from Turing on (fragment figures of the PTX ISA): in a tile, threadgroup g holds
/// line g, and each of its four lanes `run` neighbours of the line. Each step of `tiles` says where the tile lies that the next bit of the
/// element number selects. `run` is a power of two.
linear_layout tiled_layout(tile_lines lines, unsigned run, const std::vector<matrix_position>& tiles);

/// What the two bits of a quad pair's number (lane / 4 modulo 4) mean, and the bits of the element number beyond an 8x8x4.
struct quad_pair_steps {
  matrix_position low, high;
  std::vector<matrix_position> further;
};

/// The layout of a fragment on Volta, where the eight lanes of a quad pair, also called octet, hold an 8x8x4 between them (PTX ISA, mma
/// m8n8k4; Raihan et al., ISPASS 2019, table II). `by_columns` says that a lane holds a column of A or of B; it does not matter to C and D.
linear_layout quad_pair_layout(fragment which, bool by_columns, unsigned element_bits, const quad_pair_steps& steps);

/// Where a warp keeps one element.
struct fragment_element {
  unsigned lane = 0;
  unsigned reg = 0;      ///< register of the operand, 0 first; of a 64-bit element the lower one
  unsigned element = 0;  ///< element in the register, 0 in the lowest bits
};

constexpr bool operator==(fragment_element x, fragment_element y) { return x.lane == y.lane && x.reg == y.reg && x.element == y.element; }

/// The element type of an operand.
constexpr element_type type_of(const mma_operation& mma, fragment which) {
  switch (which) {
    case fragment::a:
      return mma.a;
    case fragment::b:
      return mma.b;
    case fragment::c:
      return mma.c;
    case fragment::d:
      break;
  }
  return mma.d;
}

/// Which lane and register holds which matrix element of an operand of a register-file matrix instruction.
class fragment_layout {
 public:
  static constexpr unsigned lanes = linear_layout::lanes;

  /// The layout of an operand of an instruction of the hardware or of a mma.sync (fragment figures of the PTX ISA, section on mma; for
  /// HMMA.884 also Raihan et al., ISPASS 2019). An HMMA.884 with a step names of C and D the part that the step computes.
  fragment_layout(const mma_operation& mma, fragment which);

  /// The layout of an operand of `mma` whose elements are where `map` says.
  fragment_layout(const mma_operation& mma, fragment which, const linear_layout& map);

  unsigned rows() const { return rows_; }
  unsigned columns() const { return columns_; }
  unsigned matrices() const { return matrices_; }                       ///< 4 for m8n8k4 of half precision, else 1
  unsigned elements() const { return map_.elements(); }                 ///< of a lane, copies included
  unsigned registers() const { return registers_of(map_.elements()); }  ///< of a lane
  /// Elements in a register; 1 also for 64-bit elements, which fill two registers.
  unsigned elements_per_register() const { return elements_per_register_; }
  unsigned registers_per_element() const { return registers_per_element_; }

  /// The element that a lane holds. `reg` is even for 64-bit elements.
  matrix_position position(unsigned lane, unsigned reg, unsigned element) const {
    return map_.position(lane, reg / registers_per_element_ * elements_per_register_ + element);
  }

  /// Everyone who holds an element, by lane, then register: several if the layout makes copies, nobody if the element belongs to another
  /// step of an HMMA.884. `matrix` names the quad pair of an m8n8k4.
  std::vector<fragment_element> holders(unsigned row, unsigned column, unsigned matrix = 0) const;

  /// The first of the holders.
  std::optional<fragment_element> holder(unsigned row, unsigned column, unsigned matrix = 0) const;

 private:
  unsigned registers_of(unsigned elements) const { return elements / elements_per_register_ * registers_per_element_; }

  linear_layout map_;
  unsigned rows_, columns_, matrices_;
  unsigned elements_per_register_ = 1, registers_per_element_ = 1;
};

}  // namespace tc::isa
