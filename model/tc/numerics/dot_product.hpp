#pragma once

#include <cstdint>
#include <variant>

#include <tc/numerics/binary_dot_product.hpp>
#include <tc/numerics/dot_product_parameters.hpp>
#include <tc/numerics/fused_dot_product.hpp>
#include <tc/numerics/integer_dot_product.hpp>
#include <tc/numerics/number_format.hpp>

namespace tc::numerics {

/// What a dot-product unit does with a pair of rows.
enum class dot_product_operation : std::uint8_t { fused_float, integer_wrap, integer_saturate, binary_xor, binary_and };

/// The arithmetic of a tensor core's dot-product unit: one element of D = A x B + C, from a row of A, a column of B and an element of C. It
/// has no time.
class dot_product {
 public:
  /// `accumulator` is the format of c and of the result: s32 for integer and binary operations, which do not use `parameters`.
  /// Throws std::invalid_argument if the operation does not take these formats, or the datapath not these parameters.
  dot_product(const number_format& a, const number_format& b, const number_format& accumulator, dot_product_operation operation,
              const dot_product_parameters& parameters = {});

  /// `a` and `b` point at k elements packed into words, the first element in the lowest bits: 2 a word for f16, 4 for s8, 8 for s4, 32 for
  /// b1, 1 for tf32. `c` and the result are one element's bits, in the low half of the word for f16.
  std::uint32_t operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint32_t c) const {
    return std::visit([=](const auto& unit) { return unit(a, b, k, c); }, datapath_);
  }

 private:
  using datapath = std::variant<fused_dot_product, integer_dot_product, binary_dot_product>;

  static datapath make_datapath(const number_format& a, const number_format& b, const number_format& accumulator,
                                dot_product_operation operation, const dot_product_parameters& parameters);

  datapath datapath_;
};

}  // namespace tc::numerics
