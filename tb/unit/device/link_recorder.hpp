#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/subcore/links/link_binder.hpp>

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
  const subcore::warp_instruction* instruction = nullptr;  ///< null on links that carry none
  const tlm::tlm_generic_payload* access = nullptr;        ///< null on links of other traits
};

/// Notes every link that is bound, and tells of every call on it.
class link_recorder final : public subcore::link_binder {
 public:
  using listener = std::function<void(const recorded_call&)>;

  explicit link_recorder(listener listen = [](const auto&) {}) : listen_(std::move(listen)) {}

  const std::vector<recorded_link>& links() const { return links_; }

  void bind(const char* link, subcore::link_initiator<memory_protocol>& from, subcore::link_target<memory_protocol>& to) override {
    insert(link, from, to);
  }
  void bind(const char* link, subcore::link_initiator<subcore::instruction_protocol>& from,
            subcore::link_target<subcore::instruction_protocol>& to) override {
    insert(link, from, to);
  }
  void bind(const char* link, subcore::link_initiator<subcore::fragment_protocol>& from,
            subcore::link_target<subcore::fragment_protocol>& to) override {
    insert(link, from, to);
  }
  void bind(const char* link, subcore::link_initiator<subcore::dot_product_protocol>& from,
            subcore::link_target<subcore::dot_product_protocol>& to) override {
    insert(link, from, to);
  }
  using link_binder::bind;

 private:
  /// Hands everything on in both directions.
  template <class Protocol>
  class tap final : public sc_core::sc_module {
   public:
    using payload_type = typename Protocol::tlm_payload_type;

    tlm_utils::passthrough_target_socket<tap, 32, Protocol> target{"target"};
    tlm_utils::simple_initiator_socket<tap, 32, Protocol> initiator{"initiator"};

    tap(const sc_core::sc_module_name& module_name, recorded_link link, const listener& listen)
        : sc_module(module_name), link_(std::move(link)), listen_(listen) {
      target.register_nb_transport_fw(this, &tap::forward);
      initiator.register_nb_transport_bw(this, &tap::backward);
      if constexpr (std::is_same_v<payload_type, tlm::tlm_generic_payload>) {
        target.register_transport_dbg(this, &tap::debug);
        target.register_b_transport(this, &tap::blocking);
      }
    }

   private:
    tlm::tlm_sync_enum forward(payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      recorded_call call{link_, sc_core::sc_time_stamp(), delay, phase.get_name()};
      if constexpr (std::is_same_v<payload_type, subcore::warp_instruction>) call.instruction = &payload;
      if constexpr (std::is_same_v<payload_type, tlm::tlm_generic_payload>) call.access = &payload;
      listen_(call);
      return initiator->nb_transport_fw(payload, phase, delay);
    }
    tlm::tlm_sync_enum backward(payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      return target->nb_transport_bw(payload, phase, delay);
    }
    unsigned debug(payload_type& payload) { return initiator->transport_dbg(payload); }
    void blocking(payload_type& payload, sc_core::sc_time& delay) { initiator->b_transport(payload, delay); }

    recorded_link link_;
    const listener& listen_;
  };

  static std::string module_of(const std::string& socket) { return socket.substr(0, socket.rfind('.')); }

  template <class Protocol>
  void insert(const char* name, subcore::link_initiator<Protocol>& from, subcore::link_target<Protocol>& to) {
    using base = tlm::tlm_base_protocol_types;
    links_.push_back({name, module_of(from.name()), module_of(to.get_base_export().name()), std::is_same_v<Protocol, base>});
    auto inserted = std::make_unique<tap<Protocol>>(sc_core::sc_gen_unique_name("tap"), links_.back(), listen_);
    from.bind(inserted->target);
    inserted->initiator.bind(to);
    taps_.push_back(std::move(inserted));
  }

  listener listen_;
  std::vector<recorded_link> links_;
  std::vector<std::unique_ptr<sc_core::sc_module>> taps_;
};

}  // namespace tc::device::test
