// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <systemc>
#include <tlm>

#include <tc/config/make_dot_product.hpp>
#include <tc/config/tensor_core_parameters.hpp>
#include <tc/links/mma_table.hpp>
#include <tc/links/tensor_core_links.hpp>
#include <tc/links/unit_makers.hpp>
#include <tc/numerics/matrix_product.hpp>

namespace tc::subcore {

/// The dot-product units of a tensor core: what they add and how they round, with no time and no state of their own.
class dot_product_units final : public sc_core::sc_module {
 public:
  fabric::transfer_target<links::dot_product_protocol> products{"products"};

  /// An operation that the arithmetic does not have throws std::invalid_argument when it comes.
  dot_product_units(const sc_core::sc_module_name& module_name, const config::arithmetic_parameters& arithmetic,
                    config::operand_source source = config::operand_source::registers);
  ~dot_product_units() override;

 private:
  tlm::tlm_sync_enum multiply(links::dot_product_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay);

  /// The arithmetic of an operation, and how it multiplies what came last; most often the shape is that of all.
  struct operation_arithmetic {
    explicit operation_arithmetic(const numerics::dot_product& unit) : product(unit) {}

    links::product_shape shape{};
    numerics::matrix_product::method how{};
    numerics::matrix_product product;
  };

  links::mma_table<operation_arithmetic> arithmetic_;
};

/// The dot-product units of a site, as a child of the module of this path: made by their maker or, if there is none, the model's. A maker
/// that declines the tensor core is asked for each of its threadgroups, and where it declines them too they are the model's.
links::made_dot_products make_dot_products(const links::dot_product_maker& maker, const std::string& parent, const std::string& child,
                                           const links::dot_product_site& site);

}  // namespace tc::subcore
