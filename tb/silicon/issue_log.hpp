// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <subcore/tensor_links.hpp>
#include <vector>

#include <systemc>

#include <tc/links/link_binder.hpp>

namespace tc::silicon {

/// Notes when each instruction leaves its scheduler, from a tap on the issue links.
class issue_log final : public links::link_binder {
 public:
  struct entry {
    std::uint32_t warp;  ///< of its CTA
    std::string text;
    fabric::cycle_t cycle;
  };

  using links::link_binder::bind;
  void bind(const char* link, links::link_initiator<links::instruction_protocol>& from,
            links::link_target<links::instruction_protocol>& to) override {
    if (std::string(link) != "issue") return links::link_binder::bind(link, from, to);
    taps_.push_back(std::make_unique<tap>(sc_core::sc_gen_unique_name("issue_tap")));
    taps_.back()->on_the_way_back = [this](const links::warp_instruction& instruction) {
      entries_.push_back({instruction.warp->warp_in_cta, instruction.code().text, instruction.issued});
    };
    from.bind(taps_.back()->target);
    taps_.back()->initiator.bind(to);
  }

  const std::vector<entry>& entries() const { return entries_; }

  /// Issue cycles of a warp's instructions whose text begins so, in order.
  std::vector<fabric::cycle_t> cycles(std::uint32_t warp, const std::string& beginning) const {
    std::vector<fabric::cycle_t> result;
    for (const entry& e : entries_)
      if (e.warp == warp && e.text.compare(0, beginning.size(), beginning) == 0) result.push_back(e.cycle);
    return result;
  }

 private:
  using tap = subcore::test::interposer<links::instruction_protocol>;
  std::vector<std::unique_ptr<tap>> taps_;
  std::vector<entry> entries_;
};

/// Differences of neighbours.
inline std::vector<fabric::cycle_t> intervals(const std::vector<fabric::cycle_t>& cycles) {
  std::vector<fabric::cycle_t> result;
  for (std::size_t i = 1; i < cycles.size(); ++i) result.push_back(cycles[i] - cycles[i - 1]);
  return result;
}

}  // namespace tc::silicon
