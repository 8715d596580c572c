// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/isa/asynchronous_operation.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/isa/shared_matrix.hpp>
#include <tc/numerics/matrix_product.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::execution {

/// What HGMMA and its like name: the shape and types of a wgmma, whose descriptors are in uniform registers.
struct warpgroup_operands {
  isa::wgmma_operation matrices;  ///< but the descriptors, and whether D is added to
  std::uint8_t d = isa::zero_register, a = isa::zero_register, c = isa::zero_register;
  std::uint8_t descriptors = 0;  ///< uniform register: A in the first pair unless it is in registers, B in the second
  bool has_condition = false;    ///< a predicate says whether C is added
  isa::register_file condition_file = isa::register_file::uniform_predicate;
  std::uint8_t condition = isa::true_predicate;
  bool condition_is_inverted = false;
};

/// An instruction of the warpgroup unit; without operands one that orders others, which are complete when they have been executed.
struct warpgroup_instruction {
  isa::instruction code;
  std::optional<warpgroup_operands> operation;
};

/// Whether a base mnemonic is one of the warpgroup unit: HGMMA, IGMMA, QGMMA, WARPGROUP.
bool is_warpgroup_opcode(std::string_view mnemonic);

/// Decodes HGMMA, IGMMA, QGMMA and WARPGROUP as nvdisasm writes them; nothing for other opcodes. Throws std::invalid_argument for
/// a form of theirs that is not executed.
std::optional<warpgroup_instruction> parse_warpgroup(std::string_view text, isa::architecture arch);

/// A warp's part of the product of a warpgroup: 16 rows of A by all of B.
class warpgroup_product {
 public:
  /// Throws std::invalid_argument for what the machine does not multiply.
  warpgroup_product(const warpgroup_operands& operands, const config::arithmetic_parameters& arithmetic);

  static constexpr unsigned a_register_count = 4;

  const warpgroup_operands& operands() const { return operands_; }

  /// What a warp has of the operands.
  struct values {
    unsigned warp = 0;                     ///< of the group, 0 to 3
    const std::uint8_t* shared = nullptr;  ///< the CTA's window
    std::uint64_t shared_bytes = 0;
    isa::matrix_descriptor a, b;  ///< `a` unless A is in registers
    const warp::lane_vector* a_registers = nullptr;
    bool accumulate = true;
  };

  /// D = A x B (+ C). Returns the address in shared memory that is not there; nothing if all are.
  std::optional<std::uint32_t> multiply(const values& from, const warp::lane_vector* c, warp::lane_vector* d) const;

 private:
  std::optional<std::uint32_t> load(const isa::shared_matrix& matrix, unsigned first_row, unsigned rows, bool by_column, const values& from,
                                    std::uint32_t* words) const;

  warpgroup_operands operands_;
  numerics::matrix_product product_;
  numerics::matrix_product::method method_;
};

}  // namespace tc::execution
