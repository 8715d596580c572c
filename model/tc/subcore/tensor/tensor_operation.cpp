// SPDX-License-Identifier: Apache-2.0
#include "tensor_operation.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include <tc/config/make_dot_product.hpp>
#include <tc/config/product_rate.hpp>

namespace tc::subcore {

namespace {

numerics::dot_product_operation operation_of(const isa::mma_operation& mma) {
  using operation = numerics::dot_product_operation;
  switch (mma.combine) {
    case isa::bit_operation::exclusive_or:
      return operation::binary_xor;
    case isa::bit_operation::conjunction:
      return operation::binary_and;
    case isa::bit_operation::none:
      break;
  }
  if (isa::format_of(mma.a).is_floating_point()) return operation::float_sum;
  return mma.saturate ? operation::integer_saturate : operation::integer_wrap;
}

const isa::mma_operation& require_supported(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters) {
  if (const std::string reason = unsupported_reason(mma, parameters); !reason.empty()) throw std::invalid_argument(reason);
  return mma;
}

unsigned b_bytes_of(const product_layout& layout, const b_buffer_layout& buffers) {
  const unsigned register_bytes = buffers.shape().register_bytes();
  const auto bytes = layout.b_words(buffers.served_by(0)) * static_cast<unsigned>(sizeof(std::uint32_t));
  return (bytes + register_bytes - 1) / register_bytes * register_bytes;
}

}  // namespace

std::string unsupported_reason(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters, const std::string& path) {
  if (mma.a == isa::element_type::f64)
    return parameters.f64_units == 0 ? fmt::format("the tensor cores do not multiply f64: {}.f64_units is 0", path) : "";
  if (std::string reason = unsupported_warpgroup_reason(mma, parameters, path); !reason.empty()) return reason;
  if (parameters.b_buffer.per_octet && product_layout::of(mma)->shares_b())
    return fmt::format("it needs all of B in every octet, and a B buffer holds a 4x4 tile: {}.b_buffer.per_octet is true", path);
  return {};
}

std::string unsupported_warpgroup_reason(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters,
                                         const std::string& path) {
  const config::product_rate rate = config::product_rate_of(parameters.unit, mma.a);
  if (rate.key.empty()) return fmt::format("the tensor cores have no dot-product units for {}", isa::name(mma.a));
  if (rate.per_cycle == 0) return fmt::format("the tensor cores do not multiply {}: {}.unit.{} is 0", isa::name(mma.a), path, rate.key);
  return {};
}

numerics::dot_product dot_product_of(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic,
                                     config::operand_source source) {
  return config::make_dot_product({isa::format_of(mma.a), isa::format_of(mma.b), isa::format_of(mma.d), operation_of(mma)}, arithmetic,
                                  source);
}

tensor_operation::tensor_operation(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters)
    : layout_(product_layout::of(require_supported(mma, parameters))),
      shape_(layout_->shape_of({})),
      demand_(demand_of(*layout_, parameters)),
      bits_(operand_bits_of(*layout_)),
      a_registers_(mma.a_registers()),
      b_registers_(mma.b_registers()),
      accumulator_registers_(mma.d_registers()),
      b_bytes_(b_bytes_of(*layout_, b_buffer_layout(parameters))),
      multiply_accumulates_(std::uint64_t{links::threadgroups_per_warp} * layout_->outputs_per_threadgroup() * mma.k) {}

}  // namespace tc::subcore
