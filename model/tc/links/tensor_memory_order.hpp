// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include <tc/fabric/clocked.hpp>
#include <tc/isa/tcgen05/tensor_cells.hpp>
#include <tc/links/asynchronous_observer.hpp>

namespace tc::links {

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
