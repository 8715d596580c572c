// SPDX-License-Identifier: Apache-2.0
#include "tensor_products.hpp"

#include <utility>

#include <tc/config/make_dot_product.hpp>
#include <tc/engine/product/element_packer.hpp>

namespace tc::engine {

const numerics::matrix_product& tensor_products::of(const tensor_mma_plan& plan) {
  const isa::mma_form& form = plan.form();
  const isa::instruction_descriptor& types = plan.descriptor();
  const key wanted{form.kind, form.scales, form.sparse, types.a, types.b, types.d, types.scale_type, types.saturate};
  const auto found = products_.find(wanted);
  return found != products_.end() ? found->second : products_.emplace(wanted, make(plan)).first->second;
}

numerics::matrix_product tensor_products::make(const tensor_mma_plan& plan) const {
  using operation = numerics::dot_product_operation;
  const isa::mma_kind kind = plan.form().kind;
  const isa::instruction_descriptor& descriptor = plan.descriptor();
  numerics::dot_product_types types{multiplied_format(kind, descriptor.a), multiplied_format(kind, descriptor.b),
                                    isa::format_of(descriptor.d)};
  if (plan.form().sparse) std::swap(types.a, types.b);
  if (kind == isa::mma_kind::i8) types.operation = descriptor.saturate ? operation::integer_saturate : operation::integer_wrap;
  if (plan.scale_a()) {
    const unsigned blocks = isa::scales(plan.form().scales);
    types.scaling = numerics::block_scaling{isa::format_of(descriptor.scale_type), isa::mma_k(kind, false) / blocks};
  }
  config::arithmetic_parameters arithmetic = arithmetic_;
  if (kind == isa::mma_kind::mxf8f6f4) arithmetic.mxf4 = arithmetic.mxf8f6f4;  // also of e2m1 by e2m1
  return numerics::matrix_product(config::make_dot_product(types, arithmetic, config::operand_source::shared_memory));
}

}  // namespace tc::engine
