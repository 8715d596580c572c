// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>

#include <tc/config/opcode_latencies.hpp>
#include <tc/config/sub_core_parameters.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/lanes/lane_operations.hpp>
#include <tc/links/cycle_account.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/links/run_observer.hpp>
#include <tc/subcore/pipes/constant_cache.hpp>

namespace tc::subcore {

/// An execution unit with a fixed latency: the FP32, integer, half, FP64, special-function and uniform pipes, the constant cache and the
/// special registers. A unit of fewer than 32 lanes holds its input latch for more than one cycle. Instructions that the model does not
/// compute take their time and leave their destinations undefined.
class execution_pipe final : public sc_core::sc_module,
                             public links::dispatch_status,
                             public fabric::statistics_source,
                             public fabric::resettable {
 public:
  links::instruction_initiator<execution_pipe> result{"result"};
  sc_core::sc_port<links::run_observer> observer{"observer"};
  fabric::transfer_target<links::instruction_protocol> dispatch{"dispatch"};
  sc_core::sc_export<links::dispatch_status> status{"status"};

  /// `data` false: no values are computed, only time passes. `slots`, of the sub-core's scheduler, and `constants`, of the pipe that loads
  /// them, outlive it.
  execution_pipe(const sc_core::sc_module_name& name, const config::pipe_parameters& parameters, bool data, fabric::clock_domain& clock,
                 links::issue_slot_account* slots = nullptr, constant_cache* constants = nullptr,
                 const config::bypass_parameters& bypass = {});
  ~execution_pipe() override;

  links::availability earliest_dispatch(const isa::instruction& code, cycle_t dispatch) const override;

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  tlm::tlm_sync_enum forward(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void reserve(links::warp_instruction& instruction);
  void begin(links::warp_instruction& instruction);
  bool compute(links::warp_instruction& instruction);
  bool waits_for_constants(const isa::instruction& code) const;
  bool announces_result(const isa::instruction& code) const;
  bool read_special(links::warp_instruction& instruction);
  void inherit_undefined(links::warp_instruction& instruction);

  const config::pipe_parameters params_;
  const config::bypass_parameters bypass_;
  const bool data_;
  fabric::clock_domain& clock_;
  constant_cache* const constants_;
  const config::opcode_latencies latencies_;
  links::unit_occupancy occupancy_;
  lanes::lane_result lanes_;  // of the latest instruction; kept, as clearing all of it costs more than most of them compute
  cycle_t input_free_ = 0;
  std::uint64_t instructions_ = 0, busy_cycles_ = 0, not_computed_ = 0;
};

}  // namespace tc::subcore
