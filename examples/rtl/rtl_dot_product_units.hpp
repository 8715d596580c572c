// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <systemc>

#include <tc/links/tensor_core_links.hpp>
#include <tc/links/unit_makers.hpp>
#include <tc/subcore/tensor/dot_product_units.hpp>

#include "rtl_threadgroup.hpp"

namespace rtl {

/// The dot-product units of a tensor core, in RTL: those of each of its threadgroups are a Verilated dot_product_array. They answer a
/// matrix instruction when the RTL has computed the last of its sums, which is as late as its pipeline is deep. Operations on other
/// elements than f16 are left to the model's units.
///
/// The clock of the RTL has the period of the machine's, and runs only while operations are under way. Inputs are set with an edge of the
/// machine, and the rising edge is half a period later, so that no edge of the machine falls together with one of the RTL.
class rtl_dot_product_units final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(rtl_dot_product_units);

  tc::links::dot_product_target<rtl_dot_product_units> products{"products"};

  /// For a site in a machine. Throws std::invalid_argument if the RTL is not what its configuration asks for.
  rtl_dot_product_units(const sc_core::sc_module_name& module_name, const tc::links::dot_product_site& site,
                        const make_threadgroup& make);
  ~rtl_dot_product_units() override;

  /// Rising edges of the clock so far.
  std::uint64_t edges() const { return edges_; }
  /// The RTL of a threadgroup, for its waves.
  rtl_threadgroup& threadgroup(unsigned i) { return *threadgroups_.at(i).rtl; }

 private:
  using cycle_t = tc::fabric::cycle_t;

  struct job;
  /// An element of D: operations behind each other, each of which has the result of the one before as addend.
  struct element {
    job* owner;
    unsigned row, column;  ///< lines of the owner's factors
    std::uint32_t value;   ///< the addend, then what has come out last
    std::uint32_t* d;
    unsigned started = 0, computed = 0;  ///< operations
    cycle_t ready = 0;                   ///< when the next operation can start, so that its addend is there with its products
  };
  /// A matrix instruction.
  struct job {
    tc::links::dot_product_transfer* transfer;
    bool is_f16;                      ///< accumulators
    unsigned operations;              ///< of an element
    std::vector<std::uint16_t> a, b;  ///< the lines, filled up with zeros to whole operations
    std::vector<element> elements;
    std::size_t outstanding;  ///< elements
  };
  /// What a threadgroup has to do for a job.
  struct share {
    cycle_t first;  ///< cycle in which it may start
    std::deque<element*> waiting;
  };
  struct addend {
    cycle_t cycle;
    unsigned unit;
    const element* of;
  };
  struct threadgroup_state {
    std::unique_ptr<rtl_threadgroup> rtl;
    std::deque<share> shares;                     ///< in order of the instructions
    std::vector<std::deque<element*>> under_way;  ///< by unit
    std::deque<addend> addends;                   ///< in order
  };

  tlm::tlm_sync_enum multiply(tc::links::dot_product_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum answered(tc::links::dot_product_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void take(tc::links::dot_product_transfer& transfer, cycle_t first);
  void take_product(job& taken, unsigned product);

  void half_cycle();
  void begin_cycle(cycle_t now);
  void collect(threadgroup_state& group);
  void start(threadgroup_state& group, cycle_t now);
  void start(threadgroup_state& group, unsigned unit, element& next, cycle_t now);
  void finish(job& done);
  void sleep(cycle_t now);

  const tc::fabric::clock_domain& machine_clock_;
  unsigned octets_, octets_per_cycle_;  ///< of this tensor core; that the machine's sequencer starts in a cycle
  unsigned length_, units_;             ///< products of an operation; operations that a threadgroup starts in a cycle
  std::vector<threadgroup_state> threadgroups_;
  tc::subcore::dot_product_units model_;
  tc::links::dot_product_initiator<rtl_dot_product_units> others_{"others"};
  std::vector<std::unique_ptr<job>> jobs_;
  std::size_t operations_under_way_ = 0;
  bool rises_next_ = false;
  sc_core::sc_event work_{"work"};
  sc_core::sc_signal<bool> clock_{"clock"}, reset_n_{"reset_n"};
  std::uint64_t edges_ = 0;
};

/// Makes them, for device::unit_registry. Products of warpgroup matrix instructions, which come in too large pieces for a threadgroup, are
/// left to the model.
tc::links::dot_product_maker rtl_dot_product_maker(make_threadgroup make);

}  // namespace rtl
