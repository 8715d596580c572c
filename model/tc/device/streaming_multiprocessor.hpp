// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <systemc>

#include <tc/accounting/run_recorder.hpp>
#include <tc/config/machine.hpp>
#include <tc/device/cta_barrier.hpp>
#include <tc/device/cta_dispatcher.hpp>
#include <tc/device/kernel.hpp>
#include <tc/device/sm_occupancy.hpp>
#include <tc/device/tensor_memory_system.hpp>
#include <tc/device/warp_feed.hpp>
#include <tc/engine/barrier_unit.hpp>
#include <tc/engine/bulk_copy_engine.hpp>
#include <tc/engine/warpgroup_feed.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/shared_tag_array.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/link_binder.hpp>
#include <tc/links/shared_memory_initiator.hpp>
#include <tc/memory/shared_memory.hpp>
#include <tc/memory/shared_memory_adapter.hpp>
#include <tc/subcore/sub_core.hpp>

namespace tc::device {

/// A streaming multiprocessor: sub-cores around a shared memory, and the CTAs that are resident.
class streaming_multiprocessor final : public sc_core::sc_module,
                                       public fabric::statistics_source,
                                       public fabric::resettable,
                                       private links::warp_supervisor,
                                       private links::resident_ctas {
 public:
  sc_core::sc_port<cta_source> source{"source"};

  struct params {
    config::sm_parameters machine{};
    config::global_memory_parameters global_memory{};
    config::jitter_parameters jitter{};
    unsigned number = 0;        ///< of this SM in its GPU
    bool asynchronous = false;  ///< has mbarriers and bulk copies
    bool interlock = true;
    bool data = true;
    links::unit_makers units{};
    std::shared_ptr<subcore::shared_operand_plans> plans{};  ///< of all SMs of the machine
  };

  /// Binds the links inside through `binder`; the sub-cores' links to global memory are left to the owner.
  streaming_multiprocessor(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock,
                           accounting::run_recorder& recorder, links::link_binder& binder);
  ~streaming_multiprocessor() override;

  subcore::sub_core& sub_core(unsigned index) { return sub_core_[index]; }
  const subcore::sub_core& sub_core(unsigned index) const { return sub_core_[index]; }
  unsigned sub_cores() const { return static_cast<unsigned>(sub_core_.size()); }

  /// The initiator socket of its bulk copies to global memory, null if there are none.
  fabric::base_protocol_initiator* global_memory() { return bulk_copy_ == nullptr ? nullptr : &bulk_copy_->global; }

  /// Tells it the other SM of its TPC, with which it works on pairs of CTAs; one without tensor memory has nothing to tell.
  void bind_pair(streaming_multiprocessor& other);

  /// Connects its tensor engine with the mbarriers of other SMs; one without tensor memory has nothing to tell.
  void bind_cluster(links::cluster_barriers& barriers);
  /// Its mbarriers, for other SMs; null if it has none.
  links::link_target<links::barrier_protocol>* barriers() { return barrier_unit_ == nullptr ? nullptr : &barrier_unit_->barrier; }
  const warp::warp_context* warp_of(std::uint32_t cta) const override;

  const sm_occupancy& occupancy() const { return occupancy_; }
  /// Starts a CTA that fits; its warps may issue from `first` on, a cycle still to come.
  void launch(const kernel& kernel, const trace::cta_entry& cta, cycle_t first);
  /// Keeps the place of a CTA that another process simulates.
  void hold_place(const cta_demand& demand) { occupancy_.take(demand); }
  /// Gives the place of a finished CTA free.
  void release(std::uint32_t cta_slot);

  /// A kernel is about to start, and nothing of the one before is in flight.
  void begin_kernel();
  /// Ends all CTAs. The warps issue nothing any more; each has exited, and its CTA ends when nothing of it is in flight. What is in flight
  /// ends by itself, but for what waits for something that only a warp could bring: phases of mbarriers, the other warps of a warpgroup,
  /// columns of tensor memory, the other CTA of a pair. The units where such things wait let them go, and until the next kernel begins
  /// nothing waits there again. CTA barriers open as they do when warps exit.
  void give_up();

  /// Who waits for what, one line for each warp that has not exited and for each barrier that has not opened.
  void describe(std::vector<std::string>& lines) const;
  /// A unit that something is in flight in, or none.
  const sc_core::sc_object* busy_unit() const;
  bool idle() const { return busy_unit() == nullptr; }
  /// Nothing is on its way to a unit or a memory: whatever waits here waits for a warp.
  bool only_warps_wait() const;

  /// Content of shared memory, in no time; false if it does not have all these bytes.
  bool peek_shared(std::uint64_t address, std::uint8_t* destination, std::size_t count) {
    return probe_.read(links::memory_user::outside, address, destination, count);
  }

  /// The 4 bytes of a cell of tensor memory, in no time; false if there is none.
  bool peek_cell(isa::tensor_address cell, std::uint8_t* destination) {
    return tensor_memory_ != nullptr && tensor_memory_->peek(cell, destination);
  }

  /// A CTA that is resident, or has ended and whose CTA slot no other has taken since.
  struct cta_place {
    std::uint32_t kernel = 0;
    std::uint64_t shared_base = 0, shared_bytes = 0;  ///< its window
    bool is_shared_intact = true;                     ///< no CTA after it has got a part of the window
  };
  /// By its linear number, that of the latest kernel; absent if it is not here.
  std::optional<cta_place> find_cta(std::uint32_t cta) const;
  /// The warp that is in a warp slot or was the last one in it; null: there was none.
  const warp::warp_context* warp_in(unsigned sub_core, unsigned slot) const;
  /// That of a CTA of a kernel; null if no slot has it.
  const warp::warp_context* find_warp(std::uint32_t kernel, std::uint32_t cta, unsigned warp) const;

  /// As after construction. No CTA is resident.
  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  struct resident_cta {
    const kernel* of = nullptr;  ///< null: the slot is free
    std::uint32_t number = 0;    ///< linear
    std::uint64_t launch = 0;    ///< number among the SM's CTAs, from 1 on; 0: the slot has never been taken
    cta_place place{};
    unsigned warps_left = 0;  ///< that have not drained
    cycle_t drained = 0;
    cta_barrier barrier{};
    warp_set traced = 0;  ///< warps that the trace holds
    std::array<const warp::warp_context*, 32> warps{};
  };

  void barrier_arrival(const warp::warp_context& warp, const isa::barrier_arrival& arrival, cycle_t cycle) override;
  void warp_exited(const warp::warp_context& warp, cycle_t cycle) override;
  void warp_drained(const warp::warp_context& warp, cycle_t cycle) override;

  subcore::sub_core::params sub_core_params(unsigned number) const;
  void bind(links::link_binder& binder, accounting::run_recorder& recorder);
  void bind_shared(links::link_binder& binder, links::shared_memory_initiator& from);
  void bind_warpgroups(links::link_binder& binder, accounting::run_recorder& recorder);
  void bind_asynchronous(links::link_binder& binder, accounting::run_recorder& recorder);
  void load_shared_memory(const kernel& kernel, std::uint64_t base);
  const warp::warp_context& admit(trace::warp_player player, const kernel& kernel, const trace::cta_entry& cta,
                                  const sm_occupancy::place& place);
  void finish(std::uint32_t cta_slot);
  void open_barrier(const resident_cta& cta, const cta_barrier::release& opened);
  void describe_barriers(const resident_cta& cta, std::vector<std::string>& lines) const;
  unsigned sub_core_of(const warp::warp_context& warp) const { return warp.warp_in_cta % sub_cores(); }

  const params params_;
  accounting::run_recorder& recorder_;
  fabric::clock_domain& clock_;
  memory::shared_memory shared_memory_;
  std::unique_ptr<engine::barrier_unit> barrier_unit_;  // none: no mbarriers and no bulk copies
  std::unique_ptr<engine::bulk_copy_engine> bulk_copy_;
  std::unique_ptr<engine::warpgroup_feed> warpgroup_feed_;     // none: no warpgroup matrix instructions
  std::unique_ptr<tensor_memory_system> tensor_memory_;        // none: no tensor memory
  fabric::shared_tag_array instruction_tags_, constant_tags_;  // of the L1 instruction and L1.5 constant caches
  links::shared_memory_initiator probe_{"probe"};
  std::vector<std::unique_ptr<memory::shared_memory_adapter>> adapters_;  // of a shared memory of another make
  std::deque<warp_feed> feeds_;                                           // by sub-core
  std::vector<std::vector<warp::warp_context>> contexts_;                 // by sub-core and warp slot
  std::vector<resident_cta> ctas_;                                        // by CTA slot
  sm_occupancy occupancy_;
  sc_core::sc_vector<subcore::sub_core> sub_core_{"sub_core"};
  std::uint64_t ctas_launched_ = 0, warps_launched_ = 0, barriers_opened_ = 0;
};

}  // namespace tc::device
