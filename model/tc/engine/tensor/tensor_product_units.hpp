// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include <tc/engine/tensor/tensor_product_link.hpp>

namespace tc::engine {

/// The dot-product units of an SM's tensor engine: what they add and how they round, with no time.
class tensor_product_units final : public sc_core::sc_module {
 public:
  tensor_product_target<tensor_product_units> products{"products"};

  tensor_product_units(const sc_core::sc_module_name& name, const config::arithmetic_parameters& arithmetic);
  ~tensor_product_units() override;

 private:
  /// Throws what tensor_multiplier does.
  tlm::tlm_sync_enum multiply(tensor_product_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay);

  tensor_multiplier multiplier_;
};

}  // namespace tc::engine
