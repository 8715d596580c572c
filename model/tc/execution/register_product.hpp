// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/numerics/matrix_product.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::isa {
class fragment_layout;
}

namespace tc::execution {

/// D = A x B + C of one warp's registers: HMMA, IMMA, BMMA, DMMA, QMMA, with the arithmetic of a machine's tensor cores.
class register_product {
 public:
  /// Throws std::invalid_argument for what the machine does not multiply. HMMA.884 is a quad_pair_product.
  register_product(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic);

  bool is_for(const isa::mma_operation& mma) const;
  const isa::mma_operation& mma() const { return mma_; }

  /// Signs of the operands of DMMA.
  struct operand_sign {
    bool absolute = false, negated = false;
  };

  /// Each operand is in consecutive registers; D may be C.
  void multiply(const warp::lane_vector* a, const warp::lane_vector* b, const warp::lane_vector* c, warp::lane_vector* d,
                const operand_sign (&signs)[3]) const;

 private:
  /// By register and lane: the place of its word, or of its lower half, among the words of an operand.
  using word_places = std::vector<std::uint16_t>;

  static word_places places_of(const isa::fragment_layout& layout, unsigned row_pitch, unsigned word_pitch, bool by_column);
  void load_accumulators(const warp::lane_vector* from, std::uint32_t* words) const;
  void store_accumulators(const std::uint32_t* words, warp::lane_vector* to) const;

  isa::mma_operation mma_;
  numerics::matrix_product product_;
  bool has_halves_ = false;  ///< two accumulators in a register
  word_places a_, b_, accumulators_, upper_accumulators_;
  numerics::matrix_product::method method_;
};

}  // namespace tc::execution
