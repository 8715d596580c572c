// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <optional>
#include <vector>

#include <systemc>

#include <tc/device/cta_dispatcher.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/links/asynchronous_interfaces.hpp>
#include <tc/links/asynchronous_links.hpp>
#include <tc/links/link_binder.hpp>

namespace tc::device {

using fabric::cycle_t;

class streaming_multiprocessor;

/// What SMs send each other for the CTAs of a cluster: arrivals of commits at mbarriers. How long that takes on silicon is not known: an
/// arrival comes to another SM in the cycle in which it comes to the own one.
class cluster_network final : public sc_core::sc_module, public links::cluster_barriers {
 public:
  /// Dispatcher and SMs must outlive it. The SMs have mbarriers, with which it is bound through `binder`.
  cluster_network(const sc_core::sc_module_name& name, const cta_dispatcher& dispatcher, sc_core::sc_vector<streaming_multiprocessor>& sms,
                  fabric::clock_domain& clock, links::link_binder& binder);
  ~cluster_network() override;

  void arrive(const commit& what, cycle_t cycle) override;

  /// True if every mbarrier has answered.
  bool idle() const { return commits_.empty(); }

 private:
  /// Where an arrival goes, and what it is there.
  struct arrival {
    std::size_t sm = 0;
    links::barrier_transfer what{};
  };
  /// A commit of which mbarriers have not answered.
  struct sent_commit {
    commit what{};
    std::vector<arrival> arrivals{};
    std::size_t unanswered = 0;
    cycle_t latest = 0;  // of the answers
  };

  std::optional<arrival> find(const commit& what, std::uint32_t rank) const;
  void refuse(const commit& what, std::uint32_t rank, const std::string& text) const;
  tlm::tlm_sync_enum answered(links::barrier_transfer& what, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void count(sent_commit& sent, cycle_t cycle);

  const cta_dispatcher& dispatcher_;
  const sc_core::sc_vector<streaming_multiprocessor>& sms_;
  fabric::clock_domain& clock_;
  sc_core::sc_vector<links::barrier_initiator<cluster_network>> barriers_;  // by SM
  std::list<sent_commit> commits_;
};

}  // namespace tc::device
