// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include <systemc>

#include <tc/config/machine.hpp>
#include <tc/engine/operand_reader.hpp>
#include <tc/engine/tensor/cell_mover.hpp>
#include <tc/engine/tensor/tensor_job.hpp>
#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>
#include <tc/links/run_observer.hpp>

namespace tc::engine {

struct copy_job;

/// A core matrix on its way.
struct copied_core final : operand_read {
  copy_job* of = nullptr;
  unsigned core = 0;
  std::array<std::uint32_t, 4 * isa::chunk_lanes> cells{};  ///< four columns
};

/// A tcgen05.cp in the copy pipe.
struct copy_job final : tensor_job {
  copy_job() : tensor_job(tensor_action::copy) {}

  const isa::tensor_copy_operation* operation = nullptr;
  isa::tensor_address destination{};
  operand_matrix source;
  unsigned lines = isa::shared_matrix::core_lines;   ///< of a core matrix that are copied
  cycle_t first_read = 0;                            ///< of shared memory, at the earliest
  std::vector<std::unique_ptr<copied_core>> pieces;  ///< by core matrix, as far as they are asked for
  unsigned written = 0;                              ///< of them
  unsigned moving = 0;                               ///< transactions
  cycle_t moved = 0;
};

/// The copy pipe of an SM's tensor engine: tcgen05.cp, from shared to tensor memory. Copies of several warps take turns; those of one warp
/// come one after the other, so many bytes of shared memory in a cycle. What has been read goes to every lane that gets it.
class copy_pipe final : public sc_core::sc_module, public fabric::statistics_source, public fabric::resettable, private fabric::clocked {
 public:
  links::shared_memory_initiator shared_memory;
  fabric::base_protocol_initiator cells;  ///< to tensor memory
  sc_core::sc_port<links::run_observer> observer{"observer"};

  struct params {
    config::tensor_copy_parameters copy{};
    bool data = true;                                        ///< false: no values move, only time passes
    unsigned shared_row_bytes = operand_matrix::core_bytes;  ///< width of all banks of shared memory
  };
  /// Told when all cells of a copy are in place, in a cycle that may be to come. The pipe has forgotten the job.
  using callback = std::function<void(copy_job&, cycle_t cycle)>;

  copy_pipe(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock, callback done);
  ~copy_pipe() override;

  /// Decodes an operation into a job; the layout of its source is kept in `layouts`. Throws std::invalid_argument with the rule that the
  /// operation breaks.
  static void plan(copy_job& job, const isa::tensor_copy_operation& operation, operand_layouts& layouts);

  /// A planned copy comes into the pipe; it stays where it is until it is done.
  void start(copy_job& next);
  /// What a job waited for is done.
  void look_again();

  bool idle() const { return jobs_.empty() && reader_.idle() && mover_.idle(); }

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  void evaluate(cycle_t cycle) override;

  /// The copy that may read next, and when.
  struct turn {
    copy_job* job = nullptr;
    cycle_t cycle = links::unknown_cycle;
  };
  turn next_turn();
  void read(copy_job& job, cycle_t arrival);
  void write(copied_core& piece, cycle_t arrival);
  static void take_cells(copied_core& piece);
  void finish_moved();
  void wake_outside_of_an_edge();

  const params params_;
  fabric::clock_domain& clock_;
  const std::size_t clocked_id_;
  const callback done_;
  operand_reader reader_;
  cell_mover mover_;
  std::vector<copy_job*> jobs_;                             // in order
  std::map<const warp::warp_context*, cycle_t> warp_free_;  // first cycle in which a warp's next core matrix may be asked for
  cycle_t free_ = 0;                                        // first cycle in which any warp's may be
  std::vector<std::unique_ptr<copied_core>> free_pieces_;
  bool in_edge_ = false;
  std::uint64_t copies_ = 0, bytes_read_ = 0, busy_cycles_ = 0;
};

}  // namespace tc::engine
