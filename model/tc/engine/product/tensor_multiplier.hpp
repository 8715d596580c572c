// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/engine/product/cell_block.hpp>
#include <tc/engine/product/tensor_mma_plan.hpp>
#include <tc/isa/element_type.hpp>
#include <tc/isa/tcgen05/mma_form.hpp>
#include <tc/numerics/matrix_product.hpp>

namespace tc::engine {

/// The format in which the elements of a kind are multiplied. In kinds that mix elements of 4, 6 and 8 bits each has a byte.
numerics::number_format multiplied_format(isa::mma_kind kind, isa::element_type type);

/// Brings elements of A or B as tcgen05.mma has them, K-major in whole words, to how the arithmetic takes them: in the lowest bits of their
/// byte, where they have one to themselves (isa::bit_in_byte() tells where they come from), and with the sign that the instruction
/// descriptor gives them.
class element_packer {
 public:
  element_packer(isa::mma_kind kind, isa::element_type type, bool negate);

  std::uint32_t operator()(std::uint32_t word) const { return (word >> right_ & mask_) ^ signs_; }

 private:
  unsigned right_ = 0;        ///< by how much elements are shifted
  std::uint32_t mask_ = ~0U;  ///< of the elements in a word after that
  std::uint32_t signs_;
};

/// The matrix products of tcgen05.mma on a machine, each made at its first use.
class tensor_products {
 public:
  explicit tensor_products(const config::arithmetic_parameters& arithmetic) : arithmetic_(arithmetic) {}

  /// The product of an operation's matrices: of a sparse A that of what is stored, B x A instead of A x B, as each row of A meets other
  /// elements of B. It stays where it is. Throws std::invalid_argument, naming the configuration key, if the machine does not have it.
  const numerics::matrix_product& of(const tensor_mma_plan& plan);

 private:
  /// What the arithmetic depends on: kind, scales, sparsity, types of A, B, D and scales, saturation.
  using key =
      std::tuple<isa::mma_kind, isa::scale_vector, bool, isa::element_type, isa::element_type, isa::element_type, isa::element_type, bool>;

  numerics::matrix_product make(const tensor_mma_plan& plan) const;

  config::arithmetic_parameters arithmetic_;
  std::map<key, numerics::matrix_product> products_;
};

/// What a CTA's part of a tcgen05.mma is computed from, besides D. What the operation does not have stays null.
struct tensor_mma_inputs {
  const std::uint32_t* a = nullptr;         ///< A from shared memory: operand_matrix::rows()
  std::array<const std::uint32_t*, 2> b{};  ///< the columns of B from the shared memory of each CTA: operand_matrix::rows()
  const cell_block* a_cells = nullptr;      ///< A from tensor memory: the columns of the operand, as of the following
  const cell_block* metadata = nullptr;
  const cell_block* scale_a = nullptr;
  const cell_block* scale_b = nullptr;
};

/// The arithmetic of tcgen05.mma: D of a CTA, with the bits of the silicon. It has no time.
///
/// Each chunk of tensor memory has its own part of D, and computes it with its own copies of A, of metadata and of scales. A sparse
/// operation multiplies the elements of A that are stored, each with the element of B that its code tells, in one step as a dense operation
/// of that many elements (inferred: with doubled K, an instruction takes no longer). What scale_input_d makes of D is truncated if it is
/// subnormal (inferred).
class tensor_multiplier {
 public:
  explicit tensor_multiplier(const config::arithmetic_parameters& arithmetic);

  /// Writes the new D into the cells of `d`, which has some columns of D, or all, and their old values; cells of disabled lanes, and of
  /// lanes that the layout does not have, keep theirs. Columns of B that those of `d` do not need need not be there. An f16 takes the low
  /// half of its cell, whose upper half becomes 0 (the PTX ISA says that it is not used). Throws std::invalid_argument if the machine has
  /// no such products, naming the configuration key, or if metadata has a code that the kind does not have, naming row and group; D is then
  /// in part the new one.
  void multiply(const tensor_mma_plan& plan, unsigned cta, const tensor_mma_inputs& inputs, cell_block& d);

 private:
  struct chunk_part;

  void take_b(const tensor_mma_plan& plan, const std::array<const std::uint32_t*, 2>& shares, const chunk_part& part);
  void take_a(const tensor_mma_plan& plan, const tensor_mma_inputs& inputs, const chunk_part& part);
  void take_addends(const tensor_mma_plan& plan, const cell_block& d, const chunk_part& part);
  void take_scales(const tensor_mma_plan& plan, const tensor_mma_inputs& inputs, const chunk_part& part);
  void multiply_dense(const numerics::matrix_product& product, const tensor_mma_plan& plan, const chunk_part& part, std::uint32_t* sums);
  void multiply_sparse(const numerics::matrix_product& product, const tensor_mma_plan& plan, const cell_block& metadata,
                       const chunk_part& part);
  void select_b(const tensor_mma_plan& plan, const cell_block& metadata, const chunk_part& part, unsigned row);
  void store(const tensor_mma_plan& plan, unsigned cta, const chunk_part& part, cell_block& d) const;

  tensor_products products_;
  std::vector<std::uint32_t> a_;         ///< packed rows of a chunk
  std::vector<std::uint32_t> b_;         ///< packed columns of B that a chunk needs
  std::vector<std::uint32_t> sums_;      ///< addends of a chunk, then results
  std::vector<std::uint32_t> scale_a_;   ///< a word for each row of a chunk
  std::vector<std::uint32_t> scale_b_;   ///< a word for each column of a chunk
  std::vector<std::uint32_t> elements_;  ///< of B, one a word: that of k and column n at [k * columns + n]
  std::vector<std::uint32_t> selected_;  ///< elements of B that a sparse row meets, packed: word w of column n at [w * columns + n]
};

}  // namespace tc::engine
