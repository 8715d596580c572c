#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include <tc/config/make_dot_product.hpp>
#include <tc/subcore/b_buffer.hpp>
#include <tc/subcore/tensor_operation.hpp>

namespace tc::subcore {

namespace {

/// The configuration key of a type's throughput; empty if no dot-product unit takes it.
std::string_view throughput_key(isa::element_type type) {
  switch (type) {
    case isa::element_type::f16:
      return "f16_per_cycle";
    case isa::element_type::bf16:
      return "bf16_per_cycle";
    case isa::element_type::tf32:
      return "tf32_per_cycle";
    case isa::element_type::s8:
    case isa::element_type::u8:
      return "s8_per_cycle";
    case isa::element_type::s4:
    case isa::element_type::u4:
      return "s4_per_cycle";
    case isa::element_type::b1:
      return "b1_per_cycle";
    default:
      return {};
  }
}

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

}  // namespace

std::string unsupported_reason(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters, const std::string& path) {
  if (mma.a == isa::element_type::f64)
    return parameters.f64_units == 0 ? fmt::format("the tensor cores do not multiply f64: {}.f64_units is 0", path) : "";
  const std::string_view key = throughput_key(mma.a);
  if (key.empty()) return fmt::format("the tensor cores have no dot-product units for {}", isa::name(mma.a));
  if (multiply_accumulates_per_cycle(parameters.unit, mma.a) == 0)
    return fmt::format("the tensor cores do not multiply {}: {}.unit.{} is 0", isa::name(mma.a), path, key);
  if (parameters.b_buffer.per_octet && !is_octet_step(mma))
    return fmt::format("it needs all of B in every octet, and a B buffer holds a 4x4 tile: {}.b_buffer.per_octet is true", path);
  return {};
}

numerics::dot_product dot_product_of(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic) {
  return config::make_dot_product({isa::format_of(mma.a), isa::format_of(mma.b), isa::format_of(mma.d), operation_of(mma)}, arithmetic);
}

tensor_operation::tensor_operation(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters)
    : mma_(require_supported(mma, parameters)),
      demand_(demand_of(mma, parameters)),
      bits_(operand_bits_of(mma)),
      arithmetic_(dot_product_of(mma, parameters.arithmetic)),
      rows_(mma.m / threadgroups_per_warp),
      columns_(mma.n),
      a_registers_(mma.a_registers()),
      b_registers_(mma.b_registers()),
      b_bytes_(b_bytes_of(mma, parameters)),
      accumulator_registers_(mma.d_registers()) {
  if (!is_octet_step()) return;
  work_ = isa::work_of_hmma_884(mma.d, 0, mma.step, 0);
  rows_ = work_.rows;
  columns_ = work_.columns;
}

const tensor_operation& tensor_operation_table::find(key_type key, const isa::mma_operation& mma) {
  auto found = std::find_if(entries_.begin(), entries_.end(), [key](const entry& e) { return e.key == key; });
  if (found == entries_.end()) found = entries_.insert(found, {key, std::make_unique<tensor_operation>(mma, parameters_)});
  latest_key_ = key;
  latest_ = found->operation.get();
  return *latest_;
}

}  // namespace tc::subcore
