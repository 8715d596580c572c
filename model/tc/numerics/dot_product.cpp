#include <stdexcept>

#include <fmt/format.h>

#include <tc/numerics/dot_product.hpp>

namespace tc::numerics {

dot_product::dot_product(const number_format& a, const number_format& b, const number_format& accumulator, dot_product_operation operation,
                         const dot_product_parameters& parameters)
    : datapath_(make_datapath(a, b, accumulator, operation, parameters)) {}

dot_product::datapath dot_product::make_datapath(const number_format& a, const number_format& b, const number_format& accumulator,
                                                 dot_product_operation operation, const dot_product_parameters& parameters) {
  using op = dot_product_operation;
  if (operation != op::fused_float && accumulator != s32)
    throw std::invalid_argument(fmt::format("dot product: integer and binary operations accumulate in s32, not in '{}'", accumulator.name));
  switch (operation) {
    case op::fused_float:
      return fused_dot_product(a, b, accumulator, parameters);
    case op::integer_wrap:
      return integer_dot_product(a, b, integer_overflow::wrap);
    case op::integer_saturate:
      return integer_dot_product(a, b, integer_overflow::saturate);
    case op::binary_xor:
      return binary_dot_product(a, b, bit_operation::exclusive_or);
    case op::binary_and:
      return binary_dot_product(a, b, bit_operation::conjunction);
  }
  throw std::invalid_argument("dot product: not an operation");
}

}  // namespace tc::numerics
