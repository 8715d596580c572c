// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include <systemc>

#include <tc/fabric/clocked.hpp>
#include <tc/links/asynchronous_observer.hpp>

namespace tc::links {

/// The mbarriers of a cluster's CTAs, wherever they run, for commits that arrive at several of them (tcgen05.commit.multicast::cluster).
class cluster_barriers : public virtual sc_core::sc_interface {
 public:
  /// A commit that arrives at the mbarrier at an offset in the window of each CTA of a cluster.
  struct commit {
    asynchronous_origin origin{};  ///< in a CTA of the cluster
    std::uint16_t cta_mask = 0;    ///< by rank in the cluster
    std::uint32_t offset = 0;
    std::uint64_t number = 0;  ///< for the commit listeners of the SMs of the origin's CTA and, if CTAs form pairs, of its peer
    std::function<void(fabric::cycle_t)> arrived{};  ///< called when the last mbarrier has answered, with the cycle in which that is known
  };

  /// The arrivals come in a cycle, which may be the next. A CTA that does not run, or an mbarrier that is none, is an error.
  virtual void arrive(const commit& what, fabric::cycle_t cycle) = 0;
};

}  // namespace tc::links
