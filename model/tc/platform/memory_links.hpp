#pragma once

#include <string_view>
#include <vector>

#include <tc/subcore/links/link_binder.hpp>

namespace tc::platform {

/// Binds all links of a machine but those to global memory, which it keeps until what they are bound to is there.
class memory_links final : public subcore::link_binder {
 public:
  using link_binder::bind;
  void bind(const char* link, subcore::link_initiator<memory_protocol>& from, subcore::link_target<memory_protocol>& to) override {
    if (std::string_view(link) == "global_memory")
      links_.push_back(&from);
    else
      from.bind(to);
  }

  /// In the order in which the machine binds them.
  void bind_all(subcore::link_target<memory_protocol>& memory) {
    for (subcore::link_initiator<memory_protocol>* link : links_) link->bind(memory);
  }

 private:
  std::vector<subcore::link_initiator<memory_protocol>*> links_;
};

}  // namespace tc::platform
