// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/numerics/dot_product.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::execution {

/// One step of HMMA.884: of four products of 8x8x4, one for each quad pair of lanes, the elements of D that the step computes.
class quad_pair_product {
 public:
  /// Throws std::invalid_argument for what the machine does not multiply.
  quad_pair_product(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic);

  /// Each operand is in consecutive registers, of C and D those of the step; D may be any of them.
  void multiply(const warp::lane_vector* a, const warp::lane_vector* b, const warp::lane_vector* c, warp::lane_vector* d) const;

 private:
  /// A register of a lane, or a half of one.
  struct place {
    std::uint8_t lane = 0, reg = 0, half = 0;
  };
  /// An element of D: where it is, where its addend is, and the line of A and the line of B that it is the product of.
  struct output {
    place d, c;
    std::uint8_t row = 0, column = 0;
  };
  static constexpr unsigned matrices = 4, lines_of_matrix = 8, lines = matrices * lines_of_matrix, most_words = 2;
  using line_words = std::array<std::array<std::uint32_t, most_words>, lines>;

  line_words lines_of(bool is_a, const warp::lane_vector* registers) const;
  std::uint64_t addend(const place& at, const warp::lane_vector* c) const;

  isa::mma_operation mma_;
  numerics::dot_product unit_;
  std::vector<output> outputs_;
};

}  // namespace tc::execution
