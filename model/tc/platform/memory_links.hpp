// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <systemc>

#include <tc/fabric/base_protocol_monitor.hpp>
#include <tc/links/link_binder.hpp>

namespace tc::platform {

/// Binds all links of a machine but those to global memory, which it keeps until what they are bound to is there.
class memory_links final : public links::link_binder {
 public:
  using link_binder::bind;
  void bind(const char* link, links::link_initiator<memory_protocol>& from, links::link_target<memory_protocol>& to) override {
    if (std::string_view(link) == "global_memory")
      links_.push_back(&from);
    else
      from.bind(to);
  }

  /// In the order in which the machine binds them; with a monitor on each, if they are to be checked.
  void bind_all(links::link_target<memory_protocol>& memory, bool are_checked = false) {
    for (links::link_initiator<memory_protocol>* link : links_) {
      if (!are_checked) {
        link->bind(memory);
        continue;
      }
      monitors_.push_back(std::make_unique<fabric::base_protocol_monitor<>>(sc_core::sc_gen_unique_name("monitor")));
      link->bind(monitors_.back()->target);
      monitors_.back()->initiator.bind(memory);
    }
  }

 private:
  std::vector<links::link_initiator<memory_protocol>*> links_;
  std::vector<std::unique_ptr<fabric::base_protocol_monitor<>>> monitors_;
};

}  // namespace tc::platform
