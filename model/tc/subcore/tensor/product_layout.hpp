// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <tc/isa/mma_operation.hpp>
#include <tc/links/matrix_shape.hpp>
#include <tc/warp/four_words.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

// A register has the lanes of a threadgroup side by side; the buffers of a tensor core have the threadgroups side by side, in a row for
// each lane. Between the two, 4x4 words at a time are transposed.

/// Whether the threadgroups of these octets can be taken by fours.
constexpr bool is_transposable(const links::octet_range& octets) { return octets.count % 2 == 0; }

/// Where a register has the threadgroups `i` to `i` + 3 of a range: two neighbours, and two more.
struct threadgroup_block {
  unsigned first_lane, to_second_pair;

  threadgroup_block(const links::octet_range& octets, unsigned i)
      : first_lane((octets.first + i) * links::lanes_per_threadgroup),
        to_second_pair(links::lanes_per_threadgroup * (octets.count == links::octets_per_warp ? 2 : links::octets_per_warp)) {}

  warp::four_by_four load(const warp::lane_vector& from) const {
    const std::uint32_t *const first = &from[first_lane], *const second = first + to_second_pair;
    return {warp::load_four(first), warp::load_four(first + links::lanes_per_threadgroup), warp::load_four(second),
            warp::load_four(second + links::lanes_per_threadgroup)};
  }
  void store(const warp::four_by_four& block, warp::lane_vector& to) const {
    std::uint32_t *const first = &to[first_lane], *const second = first + to_second_pair;
    warp::store_four(first, block[0]);
    warp::store_four(first + links::lanes_per_threadgroup, block[1]);
    warp::store_four(second, block[2]);
    warp::store_four(second + links::lanes_per_threadgroup, block[3]);
  }
};

/// How the values of one matrix operation lie in the registers of a warp and in the buffers of the tensor cores. There are two: most
/// operations are one product of the whole warp (whole_product), a step of HMMA.884 a part of four, one for each octet (octet_step).
///
/// In the buffers, operands have the order in which dot-product units take them: A by word of a row, then row; B by column, then word; C
/// and D by column, then row, f16 in the low half of a word, f64 in two words. Words of A and B are elements in ascending k.
class product_layout {
 public:
  static std::unique_ptr<const product_layout> of(const isa::mma_operation& mma);

  virtual ~product_layout() = default;
  product_layout(const product_layout&) = delete;
  product_layout& operator=(const product_layout&) = delete;

  const isa::mma_operation& mma() const { return mma_; }
  /// Of D, that a threadgroup computes.
  unsigned rows_per_threadgroup() const { return rows_; }
  unsigned columns_per_threadgroup() const { return columns_; }
  unsigned outputs_per_threadgroup() const { return rows_ * columns_; }
  /// What the threadgroups of some octets compute together.
  virtual links::product_shape shape_of(const links::octet_range& octets) const = 0;

  /// Every octet multiplies all of B, which each B buffer takes after the one before; else each octet has a tile of its own lanes' B.
  virtual bool shares_b() const = 0;
  /// The buses bring A beat by beat while it is multiplied.
  virtual bool streams_a() const = 0;
  /// How often each sum passes the adders.
  virtual unsigned adder_passes() const = 0;
  /// Bits of A, B and C that the dot-product units take, of a whole warp.
  virtual unsigned operand_bits_used() const = 0;
  /// Lanes of D that depend on some lanes of B.
  virtual std::uint32_t lanes_reached_by_b(std::uint32_t lanes) const = 0;

  /// Registers of an operand, one after the other; of all lanes.
  using registers = const warp::lane_vector* const*;

  /// Words of B that some octets multiply, and where pack_b() puts the first of them.
  virtual unsigned b_words(const links::octet_range& octets) const = 0;
  virtual unsigned first_b_word(const links::octet_range& octets) const = 0;
  /// The columns of B that all octets multiply.
  virtual void pack_b(registers b, std::uint32_t* columns) const = 0;

  /// A and C of the lanes of some octets, as their buffers hold them.
  virtual void load_a(registers a, const links::octet_range& octets, std::uint32_t* words) const = 0;
  virtual void load_c(registers c, const links::octet_range& octets, std::uint32_t* values) const = 0;
  /// Puts D, ordered as load_c() leaves C, into the lanes of the octets of these registers.
  virtual void store_d(const std::uint32_t* values, const links::octet_range& octets, warp::lane_vector* const* d) const = 0;

 protected:
  product_layout(const isa::mma_operation& mma, unsigned rows, unsigned columns) : mma_(mma), rows_(rows), columns_(columns) {}

  bool packs_accumulators() const { return isa::bits(mma_.d) == 16; }  ///< two columns of D share a register

 private:
  isa::mma_operation mma_;
  unsigned rows_, columns_;
};

}  // namespace tc::subcore
