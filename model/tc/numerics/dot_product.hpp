// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>
#include <variant>

#include <tc/numerics/dot_product_parameters.hpp>
#include <tc/numerics/fused_dot_product.hpp>
#include <tc/numerics/ieee_dot_product.hpp>
#include <tc/numerics/integer_dot_product.hpp>
#include <tc/numerics/scaled_dot_product.hpp>

namespace tc::numerics {

/// The arithmetic of a tensor core's dot-product unit: one element of D = A x B + C, from a row of A, a column of B and an element of C. It
/// has no time.
class dot_product {
 public:
  /// Integer and binary operations do not use `parameters`. Throws std::invalid_argument if the operation does not take these types, or the
  /// datapath not these parameters.
  explicit dot_product(const dot_product_types& types, const dot_product_parameters& parameters = {});

  const dot_product_types& types() const { return types_; }
  const dot_product_parameters& parameters() const { return parameters_; }

  /// `a` and `b` point at k elements packed into words, the first element in the lowest bits: 2 a word for f16, 4 for s8, 8 for s4, 32 for
  /// b1, 1 for tf32; f64 takes 2 words. `c` and the result are one element's bits, the higher ones zero. Throws std::logic_error if
  /// the types have block scales.
  std::uint64_t operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const {
    return (*this)(a, b, nullptr, nullptr, k, c);
  }

  /// The same with block scales, a byte each, packed like the elements: as many as the row has blocks. Without block scales in the types,
  /// the pointers are not used.
  std::uint64_t operator()(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* scale_a, const std::uint32_t* scale_b,
                           unsigned k, std::uint64_t c) const {
    if (parameters_.addend == addend_position::in_first_group) return sum(a, b, scale_a, scale_b, k, c);
    return add_to_sum(sum(a, b, scale_a, scale_b, k, 0), c);
  }

 private:
  using datapath = std::variant<fused_dot_product, scaled_dot_product, converting_dot_product, paired_groups, fma_chain, f64_fma_chain,
                                adder_tree, integer_dot_product, binary_dot_product>;

  static datapath make_datapath(const dot_product_types& types, const dot_product_parameters& parameters);
  static datapath make_float_datapath(const dot_product_types& types, const dot_product_parameters& parameters);

  std::uint64_t sum(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* scale_a, const std::uint32_t* scale_b, unsigned k,
                    std::uint64_t c) const {
    return std::visit(
        [=](const auto& unit) -> std::uint64_t {
          if constexpr (std::is_same_v<decltype(unit), const scaled_dot_product&>)
            return unit(a, b, scale_a, scale_b, k, c);
          else
            return unit(a, b, k, c);
        },
        datapath_);
  }
  /// addend_position::after_sum.
  std::uint64_t add_to_sum(std::uint64_t sum, std::uint64_t c) const;

  dot_product_types types_;
  dot_product_parameters parameters_;
  datapath datapath_;
};

}  // namespace tc::numerics
