// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <systemc>

#include <tc/config/tensor_memory_parameters.hpp>
#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/clocked.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/asynchronous_interfaces.hpp>
#include <tc/links/asynchronous_links.hpp>
#include <tc/links/shared_memory_initiator.hpp>
#include <tc/tmem/column_allocator.hpp>

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

using fabric::cycle_t;

/// The unit of an SM that gives columns of tensor memory to CTAs (tcgen05.alloc, dealloc, relinquish_alloc_permit). Columns that are
/// allocated begin a new life, in which nobody has written them; their address goes to shared memory when the allocation is done. What
/// breaks a rule is an error, and changes nothing. An instruction of a pair of CTAs waits for its counterpart in the other SM
/// (allocation_peer); from then on it is as one of a CTA alone.
class allocation_unit final : public sc_core::sc_module,
                              public fabric::clocked,
                              public fabric::statistics_source,
                              public fabric::resettable,
                              private links::tensor_memory_owners,
                              private allocation_peer {
 public:
  links::allocation_multi_target<allocation_unit> allocation{"allocation"};  ///< any number of links
  sc_core::sc_export<links::tensor_memory_owners> owners{"owners"};
  sc_core::sc_export<allocation_peer> pair{"pair"};                                   ///< for the one of the pair's other SM
  sc_core::sc_port<allocation_peer, 1, sc_core::SC_ZERO_OR_MORE_BOUND> peer{"peer"};  ///< of the other SM, if there is one
  links::shared_memory_initiator shared;          ///< to the shared memory; addresses are those of the SM
  fabric::base_protocol_initiator tensor_memory;  ///< tells it which columns begin a new life

  struct params {
    config::tensor_memory_parameters memory{};
    unsigned issue_cycles = 0;  ///< from the issue of an instruction to its arrival here, which the published costs contain
  };

  allocation_unit(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock);
  ~allocation_unit() override;

  /// The CTA in this CTA slot of the SM, with this number in its grid, has ended. Reports columns that it has not given back, and gives
  /// them to others.
  void end_cta(std::uint32_t cta_slot, std::uint32_t cta);
  /// A kernel is given up: who waits for columns or for the other CTA of a pair gets none, and nobody waits again until the next kernel
  /// begins. Columns that CTAs have when they end are not reported.
  void let_go();
  void begin_kernel() { lets_wait_ = true; }
  /// As after construction.
  void reset() override;

  /// True if no request is inside and no payload in use.
  bool idle() const { return requests_.empty() && regions_.live() == 0; }
  /// Who waits for how many columns, or for the other CTA of its pair, one line for each.
  void describe(std::vector<std::string>& lines) const;

  void collect(fabric::statistics_sink& sink) const override;

 private:
  using transfer = links::allocation_transfer;

  struct request {
    transfer what{};
    unsigned link = 0;
    cycle_t arrival = 0;
    bool contended = false;  // beside another allocation
    enum class stage : std::uint8_t { waits_for_peer, waits_for_columns, timed, writes_address } now = stage::waits_for_columns;
    cycle_t done = 0;  // when it is, if that is known
    bool has_columns = false;
    std::uint32_t address = 0;  // of them
    const links::access_run run{0, 0, sizeof address, 0};
    links::shared_memory_transfer write{};
  };
  /// Columns of a CTA, and the instruction that they come from.
  struct holding {
    std::uint32_t cta_slot;
    isa::column_range columns;
    const isa::instruction* code;
    std::uint32_t line;
  };

  bool has_allocated(const warp::warp_context& warp, isa::column_range columns) const override;
  tlm::tlm_sync_enum take(int link, transfer& what, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void evaluate(cycle_t cycle) override;

  std::optional<waiting_request> counterpart_of(const warp::warp_context& warp) const override;
  bool is_allocating() const override;
  void carry_out_with(const warp::warp_context& warp, cycle_t cycle, bool contended) override;

  void meet(request& next);
  void carry_out(request& next, bool contended);
  void allocate(request& next);
  void deallocate(request& next);
  void grant(request& granted, unsigned first, cycle_t cycle);
  void grant_waiting(const std::vector<tmem::column_allocator::grant>& granted, cycle_t cycle);
  void begin_columns(isa::column_range columns);
  void done_at(request& next, cycle_t cycle);
  void write_address(request& next);
  static cycle_t begin_of(const request& timed);
  void written(request& owner);
  void answer(request& finished, cycle_t cycle);
  static bool is_allocation(const request& which) { return which.what.operation->action == isa::tensor_allocation::allocate; }
  static bool is_waiting(const request& which) { return which.now == request::stage::waits_for_columns; }
  void report(const char* type, const transfer& what, const std::string& text) const;

  const params params_;
  fabric::clock_domain& clock_;
  const std::size_t clocked_id_;
  tmem::column_allocator allocator_;
  fabric::payload_pool regions_;                    // a payload that begins a region is used for nothing else
  std::vector<std::unique_ptr<request>> requests_;  // in the order of their arrival
  std::vector<holding> holdings_;
  bool lets_wait_ = true;  // false: the kernel is given up
  std::uint64_t allocations_ = 0, waits_ = 0, columns_ = 0, bytes_written_ = 0;
};

}  // namespace tc::engine
