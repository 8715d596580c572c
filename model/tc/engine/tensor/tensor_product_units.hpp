// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/engine/product/tensor_multiplier.hpp>
#include <tc/fabric/protocols.hpp>

namespace tc::engine {

/// Columns of D of a tcgen05.mma in one CTA: what the engine asks its dot-product units.
struct tensor_product_transfer {
  const tensor_mma_plan* plan = nullptr;
  unsigned cta = 0;  ///< of the group
  tensor_mma_inputs inputs{};
  cell_block* d = nullptr;  ///< some columns of D: in with the addends, out with the sums
};

/// Dataflow link tensor_products, matrix pipe -> dot-product units; nb_transport_fw only. BEGIN_REQ, answered TLM_COMPLETED: D is written.
struct tensor_product_protocol : fabric::dataflow_protocol<tensor_product_transfer> {};

template <class Module>
using tensor_product_initiator = tlm_utils::simple_initiator_socket<Module, fabric::base_link_width_bits, tensor_product_protocol>;
template <class Module>
using tensor_product_target = tlm_utils::passthrough_target_socket_optional<Module, fabric::base_link_width_bits, tensor_product_protocol>;

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
