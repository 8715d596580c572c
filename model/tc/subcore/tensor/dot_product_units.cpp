// SPDX-License-Identifier: Apache-2.0
#include "dot_product_units.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <tc/subcore/tensor/tensor_operation.hpp>
#include <tc/subcore/tensor/threadgroup_products.hpp>

namespace tc::subcore {

dot_product_units::dot_product_units(const sc_core::sc_module_name& module_name, const config::arithmetic_parameters& arithmetic,
                                     config::operand_source source)
    : sc_module(module_name), arithmetic_([arithmetic, source](const isa::mma_operation& mma) {
        return operation_arithmetic(dot_product_of(mma, arithmetic, source));
      }) {
  products.serve<&dot_product_units::multiply>(*this);
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

namespace {

/// Those of the site's threadgroups that their maker does not decline; empty if it declines all.
threadgroup_products::made_units make_threadgroups(const links::dot_product_maker& maker, const std::string& parent,
                                                   const std::string& child, const links::dot_product_site& site) {
  threadgroup_products::made_units units;
  const links::octet_range octets = links::octets_of(site.place.number, site.tensor_core.count);
  for (unsigned i = 0; i < octets.threadgroups(); ++i) {
    links::dot_product_site one = site;
    one.threadgroup = octets.threadgroup(i);
    units.push_back(make_unit(maker, parent, child + "_threadgroup_" + std::to_string(*one.threadgroup), one,
                              [] { return links::made_dot_products{}; }));
  }
  const bool all_declined = std::all_of(units.begin(), units.end(), [](const auto& made) { return made.sockets.empty(); });
  return all_declined ? threadgroup_products::made_units{} : std::move(units);
}

template <class Units>
links::made_dot_products made(std::unique_ptr<Units> own) {
  links::link_target<links::dot_product_protocol>* const link = &own->products;
  links::made_dot_products units;
  units.module = std::move(own);
  units.sockets = {link};
  return units;
}

}  // namespace

links::made_dot_products make_dot_products(const links::dot_product_maker& maker, const std::string& parent, const std::string& child,
                                           const links::dot_product_site& site) {
  return links::make_unit(maker, parent, child, site, [&] {
    threadgroup_products::made_units threadgroups;
    if (maker && site.operands == config::operand_source::registers) threadgroups = make_threadgroups(maker, parent, child, site);
    if (!threadgroups.empty()) return made(std::make_unique<threadgroup_products>(child.c_str(), site, std::move(threadgroups)));
    return made(std::make_unique<dot_product_units>(child.c_str(), site.tensor_core.arithmetic, site.operands));
  });
}

}  // namespace tc::subcore
