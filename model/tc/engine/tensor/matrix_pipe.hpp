// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include <systemc>

#include <tc/config/machine.hpp>
#include <tc/engine/core_turns.hpp>
#include <tc/engine/operand_reader.hpp>
#include <tc/engine/tensor/cell_mover.hpp>
#include <tc/engine/tensor/collector_buffer.hpp>
#include <tc/engine/tensor/matrix_job.hpp>
#include <tc/engine/tensor/tensor_pair.hpp>
#include <tc/engine/tensor/tensor_product_units.hpp>
#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/multiply_accumulate_account.hpp>
#include <tc/links/run_observer.hpp>

namespace tc::engine {

/// The matrix pipe of an SM's tensor engine: works on tcgen05.mma instructions in their order.
///
///   shared memory -> A, B --+
///   tensor memory -> A, scales, metadata --> dot-product units --> D
///   tensor memory -> D -----+
///
/// A core matrix of 128 bytes a cycle comes from shared memory, A before B. Products begin when A and the first columns of B are there, and
/// run through the columns of D, so many a cycle; a number of stages later the wave of columns reads D, and some stages later writes it.
/// The operands of the next instruction come meanwhile, as far as there are tiles for them, and its wave follows the one before without a
/// gap, unless matrix instructions of warps (mma.sync) have the tensor cores (core_turns). What a collector buffer holds is not read again.
class matrix_pipe final : public sc_core::sc_module, public fabric::statistics_source, public fabric::resettable, private fabric::clocked {
 public:
  links::shared_memory_initiator shared_memory;
  fabric::base_protocol_initiator accumulators;  ///< to tensor memory, for D
  fabric::base_protocol_initiator operands;      ///< to tensor memory, for A, scales and metadata
  tensor_product_initiator<matrix_pipe> products{"products"};
  sc_core::sc_port<links::run_observer> observer{"observer"};
  core_turns tensor_cores;  ///< by sub-core

  struct params {
    config::tensor_engine_parameters engine{};
    unsigned sub_cores = 4;                                  ///< whose tensor cores multiply together
    bool data = true;                                        ///< false: no values move, only time passes
    unsigned shared_row_bytes = operand_matrix::core_bytes;  ///< width of all banks of shared memory
  };
  /// What the owner of the jobs is told. The cycle may be one to come.
  struct callbacks {
    std::function<void(cycle_t cycle)> has_room;                 ///< a tile becomes free
    std::function<void(matrix_job&, cycle_t cycle)> took_cells;  ///< operands in tensor memory have been read
    std::function<void(matrix_job&, cycle_t cycle)> done;        ///< D is in place; the pipe has forgotten the job
  };

  using peer_port = sc_core::sc_port<tensor_pair, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

  /// `peer` is the engine of the pair's other SM, if there is one.
  matrix_pipe(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock, peer_port& peer, callbacks tell);
  ~matrix_pipe() override;

  /// Whether a tile for operands is free in a cycle.
  bool has_room(cycle_t cycle) const;
  /// An instruction whose plan is made comes into the pipe; it stays where it is until it is done.
  void start(matrix_job& next);
  /// What a job waited for is done.
  void look_again();
  /// When the products of a job may begin, and that they do, for the pipe that leads an instruction of a pair; unknown_cycle as long as
  /// that is not known.
  cycle_t earliest_begin_of(const matrix_job& job) const;
  void begin_products(matrix_job& job, cycle_t cycle);
  /// Writes the columns that are due by a cycle, so that who accesses tensor memory then finds them there.
  void write_due(cycle_t cycle);

  bool idle() const { return jobs_.empty() && reader_.idle() && accumulator_mover_.idle() && operand_mover_.idle(); }

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  void evaluate(cycle_t cycle) override;

  static void set_enables(matrix_job& job);
  void feed(cycle_t cycle);
  void operands_there(matrix_job& job);
  void schedule(cycle_t cycle);
  static bool may_begin(const matrix_job& job);
  cycle_t earliest_without_others(const matrix_job& job) const;
  cycle_t earliest_begin(const matrix_job& job) const;
  matrix_job* next_to_begin() const;
  void take_operands(matrix_job& job);
  void set_pair_times(matrix_job& job) const;
  void take_cells(matrix_job& job, cycle_t arrival);
  void took_cells(matrix_job& job, cycle_t valid);
  void sum_columns(matrix_job& job, cycle_t cycle);
  void lag(matrix_job& job, cycle_t cycle, cycle_t planned);
  bool may_sum(const matrix_job& job) const;
  void read_stripe(matrix_job& job, cycle_t arrival);
  void moved_accumulators(matrix_job& job, bool read, cycle_t valid);
  void sum(matrix_job& job);
  void take_unwritten(const matrix_job& job, cell_block& stripe) const;
  void multiply(matrix_job& job, cell_block& stripe);
  void write_columns(matrix_job& job, unsigned end, cycle_t arrival);
  unsigned columns_due(const matrix_job& job, cycle_t cycle) const;
  void finish_written();
  void plan_wake_up(cycle_t cycle);
  void wake_outside_of_an_edge();

  unsigned columns_per_cycle() const { return params_.engine.outputs_per_cycle / isa::tensor_lanes; }
  cycle_t product_cycles(const matrix_job& job) const;
  cycle_t products_end(const matrix_job& job) const { return job.products_begin + product_cycles(job) + job.late; }
  cycle_t planned(const matrix_job& job, unsigned columns) const;
  cycle_t read_cycle(const matrix_job& job, unsigned column) const;
  cycle_t next_read(const matrix_job& job) const;
  cycle_t write_cycle(const matrix_job& job, unsigned column) const;

  const params params_;
  fabric::clock_domain& clock_;
  const std::size_t clocked_id_;
  peer_port& peer_;
  const callbacks tell_;
  operand_matrices matrices_;
  operand_reader reader_;
  cell_mover accumulator_mover_, operand_mover_;
  collector_buffer a_buffer_;
  std::array<collector_buffer, 4> b_buffers_;                  // .collector::b0 to b3
  std::deque<matrix_job*> jobs_;                               // in order
  std::vector<std::vector<accumulator_stripe>> free_stripes_;  // of jobs that are done: memory to be used again
  cycle_t feed_free_ = 0;                                      // first cycle in which another core matrix may be asked for
  cycle_t products_free_ = 0;                                  // first cycle in which the dot-product units are free
  cycle_t next_begin_ = 0;                                     // of products, at the earliest
  bool in_edge_ = false;
  std::uint64_t instructions_ = 0, core_matrices_ = 0, a_core_matrices_ = 0, collected_ = 0, product_cycles_ = 0, late_cycles_ = 0;
  links::multiply_accumulate_account multiply_accumulates_;
};

}  // namespace tc::engine
