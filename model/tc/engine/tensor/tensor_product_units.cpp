// SPDX-License-Identifier: Apache-2.0
#include "tensor_product_units.hpp"

namespace tc::engine {

tensor_product_units::tensor_product_units(const sc_core::sc_module_name& module_name, const config::arithmetic_parameters& arithmetic)
    : sc_module(module_name), multiplier_(arithmetic) {
  products.register_nb_transport_fw(this, &tensor_product_units::multiply);
}

tensor_product_units::~tensor_product_units() = default;

tlm::tlm_sync_enum tensor_product_units::multiply(tensor_product_transfer& transfer, tlm::tlm_phase&, sc_core::sc_time&) {
  multiplier_.multiply(*transfer.plan, transfer.cta, transfer.inputs, *transfer.d);
  return tlm::TLM_COMPLETED;
}

}  // namespace tc::engine
