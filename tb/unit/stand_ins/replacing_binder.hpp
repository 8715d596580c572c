// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>

#include <tc/links/link_binder.hpp>

namespace tc::stand_ins {

/// Binds sockets of stand-ins where the model has sockets of its own. The model's unit stays in the hierarchy, idle: its targets stay
/// unbound, and its initiators, which must not, are bound to targets where a call is an error.
class replacing_binder final : public links::link_binder {
 public:
  /// The ends to bind instead of the model's; null: as it is.
  template <class Protocol>
  struct ends {
    links::link_initiator<Protocol>* from = nullptr;
    links::link_target<Protocol>* to = nullptr;
  };
  /// Asked for each link, by its kind and the name of its initiator socket.
  template <class Protocol>
  using choice = std::function<ends<Protocol>(const std::string& link, const std::string& from)>;

  choice<memory_protocol> memory = keep<memory_protocol>;
  choice<links::instruction_protocol> instructions = keep<links::instruction_protocol>;
  choice<links::b_tile_protocol> b_tiles = keep<links::b_tile_protocol>;
  choice<links::fragment_protocol> fragments = keep<links::fragment_protocol>;
  choice<links::dot_product_protocol> dot_products = keep<links::dot_product_protocol>;
  /// Of a shared memory of another make, by the name of the initiator socket; may be empty.
  std::function<links::link_target<memory_protocol>*(const std::string& from)> shared_memory;

  void bind(const char* link, links::link_initiator<memory_protocol>& from, links::link_target<memory_protocol>& to) override {
    replace(memory(link, from.name()), from, to);
  }
  void bind(const char* link, links::link_initiator<links::instruction_protocol>& from,
            links::link_target<links::instruction_protocol>& to) override {
    replace(instructions(link, from.name()), from, to);
  }
  void bind(const char* link, links::link_initiator<links::b_tile_protocol>& from,
            links::link_target<links::b_tile_protocol>& to) override {
    replace(b_tiles(link, from.name()), from, to);
  }
  void bind(const char* link, links::link_initiator<links::fragment_protocol>& from,
            links::link_target<links::fragment_protocol>& to) override {
    replace(fragments(link, from.name()), from, to);
  }
  void bind(const char* link, links::link_initiator<links::dot_product_protocol>& from,
            links::link_target<links::dot_product_protocol>& to) override {
    replace(dot_products(link, from.name()), from, to);
  }
  using link_binder::bind;
  links::link_target<memory_protocol>* foreign_shared_memory(const std::string& from) override {
    return shared_memory ? shared_memory(from) : nullptr;
  }

 private:
  template <class Protocol>
  static ends<Protocol> keep(const std::string&, const std::string&) {
    return {};
  }

  template <class Protocol>
  void replace(const ends<Protocol>& chosen, links::link_initiator<Protocol>& from, links::link_target<Protocol>& to) {
    (chosen.from != nullptr ? *chosen.from : from).bind(chosen.to != nullptr ? *chosen.to : to);
    if (chosen.from != nullptr) from.bind(unused_target<Protocol>());
  }

  template <class Protocol>
  links::link_target<Protocol>& unused_target() {
    using target = tlm_utils::passthrough_target_socket<replacing_binder, fabric::base_link_width_bits, Protocol>;
    const auto socket = std::make_shared<target>(sc_core::sc_gen_unique_name("unused"));
    unused_.push_back(socket);
    return *socket;
  }

  std::vector<std::shared_ptr<void>> unused_;
};

}  // namespace tc::stand_ins
