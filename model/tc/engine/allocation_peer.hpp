// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <systemc>

#include <tc/fabric/clocked.hpp>
#include <tc/links/allocation_transfer.hpp>

namespace tc::engine {

/// The allocation unit of an SM, for the other SM of a pair of CTAs. A warp of each CTA, the one of the same number, carries out an
/// instruction of .cta_group::2 (PTX ISA, tcgen05.alloc): the first to come waits in its unit, where the second one finds it; then both
/// units do the same in the same cycle. So columns of pairs are the same in both SMs.
class allocation_peer : public virtual sc_core::sc_interface {
 public:
  struct waiting_request {
    links::allocation_transfer what;
    fabric::cycle_t arrival = 0;
  };

  /// What the counterpart of another CTA's warp waits to carry out with it; none as long as it has not come.
  virtual std::optional<waiting_request> counterpart_of(const warp::warp_context& warp) const = 0;
  /// Whether an allocation is inside that does not wait for its counterpart.
  virtual bool is_allocating() const = 0;
  /// Carries out what the counterpart of a warp waits for. `contended`: beside another allocation.
  virtual void carry_out_with(const warp::warp_context& warp, fabric::cycle_t cycle, bool contended) = 0;
};

}  // namespace tc::engine
