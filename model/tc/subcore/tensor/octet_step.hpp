// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/isa/hmma_884_work.hpp>
#include <tc/subcore/tensor/product_layout.hpp>

namespace tc::subcore {

/// What octets compute in a step of HMMA.884: each threadgroup multiplies rows of A in its own lanes by a 4x4 tile of B that one of the two
/// threadgroups of its octet holds and both read (Raihan et al., ISPASS 2019, tables II and III). Fragments follow the PTX ISA, mma.m8n8k4
/// with f16 multiplicands: the four lanes of a threadgroup hold a tile in a pair of registers, a line of it in each lane or, of all lines,
/// the elements of one k.
///
/// In the buffers, octet i of a range has its rows, columns and sums after those of octet i - 1: rows of the lower threadgroup, then of the
/// upper one.
class octet_step final : public product_layout {
 public:
  explicit octet_step(const isa::mma_operation& mma);

  links::product_shape shape_of(const links::octet_range& octets) const override;

  bool shares_b() const override { return false; }
  bool streams_a() const override { return true; }
  unsigned adder_passes() const override { return 1; }
  unsigned operand_bits_used() const override;
  std::uint32_t lanes_reached_by_b(std::uint32_t lanes) const override;

  unsigned b_words(const links::octet_range& octets) const override;
  unsigned first_b_word(const links::octet_range& octets) const override;
  void pack_b(registers b, std::uint32_t* columns) const override;

  void load_a(registers a, const links::octet_range& octets, std::uint32_t* words) const override;
  void load_c(registers c, const links::octet_range& octets, std::uint32_t* values) const override;
  void store_d(const std::uint32_t* values, const links::octet_range& octets, warp::lane_vector* const* d) const override;

 private:
  octet_step(const isa::mma_operation& mma, const isa::hmma_884_work& work);

  unsigned rows_of_octet() const;
  unsigned first_sum_of(const links::octet_range& octets, unsigned threadgroup) const;
  void load_widened_c(registers c, const links::octet_range& octets, std::uint32_t* values) const;
  template <class Rows>
  void put_rows(registers a, const links::octet_range& octets, std::uint32_t* words, unsigned rows, const Rows& rows_of) const;
  template <class Visit>
  void for_each_accumulator(const links::octet_range& octets, const Visit& visit) const;

  isa::hmma_884_work work_;  ///< of the lower threadgroup of octet 0, as of set 0
};

}  // namespace tc::subcore
