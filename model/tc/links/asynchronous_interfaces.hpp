// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <systemc>

#include <tc/fabric/clocked.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>
#include <tc/links/run_observer.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::links {

/// Who wants to know when somebody learns, at an mbarrier, that what was committed is complete (tcgen05.commit).
class commit_listener : public virtual sc_core::sc_interface {
 public:
  /// A wait for the phase in which this commit arrived is over.
  virtual void phase_observed(std::uint64_t commit) = 0;
};

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

/// The CTAs that are resident in an SM.
class resident_ctas : public virtual sc_core::sc_interface {
 public:
  /// A warp of the CTA with this number in its grid; null if the CTA is not there.
  virtual const warp::warp_context* warp_of(std::uint32_t cta) const = 0;
};

/// Who has which columns of an SM's tensor memory.
class tensor_memory_owners : public virtual sc_core::sc_interface {
 public:
  /// Whether all these columns are allocated to the CTA of a warp.
  virtual bool has_allocated(const warp::warp_context& warp, isa::column_range columns) const = 0;
};

/// The loads and stores of warps among the asynchronous instructions on tensor memory, which the tensor engine works on: what overlaps and
/// has not been waited for is a hazard, which the engine reports.
class tensor_memory_order : public virtual sc_core::sc_interface {
 public:
  /// A warp's tcgen05.ld, or st, accesses these cells in a cycle. Called before the transactions; what the engine has written by then is in
  /// the memory on return.
  virtual std::uint64_t access_begins(const asynchronous_origin& origin, bool load, const std::vector<isa::tensor_cells>& cells,
                                      fabric::cycle_t cycle) = 0;

  /// The warp has waited for it (tcgen05.wait), or ended.
  virtual void access_settled(std::uint64_t access) = 0;
};

}  // namespace tc::links
