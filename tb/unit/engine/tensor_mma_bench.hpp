// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tc/engine/product/tensor_multiplier.hpp>

namespace tc::engine::test {

/// The operation of a form and a descriptor, with its operands where they do not overlap: D from column 0 on, and matrices in shared memory
/// that are swizzled so, or, MN-major ones of tf32, as they must be.
isa::tensor_mma_operation make_operation(const isa::mma_form& form, const isa::instruction_descriptor& descriptor, bool a_in_tensor_memory,
                                         isa::swizzle_mode swizzle = isa::swizzle_mode::bytes_128);

/// A tcgen05.mma with the shared and the tensor memory of its CTAs. Cells and bytes that nothing has been put into hold garbage.
class tensor_mma_bench {
 public:
  explicit tensor_mma_bench(const isa::tensor_mma_operation& operation);

  const tensor_mma_plan& plan() const { return plan_; }

  // Elements by their bits. Columns of B are counted from the first one in shared memory.
  void set_a(unsigned row, unsigned k, std::uint32_t bits);
  void set_b(unsigned column, unsigned k, std::uint32_t bits);
  void set_c(unsigned row, unsigned column, std::uint32_t bits);
  void set_scale_a(unsigned row, unsigned block, std::uint32_t bits);
  void set_scale_b(unsigned column, unsigned block, std::uint32_t bits);
  void set_code(unsigned row, unsigned group, std::uint32_t code);

  /// Computes D of all CTAs, so many columns of tensor memory at a time, and fails if a cell has changed that is none of D's.
  void multiply(tensor_multiplier& multiplier, unsigned columns_at_once = isa::tensor_columns);

  std::uint32_t d(unsigned row, unsigned column) const;  ///< its cell
  std::uint32_t& cell(unsigned cta, isa::tensor_address address) { return cells_.at(cta).cell(address); }
  cell_block block(isa::column_range columns, unsigned cta) const;  ///< cells of a CTA's tensor memory
  /// Takes columns of D as somebody has computed them, and fails if a cell has changed that is none of D's.
  void take(const cell_block& d, unsigned cta);
  /// The bytes of a CTA's shared memory, from address 0 on.
  const std::vector<std::uint8_t>& shared(unsigned cta) const { return shared_.at(cta); }

 private:
  using memory = std::vector<std::uint8_t>;

  void put(memory& shared, const shared_operand& operand, isa::element_type type, isa::matrix_place place, std::uint32_t bits) const;
  static const std::uint32_t* read(const memory& shared, const shared_operand& operand, operand_matrix& matrix);

  tensor_mma_plan plan_;
  std::array<memory, 2> shared_;
  std::array<cell_block, 2> cells_;
};

}  // namespace tc::engine::test
