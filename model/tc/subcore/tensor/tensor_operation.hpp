// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <tc/config/make_dot_product.hpp>
#include <tc/config/tensor_core_parameters.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/numerics/dot_product.hpp>
#include <tc/subcore/tensor/product_layout.hpp>
#include <tc/subcore/tensor/tensor_demand.hpp>

namespace tc::subcore {

/// Why these tensor cores do not compute an operation, naming the configuration key; empty if they do. `path` is where the configuration
/// has `parameters`.
std::string unsupported_reason(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters,
                               const std::string& path = "sm.sub_core.tensor_core");

/// The arithmetic of an operation. Throws std::invalid_argument, naming the configuration key, if the tensor cores do not have it.
numerics::dot_product dot_product_of(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic,
                                     config::operand_source source = config::operand_source::registers);

/// Why these tensor cores do not compute a warpgroup operation; empty if they do.
std::string unsupported_warpgroup_reason(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters,
                                         const std::string& path = "sm.sub_core.tensor_core");

/// A matrix operation that the tensor cores of a machine compute, with what they derive from it once.
class tensor_operation {
 public:
  /// Throws std::invalid_argument, with the reason, for an operation that they do not support.
  tensor_operation(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters);

  const isa::mma_operation& mma() const { return layout_->mma(); }
  const product_layout& layout() const { return *layout_; }
  const tensor_demand& demand() const { return demand_; }
  const operand_bits& bits() const { return bits_; }

  const links::product_shape& shape() const { return shape_; }  ///< of what a whole warp computes

  unsigned a_registers() const { return a_registers_; }                      ///< of a lane
  unsigned b_registers() const { return b_registers_; }                      ///< of a lane
  unsigned accumulator_registers() const { return accumulator_registers_; }  ///< of a lane
  std::uint64_t multiply_accumulates() const { return multiply_accumulates_; }
  unsigned b_bytes() const { return b_bytes_; }  ///< of B in a B buffer, which takes whole registers

 private:
  std::unique_ptr<const product_layout> layout_;
  links::product_shape shape_;
  tensor_demand demand_;
  operand_bits bits_;
  unsigned a_registers_, b_registers_, accumulator_registers_, b_bytes_;
  std::uint64_t multiply_accumulates_;
};

}  // namespace tc::subcore
