// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tc/isa/tcgen05/instruction_descriptor.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>

namespace tc::isa {

/// A byte of a cell of tensor memory.
struct tensor_byte {
  tensor_address address{};
  unsigned byte = 0;  ///< 0 is the lowest one
};

constexpr bool operator==(const tensor_byte& x, const tensor_byte& y) { return x.address == y.address && x.byte == y.byte; }

/// The address of scales, whose two top bits may hold their ID, as CUTLASS passes it. Throws std::invalid_argument as
/// decode_tensor_address() does.
tensor_address decode_scale_address(std::uint32_t bits);

/// The scale of an index, a row of A or a column of B, for a block of K.
struct scale_place {
  unsigned index = 0, block = 0;
};

constexpr bool operator==(scale_place x, scale_place y) { return x.index == y.index && x.block == y.block; }

/// Where the scales of a block-scaled instruction lie in the tensor memory of each CTA: 32 indices below each other, then the next column,
/// the blocks of an index in the bytes of its cell from the descriptor's ID on. Every chunk has a copy; with layout B, whose upper lanes
/// compute the right half of D, the lower chunks have the left columns of B and the upper ones the right columns (CUTLASS,
/// mma_traits_sm100.hpp; PTX ISA, "Scale factor layout").
class scale_factor_layout {
 public:
  /// The scales of A, of the rows of one CTA, or of B, of all N columns, at `address`. Throws std::invalid_argument if the form has no
  /// scales, the lane is not 0, or columns are beyond the end of tensor memory.
  static scale_factor_layout of_a(const mma_form& form, const instruction_descriptor& descriptor, tensor_address address);
  static scale_factor_layout of_b(const mma_form& form, const instruction_descriptor& descriptor, tensor_address address);

  unsigned indices() const { return indices_; }
  unsigned blocks() const { return blocks_; }  ///< of an index, along K
  unsigned copies() const;                     ///< of a scale: 4, or 2
  column_range tensor_range() const;

  /// The byte of a scale, in copy `copy`, lowest lane first.
  tensor_byte at(scale_place place, unsigned copy) const;
  /// The scale in a byte, nothing if there is none.
  std::optional<scale_place> find(const tensor_byte& byte) const;

 private:
  scale_factor_layout(const mma_form& form, unsigned indices, unsigned parts, unsigned id, tensor_address address);

  unsigned indices_;
  unsigned parts_;  ///< that the indices are cut into, one below the other in the chunks: 1 or 2
  unsigned blocks_, id_;
  tensor_address address_;
};

}  // namespace tc::isa
