// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include <tc/numerics/dot_product.hpp>
#include <tc/numerics/instruction_set.hpp>
#include <tc/numerics/matrix_kernel.hpp>

namespace tc::numerics {

/// The operands of D = A x B + C. Elements of A and B are packed into words in ascending k, as dot_product takes them; A has its words of
/// the same k side by side, so that vectors of rows load at once.
struct matrix_operands {
  unsigned rows, columns, k;
  const std::uint32_t* a;  ///< word w of row r at a[w * rows + r]
  const std::uint32_t* b;  ///< word w of column n at b[n * words + w]
  const std::uint32_t* c;  ///< element (r, n) at c[n * rows + r]; of f64 the two words one after the other, the low one first
  std::uint32_t* d;        ///< as c; may be c
  /// Block scales, laid out as A and B are; null without.
  const std::uint32_t* scale_a = nullptr;
  const std::uint32_t* scale_b = nullptr;
  unsigned products = 1;  ///< independent ones of this shape, without block scales, each with its operands after those of the one before
};

/// A matrix product with the bits of a dot-product unit, computed for many elements of D at once where the unit's arithmetic has a vector
/// form. It has no time.
class matrix_product {
 public:
  /// Throws std::invalid_argument for instructions that this machine does not execute.
  explicit matrix_product(const dot_product& unit, instruction_set set = chosen_instruction_set());

  const dot_product& unit() const { return unit_; }
  /// Whether rows of k elements are computed in vectors. Elements with infinity or NaN among their terms are always left to the unit.
  bool is_vectorised(unsigned k) const { return kernel_ && kernel_->takes(k); }

  /// How operands of a shape are multiplied, for who multiplies more of the same. It is of the product that made it.
  class method {
   public:
    method() = default;

   private:
    friend class matrix_product;

    unsigned row_words = 0;                          ///< of A
    unsigned a_words = 0, b_words = 0, d_words = 0;  ///< of each operand of a product
    unsigned most_together = 1;                      ///< products that fill a vector
    unsigned column_parts = 1;                       ///< of a product, which fill a vector side by side
    bool is_vectorised = false, is_tile = false;
  };
  /// Pointers do not matter.
  method method_for(const matrix_operands& operands) const;

  /// Throws std::logic_error if the unit needs block scales and there are none.
  void operator()(const matrix_operands& operands) const { multiply(operands, method_for(operands)); }
  /// The same with what method_for() gave for this shape.
  void multiply(const matrix_operands& operands, const method& how) const;

 private:
  unsigned at_once(const matrix_operands& operands, const method& how) const {
    return how.most_together > 1 ? kernel_->products_at_once(operands.rows, std::min(operands.products, how.most_together)) : 1;
  }
  void one(const matrix_operands& operands, const method& how) const;
  void by_kernel(const matrix_operands& operands, const method& how) const;
  void together_by_kernel(const matrix_operands& operands, unsigned products, const method& how) const;
  void parts_by_kernel(const matrix_operands& operands, const method& how) const;
  void together_by_kernel(simd::tile tile, unsigned products) const;
  void by_tiles(const matrix_operands& operands, unsigned words) const;
  void by_unit(const matrix_operands& operands) const;
  void tile_by_kernel(const simd::tile& operands) const;
  void left_by_kernel(const simd::tile& operands) const;

  dot_product unit_;
  std::optional<matrix_kernel> kernel_;
};

}  // namespace tc::numerics
