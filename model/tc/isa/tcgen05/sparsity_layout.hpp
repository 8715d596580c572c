// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tc/isa/tcgen05/instruction_descriptor.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>

namespace tc::isa {

/// The code of a group of elements of a sparse matrix A.
struct sparsity_code_place {
  tensor_address address{};
  unsigned bit = 0;  ///< the lowest of the code's four
};

constexpr bool operator==(const sparsity_code_place& x, const sparsity_code_place& y) { return x.address == y.address && x.bit == y.bit; }

/// Elements of K that a code of four bits tells the zeros of: 2 of tf32, 4 of 16 and 8 bits, 8 of mxf4 kinds, whose elements go in pairs.
/// Half of them are stored (PTX ISA, "Sparse matrices").
unsigned sparsity_group(mma_kind kind);

/// The places in their group of the elements that are stored, in the order in which they are, by the group's code. Throws
/// std::invalid_argument for a code that the kind does not have.
std::vector<unsigned> stored_elements(mma_kind kind, unsigned code);

/// Where the metadata of the 128 rows of a sparse matrix A that a CTA has lies (CUTLASS, mma_traits_sm100_frag.hpp; that each of two CTAs
/// has its own as one alone would is inferred). Kinds of 16 and 32 bits have
/// one column, in whose lanes rows m and m + 8 share a cell, each with half of its K; the others have two, with a row in each lane.
class sparsity_layout {
 public:
  /// Metadata at `address`. Throws std::invalid_argument for a matrix that is not sparse, columns beyond the end of tensor memory, and what
  /// no readable source places: other numbers of rows, a sparsity selector but 0.
  sparsity_layout(const mma_form& form, const instruction_descriptor& descriptor, tensor_address address);

  unsigned groups() const { return groups_; }  ///< of a row
  column_range tensor_range() const { return {address_.column, columns_}; }

  sparsity_code_place code(unsigned row, unsigned group) const;

 private:
  bool shares_cells() const { return columns_ == 1; }

  tensor_address address_;
  unsigned groups_, columns_;
};

}  // namespace tc::isa
