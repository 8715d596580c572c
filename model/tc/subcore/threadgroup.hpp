#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tc/subcore/fragment_transfer.hpp>
#include <tc/subcore/tensor_operation.hpp>

namespace tc::subcore {

/// Columns of B and D: n of every operation.
inline constexpr unsigned matrix_columns = 8;

/// A row of A or a column of B: its elements packed into words, in ascending k.
using packed_row = std::array<std::uint32_t, lanes_per_threadgroup * max_b_registers>;
using packed_columns = std::array<packed_row, matrix_columns>;

/// Four lanes of a warp with their A buffer, accumulator buffer and dot-product units. Threadgroup g holds rows g and, if m is 16, g + 8 of
/// A, C and D in its own lanes, and needs all of B (fragment figures of the PTX ISA, mma.m16n8k8 and following; Raihan et al., ISPASS
/// 2019). It has no time of its own: the schedule that comes with the fragments says when each tile is taken and given up.
class threadgroup {
 public:
  /// `number`: 0 to 7; depths of the buffers in tiles.
  threadgroup(unsigned number, unsigned a_tiles, unsigned accumulator_tiles);

  /// Takes a tile of each buffer from the schedule's dispatch to its release. Earlier tenants must have left.
  void reserve_tiles(const tensor_schedule& schedule);

  /// Stores the fragments of this threadgroup's lanes in the schedule's tiles.
  void fill(const fragment_transfer& operands);

  /// The dot products of the rows and accumulators in the schedule's tiles with the columns of B; leaves D in the registers of this
  /// threadgroup's lanes.
  void compute(const packed_columns& b, fragment_transfer& products) const;

 private:
  static constexpr unsigned max_rows = 2;

  struct a_tile {
    cycle_t taken_until = 0;
    std::array<packed_row, max_rows> rows{};
  };
  struct accumulator_tile {
    cycle_t taken_until = 0;
    std::array<std::array<std::uint32_t, matrix_columns>, max_rows> values{};  ///< an element each, f16 in the low half
  };

  void fill_a(const fragment_transfer& operands, a_tile& tile) const;
  void fill_accumulators(const fragment_transfer& operands, accumulator_tile& tile) const;

  unsigned first_lane_;
  std::vector<a_tile> a_;
  std::vector<accumulator_tile> accumulators_;
};

}  // namespace tc::subcore
