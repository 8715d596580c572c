#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/isa/hmma_884_work.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/numerics/matrix_product.hpp>
#include <tc/subcore/tensor_demand.hpp>

namespace tc::subcore {

/// Why these tensor cores do not compute an operation, naming the configuration key; empty if they do. `path` is where the configuration
/// has `parameters`.
std::string unsupported_reason(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters,
                               const std::string& path = "sm.sub_core.tensor_core");

/// The arithmetic of an operation. Throws std::invalid_argument, naming the configuration key, if the tensor cores do not have it.
numerics::dot_product dot_product_of(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic);

/// A matrix operation that the tensor cores of a machine compute, with what they derive from it once.
class tensor_operation {
 public:
  /// Throws std::invalid_argument, with the reason, for an operation that they do not support.
  tensor_operation(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters);

  const isa::mma_operation& mma() const { return mma_; }
  const tensor_demand& demand() const { return demand_; }
  const numerics::matrix_product& arithmetic() const { return arithmetic_; }
  const operand_bits& bits() const { return bits_; }

  bool is_octet_step() const { return subcore::is_octet_step(mma_); }
  /// C is f16 and D is f32: the row of a lane's C goes to the lanes of its threadgroup.
  bool widens_c() const { return mma_.c == isa::element_type::f16 && mma_.d == isa::element_type::f32; }
  /// Of a step of HMMA.884: what the lower threadgroup of octet 0 computes, as of set 0.
  const isa::hmma_884_work& work() const { return work_; }

  unsigned rows_per_threadgroup() const { return rows_; }                     ///< of A and D: g, and g + 8 if m is 16; those of a step
  unsigned columns_per_threadgroup() const { return columns_; }               ///< of D
  bool packed_accumulators() const { return isa::bits(mma_.d) == 16; }        ///< two columns of D share a register
  unsigned element_words() const { return isa::bits(mma_.d) == 64 ? 2 : 1; }  ///< of D, and of A and B if they are not packed
  unsigned a_registers() const { return a_registers_; }                       ///< of a lane
  unsigned b_registers() const { return b_registers_; }                       ///< of a lane
  unsigned b_bytes() const { return b_bytes_; }                               ///< in each B buffer
  unsigned accumulator_registers() const { return accumulator_registers_; }   ///< of a lane
  unsigned k() const { return mma_.k; }
  std::uint64_t multiply_accumulates() const { return std::uint64_t{threadgroups_per_warp} * rows_ * columns_ * mma_.k; }

 private:
  isa::mma_operation mma_;
  tensor_demand demand_;
  operand_bits bits_;
  numerics::matrix_product arithmetic_;
  isa::hmma_884_work work_{};
  unsigned rows_, columns_, a_registers_, b_registers_, b_bytes_, accumulator_registers_;
};

/// The operations that the tensor cores of a sub-core have met. Kernels use few, mostly the same one again.
class tensor_operation_table {
 public:
  explicit tensor_operation_table(const config::tensor_core_parameters& parameters) : parameters_(parameters) {}

  /// The entry of an operation, made at its first use; it stays where it is. Throws std::invalid_argument for an operation that the tensor
  /// cores do not support.
  const tensor_operation& of(const isa::mma_operation& mma) {
    const key_type key = key_of(mma);
    return key == latest_key_ ? *latest_ : find(key, mma);
  }

 private:
  using key_type = std::uint64_t;
  struct entry {
    key_type key;
    std::unique_ptr<tensor_operation> operation;
  };

  /// Everything that tells supported operations apart; n is always 8. Never 0.
  static key_type key_of(const isa::mma_operation& mma) {
    const auto types = static_cast<key_type>(mma.a) | static_cast<key_type>(mma.b) << 8 | static_cast<key_type>(mma.c) << 16 |
                       static_cast<key_type>(mma.d) << 24;
    return types | key_type{mma.m} << 32 | key_type{mma.k} << 40 | static_cast<key_type>(mma.combine) << 56 | key_type{mma.saturate} << 60 |
           key_type{mma.instances} << 61 | key_type{mma.step} << 50 | key_type{mma.a_column} << 52 | key_type{mma.b_column} << 53;
  }

  const tensor_operation& find(key_type key, const isa::mma_operation& mma);

  config::tensor_core_parameters parameters_;
  std::vector<entry> entries_;
  key_type latest_key_ = 0;
  const tensor_operation* latest_ = nullptr;
};

}  // namespace tc::subcore
