#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tc/subcore/fragment_transfer.hpp>
#include <tc/subcore/octet_range.hpp>
#include <tc/subcore/tensor_operation.hpp>

namespace tc::subcore {

/// Columns of B and D: n of every operation.
inline constexpr unsigned matrix_columns = 8;

/// The columns of B one after the other: their elements packed into words, in ascending k.
using packed_columns = std::array<std::uint32_t, matrix_columns * lanes_per_threadgroup * max_b_registers>;

/// The threadgroups of a tensor core. Each is four lanes of a warp with their A buffer, accumulator buffer and dot-product units.
/// Threadgroup g holds rows g and, if m is 16, g + 8 of A, C and D in its own lanes, and needs all of B (fragment figures of the PTX ISA,
/// mma.m16n8k8 and following; Raihan et al., ISPASS 2019). In a step of HMMA.884 it holds up to four rows, and needs the columns of B that
/// one of the threadgroups of its octet holds. They work in step: a tile is taken in the buffers of all. They have no time of their own:
/// the schedule that comes with the fragments says when each tile is taken and given up.
///
/// The tiles of all threadgroups stand side by side, so that the arithmetic takes the same word of all rows at once: rows g of the
/// threadgroups, then their rows g + 8. For HMMA.884 each octet's rows stand by themselves, first those of its lower threadgroup.
class threadgroups {
 public:
  /// Those of some octets; depths of the buffers in tiles.
  threadgroups(const octet_range& octets, unsigned a_tiles, unsigned accumulator_tiles);

  const octet_range& octets() const { return octets_; }
  unsigned count() const { return octets_.threadgroups(); }

  /// Takes a tile of each buffer from the schedule's dispatch until it is released. Earlier tenants must have left.
  void reserve_tiles(const tensor_schedule& schedule);

  /// Stores the fragments of these threadgroups' lanes in the schedule's tiles.
  void fill(const fragment_transfer& operands);

  /// The dot products of the rows and accumulators in the schedule's tiles with the columns of B; leaves D in the registers of these
  /// threadgroups' lanes. For HMMA.884, the four columns of each octet, one octet after the other.
  void compute(const packed_columns& b, fragment_transfer& products) const;

 private:
  static constexpr unsigned max_rows = 16;

  struct a_tile {
    cycle_t taken_until = 0;
    std::array<std::uint32_t, max_a_registers * lanes_per_warp> words{};  ///< by word of a row, then row
  };
  /// By column, then row; f16 in the low half of a word, f64 in two words.
  using accumulators = std::array<std::uint32_t, 2 * matrix_columns * max_rows>;
  struct accumulator_tile {
    cycle_t taken_until = 0;
    accumulators values{};
  };

  void fill_a(const fragment_transfer& operands, a_tile& tile) const;
  void fill_accumulators(const fragment_transfer& operands, accumulator_tile& tile) const;
  void store_products(const accumulators& d, fragment_transfer& products) const;
  unsigned rows(const tensor_operation& operation) const { return count() * operation.rows_per_threadgroup(); }
  unsigned first_lane_of(unsigned i) const { return octets_.threadgroup(i) * lanes_per_threadgroup; }

  octet_range octets_;
  std::vector<a_tile> a_;
  std::vector<accumulator_tile> accumulators_;
};

}  // namespace tc::subcore
