// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_get.h>

#include <tc/subcore/tensor/dot_product_units.hpp>

namespace tc::device::test {

/// Dot-product units with the bits of the model's, which answer in calls of their own some time after A, B and C are complete.
class late_dot_products final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(late_dot_products);

  links::dot_product_target<late_dot_products> products{"products"};

  /// How a request is answered: after a time, with calls of these phases; D is complete some cycles after the call.
  struct manners {
    sc_core::sc_time takes{};
    std::vector<tlm::tlm_phase> phases{tlm::BEGIN_RESP};
    unsigned late_cycles = 0;
  };
  using choice = std::function<manners()>;  ///< asked for each request

  late_dot_products(const sc_core::sc_module_name& module_name, const links::dot_product_site& site, const choice& choose)
      : sc_module(module_name), choose_(choose), clock_(site.clock), model_("model", site.tensor_core.arithmetic, site.operands) {
    products.register_nb_transport_fw(this, &late_dot_products::take);
    multiply_.bind(model_.products);
    SC_METHOD(answer);
    sensitive << due_.get_event();
    dont_initialize();
  }

  /// Makes them where the operands come from registers, or from shared memory.
  static links::dot_product_maker maker(const choice& choose) {
    return [choose](const char* name, const links::dot_product_site& site) {
      auto made = std::make_unique<late_dot_products>(name, site, choose);
      auto* const socket = &made->products;
      return links::made_dot_products{std::move(made), {socket}};
    };
  }

 private:
  struct pending {
    links::dot_product_transfer* asked;
    std::vector<std::uint32_t> d;
    manners answer;
  };

  tlm::tlm_sync_enum take(links::dot_product_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (transfer.d == nullptr) return tlm::TLM_COMPLETED;
    pending& later = pending_.emplace_back();
    later.asked = &transfer;
    later.d.resize(transfer.shape.products * transfer.d_words());
    links::dot_product_transfer copy = transfer;
    copy.d = later.d.data();
    multiply_->nb_transport_fw(copy, phase, delay);
    later.answer = choose_();
    due_.notify(later, clock_.delay_to(transfer.arrival) + later.answer.takes);
    return tlm::TLM_ACCEPTED;
  }

  void answer() {
    while (pending* const done = due_.get_next_transaction()) {
      std::copy(done->d.begin(), done->d.end(), done->asked->d);
      for (tlm::tlm_phase phase : done->answer.phases) {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        done->asked->complete = clock_.cycle() + done->answer.late_cycles;
        products->nb_transport_bw(*done->asked, phase, delay);
      }
    }
  }

  const choice choose_;
  fabric::clock_domain& clock_;
  subcore::dot_product_units model_;
  links::dot_product_initiator<late_dot_products> multiply_{"multiply"};
  std::deque<pending> pending_;
  tlm_utils::peq_with_get<pending> due_{"due"};
};

}  // namespace tc::device::test
