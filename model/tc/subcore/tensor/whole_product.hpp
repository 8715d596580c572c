// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include <tc/links/matrix_shape.hpp>
#include <tc/numerics/transposition.hpp>
#include <tc/subcore/tensor/product_layout.hpp>

namespace tc::subcore {

/// One product of the whole warp: threadgroup g holds rows g and, if m is 16, g + 8 of A, C and D in its own lanes, and needs all of B
/// (fragment figures of the PTX ISA, mma.m16n8k8 and following; Raihan et al., ISPASS 2019).
///
/// In the buffers the rows of all threadgroups stand side by side, so that the arithmetic takes the same word of all rows at once: rows g
/// of the threadgroups, then their rows g + 8.
class whole_product final : public product_layout {
 public:
  explicit whole_product(const isa::mma_operation& mma);

  links::product_shape shape_of(const links::octet_range& octets) const override;

  bool shares_b() const override { return true; }
  bool streams_a() const override { return false; }
  unsigned adder_passes() const override;
  unsigned operand_bits_used() const override;
  std::uint32_t lanes_reached_by_b(std::uint32_t lanes) const override;

  unsigned b_words(const links::octet_range& octets) const override;
  unsigned first_b_word(const links::octet_range& octets) const override;
  void pack_b(registers b, std::uint32_t* columns) const override;

  void load_a(registers a, const links::octet_range& octets, std::uint32_t* words) const override;
  void load_c(registers c, const links::octet_range& octets, std::uint32_t* values) const override;
  void store_d(const std::uint32_t* values, const links::octet_range& octets, warp::lane_vector* const* d) const override;

 private:
  /// Where the buffers have a register's word of lane 0 of the first threadgroup.
  struct place {
    unsigned words, row_blocks, word;  ///< of all rows; blocks of a row of each threadgroup; words of an element
    unsigned in(unsigned all_rows, unsigned groups) const { return words * all_rows + row_blocks * groups + word; }
  };
  /// Registers whose lanes stand side by side there if all are taken: those of rows g, and of rows g + 8 if there are.
  struct row_pair {
    unsigned first, second, count;
    unsigned word;  ///< of lane 0
  };
  std::vector<row_pair> row_pairs(const place* places, unsigned count) const;
  unsigned all_rows() const { return rows_per_threadgroup() * links::threadgroups_per_warp; }
  place a_place_of(unsigned reg) const;
  place accumulator_place_of(unsigned reg) const;
  void pack_tile(registers b, unsigned count, std::uint32_t* columns) const;
  void spread_whole(registers from, const std::vector<row_pair>& rows, std::uint32_t* to, unsigned pitch) const;
  void gather_whole(const std::uint32_t* from, unsigned pitch, const std::vector<row_pair>& rows, warp::lane_vector* const* to) const;

  std::array<place, links::max_a_registers> a_places_{};
  std::array<place, links::max_accumulator_registers> accumulator_places_{};
  unsigned a_registers_, b_registers_, accumulator_registers_;
  unsigned column_tiles_;   ///< tiles of eight columns of B and D, whose registers follow each other
  unsigned element_words_;  ///< of D, and of A and B if they are not packed
  numerics::transposition transposition_;
  std::vector<row_pair> a_rows_, accumulator_rows_;  ///< none if a word of a register is less or more than an element
};

}  // namespace tc::subcore
