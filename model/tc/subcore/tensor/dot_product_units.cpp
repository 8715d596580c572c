// SPDX-License-Identifier: Apache-2.0
#include "dot_product_units.hpp"

#include <utility>

#include <tc/subcore/tensor/tensor_operation.hpp>

namespace tc::subcore {

dot_product_units::dot_product_units(const sc_core::sc_module_name& module_name, const config::arithmetic_parameters& arithmetic,
                                     config::operand_source source)
    : sc_module(module_name), arithmetic_([arithmetic, source](const isa::mma_operation& mma) {
        return operation_arithmetic{numerics::matrix_product(dot_product_of(mma, arithmetic, source))};
      }) {
  products.register_nb_transport_fw(this, &dot_product_units::multiply);
}

dot_product_units::~dot_product_units() = default;

tlm::tlm_sync_enum dot_product_units::multiply(links::dot_product_transfer& transfer, [[maybe_unused]] tlm::tlm_phase& phase,
                                               [[maybe_unused]] sc_core::sc_time& delay) {
  sc_assert(phase == tlm::BEGIN_REQ);
  if (transfer.d == nullptr) return tlm::TLM_COMPLETED;
  operation_arithmetic& used = arithmetic_.of(*transfer.mma);
  const links::product_shape& shape = transfer.shape;
  numerics::matrix_operands operands{shape.rows, shape.columns, shape.k, transfer.a, transfer.b, transfer.c, transfer.d};
  operands.products = shape.products;
  if (!(shape == used.shape)) {
    used.shape = shape;
    used.how = used.product.method_for(operands);
  }
  used.product.multiply(operands, used.how);
  return tlm::TLM_COMPLETED;
}

links::made_dot_products make_dot_products(const links::dot_product_maker& maker, const std::string& parent, const std::string& child,
                                           const links::dot_product_site& site) {
  return links::make_unit(maker, parent, child, site, [&] {
    auto own = std::make_unique<dot_product_units>(child.c_str(), site.tensor_core.arithmetic, site.operands);
    links::link_target<links::dot_product_protocol>* const link = &own->products;
    return links::made_dot_products{std::move(own), {link}};
  });
}

}  // namespace tc::subcore
