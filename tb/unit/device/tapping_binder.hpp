// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <systemc>

#include <tc/links/link_binder.hpp>

namespace tc::device::test {

/// Puts taps on links, of any protocol. `Binder` derives from it, and has
///   template <class Protocol> std::unique_ptr<TAP> make_tap(const char* link, link_initiator<Protocol>& from, link_target<Protocol>& to)
/// with a tap that derives from fabric::link_tap<Protocol>; null: none on this link.
template <class Binder>
class tapping_binder : public links::link_binder {
 public:
  void bind(const char* link, links::link_initiator<memory_protocol>& from, links::link_target<memory_protocol>& to) override {
    tap(link, from, to);
  }
  void bind(const char* link, links::link_initiator<links::instruction_protocol>& from,
            links::link_target<links::instruction_protocol>& to) override {
    tap(link, from, to);
  }
  void bind(const char* link, links::link_initiator<links::bank_protocol>& from, links::link_target<links::bank_protocol>& to) override {
    tap(link, from, to);
  }
  void bind(const char* link, links::link_initiator<links::shared_memory_protocol>& from,
            links::link_target<links::shared_memory_protocol>& to) override {
    tap(link, from, to);
  }
  void bind(const char* link, links::link_initiator<links::b_tile_protocol>& from,
            links::link_target<links::b_tile_protocol>& to) override {
    tap(link, from, to);
  }
  void bind(const char* link, links::link_initiator<links::fragment_protocol>& from,
            links::link_target<links::fragment_protocol>& to) override {
    tap(link, from, to);
  }
  void bind(const char* link, links::link_initiator<links::dot_product_protocol>& from,
            links::link_target<links::dot_product_protocol>& to) override {
    tap(link, from, to);
  }
  void bind(const char* link, links::link_initiator<links::warpgroup_request_protocol>& from,
            links::link_target<links::warpgroup_request_protocol>& to) override {
    tap(link, from, to);
  }
  void bind(const char* link, links::link_initiator<links::warpgroup_operands_protocol>& from,
            links::link_target<links::warpgroup_operands_protocol>& to) override {
    tap(link, from, to);
  }
  void bind(const char* link, links::link_initiator<links::barrier_protocol>& from,
            links::link_target<links::barrier_protocol>& to) override {
    tap(link, from, to);
  }
  void bind(const char* link, links::link_initiator<links::bulk_copy_protocol>& from,
            links::link_target<links::bulk_copy_protocol>& to) override {
    tap(link, from, to);
  }
  void bind(const char* link, links::link_initiator<links::tensor_request_protocol>& from,
            links::link_target<links::tensor_request_protocol>& to) override {
    tap(link, from, to);
  }
  void bind(const char* link, links::link_initiator<links::allocation_protocol>& from,
            links::link_target<links::allocation_protocol>& to) override {
    tap(link, from, to);
  }

  std::size_t taps() const { return taps_.size(); }

 private:
  template <class Protocol>
  void tap(const char* link, links::link_initiator<Protocol>& from, links::link_target<Protocol>& to) {
    auto made = static_cast<Binder*>(this)->template make_tap<Protocol>(link, from, to);
    if (made == nullptr) return from.bind(to);
    from.bind(made->target);
    made->initiator.bind(to);
    taps_.push_back(std::move(made));
  }

  std::vector<std::unique_ptr<sc_core::sc_module>> taps_;
};

}  // namespace tc::device::test
