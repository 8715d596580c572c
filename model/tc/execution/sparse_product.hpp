// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/numerics/matrix_product.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::execution {

/// What HMMA.SP, IMMA.SP or QMMA.SP names: A has half of the elements of its rows, and metadata say which (PTX ISA, mma.sp).
struct sparse_operands {
  isa::mma_operation mma;  ///< k is that of B
  std::uint8_t d = isa::zero_register, a = isa::zero_register, b = isa::zero_register, c = isa::zero_register;
  std::uint8_t metadata = isa::zero_register;
  std::uint8_t selector = 0;  ///< which lanes of each group of four have the metadata
};

struct sparse_instruction {
  isa::instruction code;
  sparse_operands operands;
};

/// Decodes an instruction that multiplies a sparse matrix, as nvdisasm writes it; nothing for others. Throws std::invalid_argument for a
/// form that is not executed.
std::optional<sparse_instruction> parse_sparse(std::string_view text, isa::architecture arch);

/// D = A x B + C of one warp's registers, where A is sparse. Each element of D is the dot product of the elements of A that are there and
/// those of B that they meet, in their order.
class sparse_product {
 public:
  /// Throws std::invalid_argument for what the machine does not multiply.
  sparse_product(const sparse_operands& operands, const config::arithmetic_parameters& arithmetic);

  const sparse_operands& operands() const { return operands_; }

  /// Each operand is in consecutive registers; D may be any of them.
  void multiply(const warp::lane_vector* a, const warp::lane_vector* b, const warp::lane_vector* c, const warp::lane_vector& metadata,
                warp::lane_vector* d) const;

 private:
  unsigned chosen_unit(const warp::lane_vector& metadata, unsigned row, unsigned stored) const;

  sparse_operands operands_;
  isa::mma_operation stored_;  ///< of the elements of A that are there
  unsigned unit_bits_;         ///< metadata choose two of four of these
  numerics::matrix_product product_;
  numerics::matrix_product::method method_;
};

}  // namespace tc::execution
