// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <systemc>

#include <tc/config/machine.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/links/link_binder.hpp>
#include <tc/links/run_observer.hpp>
#include <tc/links/tensor_core_turns.hpp>
#include <tc/links/unit_makers.hpp>
#include <tc/links/unit_port.hpp>
#include <tc/links/warp_control.hpp>
#include <tc/subcore/issue/instruction_fetch.hpp>
#include <tc/subcore/issue/warp_scheduler.hpp>
#include <tc/subcore/operands/definedness.hpp>
#include <tc/subcore/operands/operand_fetch.hpp>
#include <tc/subcore/operands/register_file.hpp>
#include <tc/subcore/operands/side_registers.hpp>
#include <tc/subcore/operands/write_back.hpp>
#include <tc/subcore/pipes/constant_cache.hpp>
#include <tc/subcore/pipes/execution_pipe.hpp>
#include <tc/subcore/pipes/load_store_unit.hpp>
#include <tc/subcore/tensor/tensor_pipe.hpp>
#include <tc/subcore/tensor_memory/tensor_memory_unit.hpp>
#include <tc/subcore/warpgroup/warpgroup_unit.hpp>

namespace tc::subcore {

/// What the sub-cores of an SM share in front of its L2 cache, besides data: tags, which outlive them.
struct shared_tags {
  fabric::shared_tag_array& instructions;  ///< L1 instruction cache
  fabric::shared_tag_array& constants;     ///< L1.5 constant cache
};

/// A sub-core (processing block) of an SM. Instructions go round a ring of links:
///
///   scheduler -> operand fetch -> tensor unit, pipes, load-store unit -> write-back -> scheduler
///                   |   ^                                                   |
///                   v   | register banks, base protocol                     v
class sub_core final : public sc_core::sc_module, public fabric::resettable {
 public:
  sc_core::sc_port<links::instruction_stream> stream{"stream"};
  sc_core::sc_port<links::warp_supervisor> supervisor{"supervisor"};
  sc_core::sc_port<links::run_observer> observer{"observer"};
  sc_core::sc_export<links::warp_control> control{"control"};

  struct params {
    config::sub_core_parameters machine{};
    unsigned warp_slots = 16;
    bool interlock = true;  ///< see warp_scheduler::params
    bool data = true;       ///< false: no values move, only time passes
    // Of the memories around it, for the load-store unit.
    config::shared_memory_parameters shared_memory{};
    config::global_memory_parameters global_memory{};
    config::jitter_parameters jitter{};
    config::warpgroup_parameters warpgroup{};
    config::tensor_memory_parameters tensor_memory{};
    config::tensor_engine_parameters tensor_engine{};
    bool asynchronous = false;                      ///< the SM has a barrier unit and a bulk-copy engine
    links::unit_source units{};                     ///< its place is that of the sub-core
    std::shared_ptr<shared_operand_plans> plans{};  ///< of all sub-cores of the machine; null: nobody else has them
  };

  /// Binds all links inside through `binder`.
  sub_core(const sc_core::sc_module_name& name, const params& parameters, const shared_tags& tags, fabric::clock_domain& clock,
           links::link_binder& binder);
  ~sub_core() override;

  /// The initiator sockets to shared and global memory.
  links::shared_memory_initiator& shared_memory() { return load_store_.shared; }
  fabric::base_protocol_initiator& global_memory() { return load_store_.global; }
  /// What the load-store unit asks of the SM's asynchronous units, null if there are none; its sockets are for the SM to bind.
  asynchronous_requests* asynchronous() { return load_store_.asynchronous(); }
  /// For the SM's units that multiply in the tensor cores.
  links::tensor_core_turns& tensor_core_turns() { return *tensor_.turns.operator->(); }
  /// The sub-core's part in warpgroup matrix instructions, null on a machine without them; its sockets to the SM are for the SM to bind.
  warpgroup_unit* warpgroup() { return warpgroup_.get(); }
  /// What takes the instructions on tensor memory, null on a machine without it; its sockets to the SM are for the SM to bind.
  tensor_memory_unit* tensor_memory() { return tensor_memory_.get(); }

  /// For a warp about to be launched in a slot: nothing of the warp before it is left in predicates and uniform registers, and no register
  /// counts as defined.
  void clear_registers(unsigned warp_slot);
  /// Gives a register a value before the warp's first instruction.
  void preset_register(unsigned warp_slot, isa::register_file file, unsigned index, const warp::lane_vector& value);
  /// The content of a vector register now, in no time; false if its bank does not tell.
  bool peek_register(unsigned warp_slot, unsigned index, warp::lane_vector& value) { return write_back_.peek(warp_slot, index, value); }

  const warp_scheduler& scheduler() const { return scheduler_; }
  /// A kernel begins: nothing is left of the one before that would change its time. (What the SM shares is for the SM to clear.)
  void begin_kernel();
  void reset() override { constants_.reset(); }
  /// True if no warp is resident, nothing in flight, and no payload in use.
  bool idle() const;
  /// The same, but for warps that are resident.
  bool has_nothing_in_flight() const;

 private:
  warp_scheduler::params scheduler_params(const params& parameters) const;
  load_store_unit::params load_store_params(const params& parameters);
  static std::unique_ptr<instruction_fetch> make_instruction_fetch(const params& parameters, const shared_tags& tags);
  std::unique_ptr<operand_fetch> make_fetch(const params& parameters, fabric::clock_domain& clock);
  std::unique_ptr<warpgroup_unit> make_warpgroup(const params& parameters, fabric::clock_domain& clock);
  static register_file::params register_file_params(const params& parameters, bool queues_reads);
  links::made_dot_products make_warpgroup_products(const params& parameters, fabric::clock_domain& clock);
  void bind_warpgroup(links::link_binder& binder);
  std::unique_ptr<tensor_memory_unit> make_tensor_memory(const params& parameters, fabric::clock_domain& clock);
  void bind_tensor_memory(links::link_binder& binder);
  void bind_pipe(links::unit_port port, execution_pipe& pipe, links::link_binder& binder);

  const register_mapping mapping_;
  const links::unit_port_set units_;
  side_registers side_;
  definedness shadow_;

  constant_cache constants_;
  std::unique_ptr<instruction_fetch> instructions_;  // none: every instruction is there

  warp_scheduler scheduler_;
  std::unique_ptr<operand_fetch> fetch_;
  register_file registers_;
  tensor_pipe tensor_;
  execution_pipe fp32_, integer_, half_, fp64_, special_function_, uniform_, constant_, system_;
  load_store_unit load_store_;
  std::unique_ptr<warpgroup_unit> warpgroup_;
  links::made_dot_products warpgroup_products_;  ///< the tensor core's, for operands in shared memory
  std::unique_ptr<tensor_memory_unit> tensor_memory_;
  write_back write_back_;
};

}  // namespace tc::subcore
