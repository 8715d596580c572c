// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include <tc/config/machine.hpp>
#include <tc/engine/tensor/copy_pipe.hpp>
#include <tc/engine/tensor/job_planner.hpp>
#include <tc/engine/tensor/matrix_pipe.hpp>
#include <tc/engine/tensor/tensor_hazards.hpp>
#include <tc/engine/tensor/tensor_pair.hpp>
#include <tc/engine/tensor/tensor_product_units.hpp>
#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/asynchronous_interfaces.hpp>
#include <tc/links/asynchronous_links.hpp>

namespace tc::engine {

/// The tensor engine of an SM: tcgen05.mma, cp, shift and commit.
///
///   sub-cores -> queue -> dispatcher -> matrix pipe, copy pipe, shifts of tensor memory
///                             commit -> mbarrier
///
/// The dispatcher takes an instruction a cycle, the oldest whose pipe has room, and those of a warp in their order. What follows runs
/// beside what came before, except where both touch the same cells: then the later one waits, as instructions do that the PTX ISA calls
/// pipelined. Pairs that are none of those should have been waited for: the engine reports them (tensor_hazards), loads and stores of warps
/// among them, and still runs them in order.
class tensor_engine final : public sc_core::sc_module,
                            public fabric::statistics_source,
                            public fabric::resettable,
                            private fabric::clocked,
                            private links::tensor_memory_order,
                            private links::commit_listener,
                            private tensor_pair {
 public:
  links::tensor_request_multi_target<tensor_engine> request{"request"};
  links::barrier_initiator<tensor_engine> barrier{"barrier"};  ///< to the barrier unit
  fabric::base_protocol_initiator shifts;                      ///< to tensor memory
  sc_core::sc_export<links::tensor_memory_order> order{"order"};
  sc_core::sc_export<links::commit_listener> commits{"commits"};                  ///< for the barrier unit
  sc_core::sc_export<tensor_pair> pair{"pair"};                                   ///< for the engine of the pair's other SM
  sc_core::sc_port<tensor_pair, 1, sc_core::SC_ZERO_OR_MORE_BOUND> peer{"peer"};  ///< of the other SM, if there is one
  sc_core::sc_port<links::tensor_memory_owners> owners{"owners"};
  sc_core::sc_port<links::resident_ctas> ctas{"ctas"};
  sc_core::sc_port<links::run_observer> observer{"observer"};
  sc_core::sc_port<links::cluster_barriers, 1, sc_core::SC_ZERO_OR_MORE_BOUND> cluster{"cluster"};  ///< for commits to several CTAs

  struct params {
    config::tensor_engine_parameters engine{};
    config::arithmetic_parameters arithmetic{};
    unsigned sm = 0;                                         ///< number of the SM: an even one and the next are a pair
    unsigned sub_cores = 4;                                  ///< whose tensor cores multiply
    bool data = true;                                        ///< false: no values move, only time passes
    unsigned shared_row_bytes = operand_matrix::core_bytes;  ///< width of all banks of shared memory
  };

  tensor_engine(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock);
  ~tensor_engine() override;

  matrix_pipe& matrices() { return matrices_; }
  copy_pipe& copies() { return copies_; }

  /// The CTA of a slot has ended: what nobody waited for is forgotten.
  void end_cta(std::uint32_t cta_slot);

  /// True if no instruction is inside and no payload in use.
  bool idle() const;
  /// What is inside, a line for each instruction.
  void describe(std::vector<std::string>& lines) const;

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  struct commit_job final : tensor_job {
    commit_job() : tensor_job(tensor_action::commit) {}
    const isa::tensor_commit_operation* operation = nullptr;
    links::barrier_transfer arrival{};  ///< at an mbarrier of the own CTA
    cycle_t due = links::unknown_cycle;
    bool sent = false;
  };
  /// An instruction that waits to be dispatched, or what is left of it until it is complete.
  struct entry {
    std::unique_ptr<tensor_job> job;
    bool dispatched = false;
  };

  tlm::tlm_sync_enum requested(int link, links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tensor_job& ask_partner(const tensor_job& asked);
  planned_job plan_part(const isa::tcgen05_operation& operation, const warp::warp_context& warp);
  std::unique_ptr<tensor_job> plan_commit(const isa::tensor_commit_operation& operation, const warp::warp_context& warp);
  tensor_job& admit(planned_job planned, const tensor_job& asked);
  std::uint64_t next_number();
  void check_columns(const warp::warp_context& warp, const tensor_hazards::access& access) const;
  void add_dependences(tensor_job& job) const;
  void report_hazard(const links::asynchronous_origin& later, const tensor_hazards::hazard& found);

  std::uint64_t access_begins(const links::asynchronous_origin& origin, bool load, const std::vector<isa::tensor_cells>& cells,
                              cycle_t cycle) override;
  void access_settled(std::uint64_t access) override;
  void phase_observed(std::uint64_t commit) override;

  tensor_job& take_part(const tensor_job& leader) override;
  bool has_room(cycle_t cycle) const override { return matrices_.has_room(cycle); }
  void dispatch_part(tensor_job& part) override;
  cycle_t earliest_begin(const matrix_job& part) const override { return matrices_.earliest_begin_of(part); }
  void begin_products(matrix_job& part, cycle_t cycle) override { matrices_.begin_products(part, cycle); }
  void room_from(cycle_t cycle) override { wake(cycle); }
  void partner_changed() override { matrices_.look_again(); }
  void conclude(tensor_job& job, cycle_t complete) override;
  void settle_part(const warp::warp_context& warp, std::uint64_t number) override { hazards_.settle_through(warp, number); }
  void part_observed(std::uint64_t commit) override { observe(commit); }
  bool observe(std::uint64_t commit);

  void evaluate(cycle_t cycle) override;
  bool dispatch_one(cycle_t cycle);
  bool may_dispatch(const tensor_job& job, cycle_t cycle) const;
  void tell_room(cycle_t cycle);
  void dispatch(tensor_job& job);
  void start(tensor_job& job);
  void send_shifts(cycle_t cycle);
  void shift(tensor_job& job, isa::column_range columns, cycle_t arrival);
  void shifted(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void send_commits(cycle_t cycle);
  bool is_due(commit_job& job) const;
  tlm::tlm_sync_enum barrier_answered(links::barrier_transfer& arrival, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void send_to_cluster(commit_job& job, cycle_t cycle);
  void committed(commit_job& job, const sc_core::sc_time& delay);
  void arrived(commit_job& job, cycle_t cycle);

  void reach(tensor_job& job, tensor_milestone milestone, cycle_t cycle);
  void finish(tensor_job& job, cycle_t complete);
  void answer(const tensor_job& job, cycle_t cycle);
  void remove(const tensor_job& job);
  void wake(cycle_t cycle);

  const params params_;
  fabric::clock_domain& clock_;
  const std::size_t clocked_id_;
  operand_layouts layouts_;  // of copies
  matrix_pipe matrices_;
  copy_pipe copies_;
  tensor_product_units product_units_;
  tensor_hazards hazards_;
  fabric::payload_pool payloads_;  // of shifts, which are used for nothing else
  std::list<entry> inside_;        // in the order of arrival
  std::list<shift_job*> unsent_shifts_;
  std::map<const warp::warp_context*, cycle_t> complete_;         // latest completion of what a warp has begun
  std::map<std::uint64_t, const warp::warp_context*> committed_;  // whose phases nobody has seen complete
  std::uint64_t last_number_;                                     // those of the two SMs of a pair are different
  std::uint64_t dispatched_ = 0, commits_ = 0, hazards_found_ = 0;
};

}  // namespace tc::engine
