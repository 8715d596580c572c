// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <systemc>

#include <tc/config/asynchronous_parameters.hpp>
#include <tc/config/tensor_core_parameters.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/clocked.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/fabric/transfer_pool.hpp>
#include <tc/links/bank_protocol.hpp>
#include <tc/links/cycle_account.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/links/multiply_accumulate_account.hpp>
#include <tc/links/tensor_core_links.hpp>
#include <tc/links/warpgroup_transfer.hpp>
#include <tc/subcore/operands/register_file.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// The groups of asynchronous matrix instructions of one warp (PTX ISA, wgmma.commit_group): those between two commits complete together.
class warpgroup_groups {
 public:
  /// An instruction joins the group that the next commit closes; returns the group's number.
  std::uint64_t join();
  void commit();
  /// An instruction of a group will have completed in this cycle.
  void completes(std::uint64_t group, cycle_t cycle);

  /// When all groups but the last `pending` have completed; nothing if that is not known yet.
  std::optional<cycle_t> complete_but(std::uint64_t pending) const;

 private:
  static constexpr std::size_t max_pending = 7;  // that wgmma.wait_group can name; more need not be told apart

  struct group {
    unsigned open = 0;  // instructions of which nobody knows when they complete
    cycle_t done = 0;   // when the others have
  };
  void forget();

  std::deque<group> groups_{1};  // the last one is not committed
  std::uint64_t first_ = 0;      // number of groups_.front()
  cycle_t forgotten_ = 0;        // when all groups before it have completed
};

/// A sub-core's part in warpgroup matrix instructions: 16 rows of each.
///
///   dispatch -> request to the SM's operand feed ... operands <- A, B
///                accumulator <-> register banks,  dot_products <-> dot-product units -> result
///
/// Products wait here until those of the other three warps have come and their operands are there. Each warp has places of its own for
/// them: warpgroups that come in another order in each sub-core would wait for each other for ever if they could fill a common queue.
///
/// wgmma.mma_async leaves the warp at once and comes back through `result` when its accumulators are written; wgmma.wait_group comes back
/// when its groups have. The accumulators go through a port of the register banks that is the tensor core's own; an instruction that
/// follows another on the same accumulators takes them from it.
///
/// The sums of an instruction are asked for when the dot-product units have answered for the warp's last one. Units that answer in a call
/// of their own fall behind by their latency with each of a chain of instructions, and are reported once the accumulators are overdue.
class warpgroup_unit final : public sc_core::sc_module,
                             public fabric::statistics_source,
                             public fabric::resettable,
                             private links::dispatch_status {
 public:
  fabric::transfer_target<links::instruction_protocol> dispatch{"dispatch"};
  sc_core::sc_export<links::dispatch_status> status{"status"};
  links::instruction_initiator<warpgroup_unit> result{"result"};
  links::warpgroup_request_initiator<warpgroup_unit> request{"request"};
  links::warpgroup_operands_target<warpgroup_unit> operands{"operands"};
  sc_core::sc_vector<links::bank_initiator<warpgroup_unit>> accumulator;  ///< by register bank
  links::request_initiator<links::dot_product_protocol> dot_products{"dot_products"};

  struct params {
    config::tensor_core_parameters tensor_core{};
    config::warpgroup_parameters warpgroup{};
    unsigned warp_slots = 16;
    bool data = true;  ///< false: no values move, only time passes
  };

  /// `mapping`, `scheduler` and `slots` outlive the unit.
  warpgroup_unit(const sc_core::sc_module_name& name, const params& parameters, const register_mapping& mapping,
                 links::issue_wakeup& scheduler, fabric::clock_domain& clock, links::issue_slot_account* slots);
  ~warpgroup_unit() override;

  /// True if no instruction is inside and no payload in use.
  bool idle() const { return inside_ == 0 && accesses_.live() == 0; }

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  using word_vector = std::vector<std::uint32_t>;

  struct job;
  /// What the dot-product units are asked of a job.
  struct product_request final : links::dot_product_transfer {
    job* owner = nullptr;
  };

  /// What a register bank is asked for.
  struct bank_access final : links::bank_transfer {
    job* owner = nullptr;
  };

  /// An instruction from its operands to its result.
  struct job {
    links::warp_instruction* instruction = nullptr;
    const isa::wgmma_operation* operation = nullptr;
    cycle_t products_begin = 0, visible = 0;  ///< when its first products form, and when its accumulators are written
    std::array<std::uint32_t, links::rows_per_warp * links::warpgroup_k_words> a{};
    word_vector b;
    product_request products;
    cycle_t due = 0;           ///< when its sums must be formed, so that its accumulators are written in time
    unsigned outstanding = 0;  ///< accesses to the register banks
    bool has_values = false;   ///< false: only time passes
    bool multiplied = false;
  };

  /// What one warp has under way.
  struct warp_state {
    warpgroup_groups groups;
    std::deque<std::uint64_t> joined;            ///< group of each instruction that has not got its operands, in order
    links::warp_instruction* waiting = nullptr;  ///< wgmma.wait_group
    std::deque<job*> jobs;                       ///< the first one is worked on
    word_vector sums;                            ///< of the last instruction
    register_rows rows;                          ///< accumulators on their way between sums and register banks
    std::vector<std::uint8_t> accumulators;      ///< where they belong
    cycle_t visible = 0;                         ///< from when on the register banks have them too
  };

  links::availability earliest_dispatch(const isa::instruction&, cycle_t wanted) const override {
    return {wanted, links::stall_cause::none};
  }
  links::stall_cause missing_place(const isa::instruction& code, const warp::warp_context& warp, unsigned on_the_way) const override;
  tlm::tlm_sync_enum dispatched(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void reserve(links::warp_instruction& instruction);
  void begin(links::warp_instruction& instruction);
  tlm::tlm_sync_enum operands_arrived(links::warpgroup_operands& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void enqueue(const links::warpgroup_operands& transfer);
  void start(job& next);
  bool has_sums(const job& next) const;
  void leave_sums(const job& done);
  void access_banks(job& owner, tlm::tlm_command command, cycle_t arrival);
  tlm::tlm_sync_enum bank_answered(links::bank_transfer& access, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void access_done(bank_access& access);
  void go_on(job& owner);
  void multiply(job& started);
  void write_sums(job& formed);
  void finish(job& done);
  void release_waiting(warp_state& state);
  warp_state& state_of(const links::warp_instruction& instruction) { return warps_[instruction.warp->slot]; }
  void send_result(links::warp_instruction& instruction, cycle_t visible);

  const params params_;
  const register_mapping& mapping_;
  links::issue_wakeup& scheduler_;
  fabric::clock_domain& clock_;
  fabric::transfer_pool<bank_access> accesses_;
  links::unit_occupancy occupancy_;
  std::vector<warp_state> warps_;  ///< by warp slot
  fabric::transfer_pool<job> jobs_;
  mutable bool refused_ = false;  ///< a warp waits for a place
  std::uint64_t inside_ = 0;
  links::multiply_accumulate_account multiply_accumulates_;
  std::uint64_t instructions_ = 0, busy_cycles_ = 0, accumulators_read_ = 0, accumulators_written_ = 0;
};

}  // namespace tc::subcore
