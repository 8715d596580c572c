// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <variant>

#include <tc/numerics/dot_product_parameters.hpp>
#include <tc/numerics/instruction_set.hpp>
#include <tc/numerics/simd/kernels.hpp>

namespace tc::numerics {

/// A vector kernel that computes what a dot-product unit computes, except for elements with infinity or NaN among their terms.
class matrix_kernel {
 public:
  /// The kernel for a unit of these types and parameters; none if its datapath has no vector form. What has one: truncated fused sums, one
  /// product a term and without block scales, of numbers of at most 16 bits or tf32, in groups of whole words, rounded toward zero, or to
  /// nearest with at most 21 fraction bits, with so few alignment bits that the products of a word stay below 2^31 units (26 always do);
  /// integers; bits.
  static std::optional<matrix_kernel> find(const dot_product_types& types, const dot_product_parameters& parameters, instruction_set set);

  /// Whether it computes rows of k elements: whole words, and no more than a call takes if integers saturate, which they do once.
  bool takes(unsigned k) const { return k % elements_per_word_ == 0 && (may_be_cut_ || k <= elements_per_word_ * words_per_call_); }
  /// Words of a row in a call, at most; longer rows take several, each with the sum of the one before.
  unsigned words_per_call() const { return words_per_call_; }
  unsigned elements_per_word() const { return elements_per_word_; }
  /// How many of some products of that many rows it computes at once: four, two or one.
  unsigned products_at_once(unsigned rows, unsigned products) const {
    if (rows >= together_.size()) return 1;
    return products >= 4 && together_[rows].four != nullptr ? 4 : products >= 2 && together_[rows].two != nullptr ? 2 : 1;
  }

  /// Computes a tile within the limits. Returns whether elements were left as they were: see tile::left.
  bool operator()(const simd::tile& operands) const {
    return std::visit([&](const auto& kernel) { return kernel(operands); }, call_);
  }
  /// The same of a tile and those after it, four or two together: see kernel_set::fused_four.
  bool together(unsigned products, const simd::tile& operands) const {
    const several& kernels = together_[operands.rows];
    return (products == 4 ? kernels.four : kernels.two)(std::get_if<fused_call>(&call_)->plan, operands);
  }

 private:
  struct fused_call {
    simd::fused_kernel kernel;
    simd::fused_plan plan;
    bool operator()(const simd::tile& operands) const { return kernel(plan, operands); }
  };
  struct integer_call {
    simd::integer_kernel kernel;
    simd::integer_plan plan;
    bool operator()(const simd::tile& operands) const { return kernel(plan, operands), false; }
  };
  struct binary_call {
    simd::binary_kernel kernel;
    simd::bit_combination combination;
    bool operator()(const simd::tile& operands) const { return kernel(combination, operands), false; }
  };
  using call = std::variant<fused_call, integer_call, binary_call>;

  matrix_kernel(const call& kernel, unsigned elements_per_word, unsigned words_per_call, bool may_be_cut)
      : call_(kernel), elements_per_word_(elements_per_word), words_per_call_(words_per_call), may_be_cut_(may_be_cut) {}

  static std::optional<matrix_kernel> fused(const dot_product_types& types, const dot_product_parameters& parameters,
                                            const simd::kernel_set& kernels);
  static std::optional<matrix_kernel> integer(const dot_product_types& types, const simd::kernel_set& kernels);

  call call_;
  unsigned elements_per_word_, words_per_call_;
  bool may_be_cut_;
  struct several {
    simd::fused_kernel two = nullptr, four = nullptr;
  };
  std::array<several, simd::maximum_rows / 2 + 1> together_{};  ///< by rows of a product
};

}  // namespace tc::numerics
