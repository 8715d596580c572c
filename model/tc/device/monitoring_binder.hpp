// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <tc/fabric/base_protocol_monitor.hpp>
#include <tc/links/link_binder.hpp>

namespace tc::device {

/// Puts a monitor on every link, at the target's end; what is in front of it is bound by another binder. Links to the asynchronous units of
/// the SM have none: their answers come back over them in phases of their own.
class monitoring_binder final : public links::link_binder {
 public:
  explicit monitoring_binder(links::link_binder& inner) : inner_(inner) {}

  void bind(const char* link, links::link_initiator<memory_protocol>& from, links::link_target<memory_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::instruction_protocol>& from,
            links::link_target<links::instruction_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::bank_protocol>& from, links::link_target<links::bank_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::shared_memory_protocol>& from,
            links::link_target<links::shared_memory_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::b_tile_protocol>& from, links::link_target<links::b_tile_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::fragment_protocol>& from,
            links::link_target<links::fragment_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::dot_product_protocol>& from,
            links::link_target<links::dot_product_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::warpgroup_request_protocol>& from,
            links::link_target<links::warpgroup_request_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::warpgroup_operands_protocol>& from,
            links::link_target<links::warpgroup_operands_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::barrier_protocol>& from,
            links::link_target<links::barrier_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::bulk_copy_protocol>& from,
            links::link_target<links::bulk_copy_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::tensor_request_protocol>& from,
            links::link_target<links::tensor_request_protocol>& to) override;
  void bind(const char* link, links::link_initiator<links::allocation_protocol>& from,
            links::link_target<links::allocation_protocol>& to) override;

  links::link_target<memory_protocol>* foreign_shared_memory(const std::string& initiator) override {
    return inner_.foreign_shared_memory(initiator);
  }
  links::issue_observer* observer_of_issue(const std::string& scheduler, unsigned warp_slots) override {
    return inner_.observer_of_issue(scheduler, warp_slots);
  }
  links::operand_observer* observer_of_operands(const std::string& operand_fetch) override {
    return inner_.observer_of_operands(operand_fetch);
  }
  links::load_store_observer* observer_of_load_store(const std::string& load_store) override {
    return inner_.observer_of_load_store(load_store);
  }

  /// Transactions that passed all links.
  std::uint64_t transactions() const;

 private:
  template <template <class> class Monitor, class Protocol>
  void watch(const char* link, links::link_initiator<Protocol>& from, links::link_target<Protocol>& to);

  links::link_binder& inner_;
  std::vector<std::unique_ptr<fabric::base_protocol_monitor<>>> monitors_;
  std::vector<std::unique_ptr<sc_core::sc_module>> dataflow_monitors_;
  std::vector<std::function<std::uint64_t()>> counts_;  ///< of these
};

}  // namespace tc::device
