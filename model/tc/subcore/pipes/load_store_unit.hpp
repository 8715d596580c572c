// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/config/machine.hpp>
#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/extensions.hpp>
#include <tc/fabric/jitter.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/cycle_account.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/links/pipeline_observers.hpp>
#include <tc/links/run_observer.hpp>
#include <tc/links/shared_memory_initiator.hpp>
#include <tc/links/warp_control.hpp>
#include <tc/subcore/pipes/access_plan.hpp>
#include <tc/subcore/pipes/asynchronous_requests.hpp>
#include <tc/subcore/pipes/load_store_queue.hpp>
#include <tc/subcore/pipes/local_memory.hpp>
#include <tc/subcore/pipes/memory_access.hpp>
#include <tc/subcore/pipes/memory_changes.hpp>

namespace tc::subcore {

/// The load-store unit of a sub-core: takes memory instructions in order, splits them into wavefronts of shared memory or lines of global
/// memory, sends these, and hands the results to write-back, in order for each of the two memories. An access to shared memory is one
/// transfer, and one to global memory a transaction of the base protocol for each contiguous part of a line.
///
/// Accesses start at a distance that depends on the memory. The result of one is visible after the pipeline of its memory and the time
/// until the last of it is done, as the memory itself says. Any target works as a memory, also one that answers late; shared memory is told
/// of an access before, and serves those of several units in the order of their arrival.
class load_store_unit final : public sc_core::sc_module,
                              public links::dispatch_status,
                              public fabric::clocked,
                              public fabric::statistics_source,
                              public fabric::resettable {
 public:
  links::shared_memory_initiator shared;                           ///< to the shared memory; addresses are those of the SM
  fabric::base_protocol_initiator global;                          ///< to global memory
  links::instruction_initiator<load_store_unit> result{"result"};  ///< to write-back; stores come there too, when they are acknowledged
  fabric::transfer_target<links::instruction_protocol> dispatch{"dispatch"};  ///< from the operand fetch
  sc_core::sc_export<links::dispatch_status> status{"status"};

  /// Told when memory performs the accesses of warps that are executed while they run. May stay unbound: there are none.
  sc_core::sc_port<links::instruction_stream, 1, sc_core::SC_ZERO_OR_MORE_BOUND> stream{"stream"};

  /// Told of reads from shared memory that meet bulk copies under way. May stay unbound.
  sc_core::sc_port<links::run_observer, 1, sc_core::SC_ZERO_OR_MORE_BOUND> observer{"observer"};

  struct params {
    config::load_store_parameters unit{};
    config::shared_memory_parameters shared_memory{};
    config::global_memory_parameters global_memory{};
    unsigned warp_slots = 16;
    bool asynchronous = false;                   ///< the SM has asynchronous units
    bool data = true;                            ///< false: only time passes; no bytes move, and no address is wrong
    links::issue_slot_account* slots = nullptr;  ///< of the sub-core's scheduler; outlives the unit
    config::jitter_parameters jitter{};
  };

  load_store_unit(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock);
  ~load_store_unit() override;

  /// What it asks of the SM's asynchronous units, null if there are none; its sockets are for the SM to bind.
  asynchronous_requests* asynchronous() { return asynchronous_.get(); }

  /// During elaboration: who is told what happens here; null: nobody.
  void tell(links::load_store_observer* listener) { told_ = listener; }

  /// When the queue has room; the running cycle's estimate as long as nobody knows when an entry gets free.
  links::availability earliest_dispatch(const isa::instruction& code, cycle_t dispatch) const override;

  /// True if no instruction is inside, no transaction open and no payload in use.
  bool idle() const { return inside_ == 0 && shared.outstanding() == 0 && global.outstanding() == 0 && pool_.live() == 0; }

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  /// From the unit to a memory: what is sent in one cycle arrives in the next. An access is announced a cycle before it is sent.
  static constexpr cycle_t send_cycles = 1, announce_cycles = 2;

  /// One instruction on its way through the unit.
  struct access {
    links::warp_instruction* instruction = nullptr;
    memory_operation operation{};
    std::uint64_t number = 0;
    cycle_t arrival = 0;       // of its first transaction at the memory
    cycle_t first_valid = 0;   // earliest answer so far
    cycle_t valid = 0;         // latest answer so far
    unsigned outstanding = 0;  // transactions, and one while they are being sent
    bool failed = false;       // refused before it was sent, or by the memory
    bool done = false;
    std::uint64_t base = 0;                      // to which the addresses of the plan are added
    const access_plan* plan = nullptr;           // null only before its first use
    boost::intrusive_ptr<const kept_plan> kept;  // which may hold it
    access_buffer buffer;
    links::shared_memory_transfer transfer;  // of an access to shared memory
  };

  /// Of each payload to global memory: the access that it belongs to, as owner_tag says it, and the payload's other extensions, so that
  /// they are looked for once and not for each transaction.
  struct request final : fabric::sticky_extension<request> {
    access* owner = nullptr;
    fabric::warp_tag* warp = nullptr;
    fabric::wavefront* wavefront = nullptr;
    fabric::undefined_bytes* undefined = nullptr;
    fabric::cache_hint* cache = nullptr;
  };

  tlm::tlm_sync_enum take(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void evaluate(cycle_t cycle) override;

  access& new_access(links::warp_instruction& instruction);
  void start(links::warp_instruction& instruction);
  void plan(access& a);
  bool is_inside_window(access& a, const based_plan& planned);
  request& request_of(tlm::tlm_generic_payload& payload, access& a) const;
  void announce(access& a);
  void send(access& a);
  void send_shared(access& a);
  void reserve(links::warp_instruction& instruction);
  void begin(links::warp_instruction& instruction);
  void send_transactions(access& a);
  void send_run(access& a, const access_run& run, unsigned further_bytes);
  void leave_queue(const access& a, cycle_t cycle);
  /// False for what is complete at once: an ordering instruction, or one that no lane executes.
  static bool has_result(const access& a) {
    return !a.operation.only_orders() && !a.operation.asynchronous && a.instruction->step.mask != 0;
  }

  void done(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void answered(access& a, const request& asked, const tlm::tlm_generic_payload& payload);
  void shared_done(access& a);
  void complete(access& a);
  void tell_performed(const access& a);
  void await_arrival(access& a);
  void arrive(access& a);
  void finish(access& a);
  void change_memory(access& a);
  bool has_copies_before(const access& a) const;
  void deliver(access& a);
  void give_back(links::warp_instruction& instruction);
  cycle_t access_cycles(const access& a) const;
  cycle_t pipeline_cycles(const access& a) const;
  cycle_t last_register(const access& a) const;
  cycle_t chance_cycles(const access& a) const;
  void finish_values(access& a);
  void report_refusal(access& a, const char* memory, std::uint64_t address, std::uint64_t bytes, const std::string& response);
  void report(const char* type, const access& a, const std::string& text);

  const params params_;
  fabric::clock_domain& clock_;
  const std::size_t clocked_id_;
  fabric::payload_pool pool_;
  std::unique_ptr<asynchronous_requests> asynchronous_;
  load_store_queue queue_;
  memory_changes changes_;
  local_memory local_;
  access_plans shared_plans_, global_plans_;
  const access_plan no_plan_;
  std::vector<std::unique_ptr<access>> accesses_;
  std::vector<access*> free_;
  short_queue<access*> unsent_;                                    // in order of arrival
  std::array<short_queue<access*>, isa::memory_spaces> in_order_;  // not delivered yet
  std::vector<const access*> copies_under_way_;                    // sent, and not in shared memory yet
  std::deque<access*> arriving_;  // those of them whose bytes the memory has given, by the time they arrive
  std::vector<access*> closing_;  // LDGDEPBAR that wait for some
  std::array<cycle_t, isa::memory_spaces> last_result_{};
  cycle_t next_arrival_ = 0;  // first cycle in which another access can arrive
  std::uint64_t last_number_ = 0;
  std::uint64_t inside_ = 0;  // instructions from reservation to result

  links::load_store_observer* told_ = nullptr;
  links::unit_occupancy occupancy_;
  const fabric::jitter jitter_;
  std::uint64_t busy_cycles_ = 0;
  std::array<std::uint64_t, isa::memory_spaces> bytes_loaded_{}, bytes_stored_{};
  std::uint64_t loads_ = 0, stores_ = 0, matrix_accesses_ = 0, wavefronts_ = 0, conflicts_ = 0, requests_ = 0, transactions_ = 0;
};

}  // namespace tc::subcore
