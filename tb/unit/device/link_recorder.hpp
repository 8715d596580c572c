// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/fabric/link_tap.hpp>
#include <tc/links/instruction_protocol.hpp>

#include "tapping_binder.hpp"

namespace tc::device::test {

/// A link of the elaborated machine.
struct recorded_link {
  std::string name;               ///< its kind, e.g. "bank_read"
  std::string from, to;           ///< paths of the modules at its ends
  bool has_base_protocol = true;  ///< or traits of its own
};

/// A forward call on a link.
struct recorded_call {
  recorded_link link;
  sc_core::sc_time time, delay;  ///< of the call; annotated
  std::string phase;
  const links::warp_instruction* instruction = nullptr;  ///< null on links that carry none
  const tlm::tlm_generic_payload* access = nullptr;      ///< null on links of other traits
  const links::bank_transfer* rows = nullptr;            ///< null on links that lead to no register bank
  const links::b_tile_transfer* b_tile = nullptr;        ///< likewise
  fabric::cycle_t arrival = 0;                           ///< that the payload tells where it is of no kind above; 0: it tells none
};

/// Notes every link that is bound, and tells of every call on it.
class link_recorder final : public tapping_binder<link_recorder> {
 public:
  using listener = std::function<void(const recorded_call&)>;

  explicit link_recorder(listener listen = [](const auto&) {}) : listen_(std::move(listen)) {}

  const std::vector<recorded_link>& links() const { return links_; }

 private:
  friend class tapping_binder<link_recorder>;

  template <class Protocol>
  class tap final : public fabric::link_tap<Protocol> {
   public:
    using payload_type = typename Protocol::tlm_payload_type;

    tap(const sc_core::sc_module_name& module_name, recorded_link link, const listener& listen)
        : fabric::link_tap<Protocol>(module_name), link_(std::move(link)), listen_(listen) {}

   private:
    tlm::tlm_sync_enum forward(payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
      recorded_call call{link_, sc_core::sc_time_stamp(), delay, phase.get_name()};
      if constexpr (std::is_same_v<payload_type, links::warp_instruction>) call.instruction = &payload;
      if constexpr (std::is_same_v<payload_type, tlm::tlm_generic_payload>) call.access = &payload;
      if constexpr (std::is_same_v<payload_type, links::bank_transfer>) call.rows = &payload;
      if constexpr (std::is_same_v<payload_type, links::b_tile_transfer>) call.b_tile = &payload;
      if constexpr (std::is_base_of_v<links::timed_request, payload_type> || std::is_same_v<payload_type, links::shared_memory_transfer>)
        call.arrival = payload.arrival;
      listen_(call);
      return fabric::link_tap<Protocol>::forward(payload, phase, delay);
    }

    recorded_link link_;
    const listener& listen_;
  };

  static std::string module_of(const std::string& socket) { return socket.substr(0, socket.rfind('.')); }

  template <class Protocol>
  std::unique_ptr<tap<Protocol>> make_tap(const char* link, links::link_initiator<Protocol>& from, links::link_target<Protocol>& to) {
    links_.push_back(
        {link, module_of(from.name()), module_of(to.get_base_export().name()), std::is_same_v<Protocol, tlm::tlm_base_protocol_types>});
    return std::make_unique<tap<Protocol>>(sc_core::sc_gen_unique_name("tap"), links_.back(), listen_);
  }

  listener listen_;
  std::vector<recorded_link> links_;
};

}  // namespace tc::device::test
