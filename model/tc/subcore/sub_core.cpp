// SPDX-License-Identifier: Apache-2.0
#include "sub_core.hpp"

#include <tc/subcore/operands/operand_fetch_policies.hpp>
#include <tc/subcore/operands/register_bank.hpp>
#include <tc/subcore/tensor/dot_product_units.hpp>

namespace tc::subcore {

warp_scheduler::params sub_core::scheduler_params(const params& parameters) const {
  warp_scheduler::params scheduler;
  scheduler.fetch = instructions_.get();
  scheduler.issue = parameters.machine.issue;
  scheduler.branch = parameters.machine.branch;
  scheduler.interlock = parameters.interlock;
  scheduler.warp_slots = parameters.warp_slots;
  scheduler.latencies = least_latencies(parameters.machine);
  scheduler.jitter = parameters.jitter;
  return scheduler;
}

load_store_unit::params sub_core::load_store_params(const params& parameters) {
  load_store_unit::params load_store;
  load_store.unit = parameters.machine.load_store;
  load_store.shared_memory = parameters.shared_memory;
  load_store.global_memory = parameters.global_memory;
  load_store.data = parameters.data;
  load_store.jitter = parameters.jitter;
  load_store.warp_slots = parameters.warp_slots;
  load_store.asynchronous = parameters.asynchronous;
  load_store.slots = &scheduler_.issue_slots();
  return load_store;
}

std::unique_ptr<instruction_fetch> sub_core::make_instruction_fetch(const params& parameters, const shared_tags& tags) {
  const config::fetch_parameters& fetch = parameters.machine.fetch;
  if (fetch.ideal) return nullptr;
  return std::make_unique<instruction_fetch>("instruction_fetch", fetch, parameters.warp_slots, tags.instructions);
}

std::unique_ptr<operand_fetch> sub_core::make_fetch(const params& parameters, fabric::clock_domain& clock) {
  const operand_fetch::surroundings around{mapping_,
                                           side_,
                                           shadow_,
                                           clock,
                                           parameters.machine.reuse_cache,
                                           parameters.machine.tensor_core.exclusive_dispatch,
                                           {},
                                           parameters.data,
                                           units_,
                                           parameters.plans};
  return make_operand_fetch("operand_fetch", {parameters.machine, around, scheduler_});
}

sub_core::sub_core(const sc_core::sc_module_name& module_name, const params& parameters, const shared_tags& tags,
                   fabric::clock_domain& clock, links::link_binder& binder)
    : sc_module(module_name),
      mapping_(parameters.machine.register_file),
      units_{parameters.warpgroup.is_there(), parameters.tensor_memory.is_there()},
      side_(parameters.warp_slots),
      shadow_(parameters.warp_slots),
      constants_(parameters.machine.constant_cache, tags.constants),
      instructions_(make_instruction_fetch(parameters, tags)),
      scheduler_("scheduler", scheduler_params(parameters), clock),
      fetch_(make_fetch(parameters, clock)),
      registers_("register_file", register_file_params(parameters, fetch_->timing().operands_wait), parameters.units, clock, binder),
      tensor_("tensor", parameters.machine.tensor_core, parameters.data, clock, binder, &scheduler_.issue_slots(), parameters.units),
      fp32_("fp32", parameters.machine.pipes.fp32, parameters.data, clock, &scheduler_.issue_slots(), nullptr, parameters.machine.bypass),
      integer_("integer", parameters.machine.pipes.integer, parameters.data, clock, &scheduler_.issue_slots()),
      half_("half", parameters.machine.pipes.half, parameters.data, clock, &scheduler_.issue_slots()),
      fp64_("fp64", parameters.machine.pipes.fp64, parameters.data, clock, &scheduler_.issue_slots(), nullptr, parameters.machine.bypass),
      special_function_("special_function", parameters.machine.pipes.special_function, parameters.data, clock, &scheduler_.issue_slots()),
      uniform_("uniform", parameters.machine.pipes.uniform, parameters.data, clock, &scheduler_.issue_slots()),
      constant_("constant", parameters.machine.pipes.constant, parameters.data, clock, &scheduler_.issue_slots(), &constants_),
      system_("system", parameters.machine.pipes.system, parameters.data, clock, &scheduler_.issue_slots()),
      load_store_("load_store", load_store_params(parameters), clock),
      warpgroup_(make_warpgroup(parameters, clock)),
      warpgroup_products_(make_warpgroup_products(parameters, clock)),
      tensor_memory_(make_tensor_memory(parameters, clock)),
      write_back_("write_back", mapping_, parameters.machine.register_file.write_ports, parameters.data, side_, shadow_, clock) {
  scheduler_.stream.bind(stream);
  scheduler_.supervisor.bind(supervisor);
  scheduler_.observer.bind(observer);
  scheduler_.fetch_status.bind(fetch_->status);
  scheduler_.tell(binder.observer_of_issue(scheduler_.name(), scheduler_.warp_slots()));
  fetch_->tell(binder.observer_of_operands(fetch_->name()));
  load_store_.tell(binder.observer_of_load_store(load_store_.name()));
  control.bind(scheduler_.control);
  fetch_->observer.bind(observer);
  load_store_.observer.bind(observer);
  load_store_.stream.bind(stream);

  binder.bind("issue", scheduler_.issue, fetch_->issue);
  for (unsigned bank = 0; bank < registers_.banks(); ++bank) {
    binder.bind("bank_read", fetch_->bank_read[bank], registers_.read(bank));
    binder.bind("bank_write", write_back_.bank_write[bank], registers_.write(bank));
  }

  bind_pipe(links::unit_port::fp32, fp32_, binder);
  bind_pipe(links::unit_port::integer, integer_, binder);
  bind_pipe(links::unit_port::half, half_, binder);
  bind_pipe(links::unit_port::fp64, fp64_, binder);
  bind_pipe(links::unit_port::special_function, special_function_, binder);
  bind_pipe(links::unit_port::uniform, uniform_, binder);
  bind_pipe(links::unit_port::constant, constant_, binder);
  bind_pipe(links::unit_port::system, system_, binder);

  const auto tensor = static_cast<unsigned>(links::unit_port::tensor), load_store = static_cast<unsigned>(links::unit_port::load_store);
  tensor_.scheduler.bind(scheduler_);
  binder.bind("dispatch", fetch_->dispatch[tensor], tensor_.dispatch);
  fetch_->unit_status[tensor].bind(tensor_.status);
  binder.bind("result", tensor_.result, write_back_.result);
  binder.bind("dispatch", fetch_->dispatch[load_store], load_store_.dispatch);
  fetch_->unit_status[load_store].bind(load_store_.status);
  binder.bind("result", load_store_.result, write_back_.result);

  if (warpgroup_ != nullptr) bind_warpgroup(binder);
  if (tensor_memory_ != nullptr) bind_tensor_memory(binder);
  binder.bind("retire", write_back_.retire, scheduler_.retire);
}

sub_core::~sub_core() = default;

std::unique_ptr<warpgroup_unit> sub_core::make_warpgroup(const params& parameters, fabric::clock_domain& clock) {
  if (!parameters.warpgroup.is_there()) return nullptr;
  const warpgroup_unit::params unit{parameters.machine.tensor_core, parameters.warpgroup, parameters.warp_slots, parameters.data};
  return std::make_unique<warpgroup_unit>("warpgroup", unit, mapping_, scheduler_, clock, &scheduler_.issue_slots());
}

register_file::params sub_core::register_file_params(const params& parameters, bool queues_reads) {
  const bool accumulators = parameters.warpgroup.is_there() || parameters.tensor_memory.is_there();
  return {parameters.machine.register_file, parameters.warp_slots, queues_reads, accumulators, parameters.data};
}

links::made_dot_products sub_core::make_warpgroup_products(const params& parameters, fabric::clock_domain& clock) {
  if (warpgroup_ == nullptr) return {};
  return make_dot_products(
      parameters.units.makers.dot_products, name(), "warpgroup_products",
      {{parameters.units.place, parameters.data, clock}, parameters.machine.tensor_core, config::operand_source::shared_memory});
}

void sub_core::bind_warpgroup(links::link_binder& binder) {
  const unsigned port = units_.socket(links::unit_port::warpgroup);
  binder.bind("dispatch", fetch_->dispatch[port], warpgroup_->dispatch);
  fetch_->unit_status[port].bind(warpgroup_->status);
  binder.bind("result", warpgroup_->result, write_back_.result);
  for (unsigned bank = 0; bank < registers_.banks(); ++bank)
    binder.bind("accumulator", warpgroup_->accumulator[bank], registers_.accumulator(bank));
  binder.bind("dot_products", warpgroup_->dot_products, *warpgroup_products_.sockets[0]);
}

std::unique_ptr<tensor_memory_unit> sub_core::make_tensor_memory(const params& parameters, fabric::clock_domain& clock) {
  if (!parameters.tensor_memory.is_there()) return nullptr;
  const tensor_memory_unit::params unit{parameters.tensor_engine.queue_entries, parameters.tensor_memory.admission, parameters.warp_slots,
                                        parameters.data};
  return std::make_unique<tensor_memory_unit>("tensor_memory", unit,
                                              tensor_memory_unit::surroundings{mapping_, shadow_, scheduler_, clock});
}

void sub_core::bind_tensor_memory(links::link_binder& binder) {
  const unsigned port = units_.socket(links::unit_port::tensor_memory);
  binder.bind("dispatch", fetch_->dispatch[port], tensor_memory_->dispatch);
  fetch_->unit_status[port].bind(tensor_memory_->status);
  binder.bind("result", tensor_memory_->result, write_back_.result);
  tensor_memory_->accesses.observer.bind(observer);
  for (unsigned bank = 0; bank < registers_.banks(); ++bank)
    binder.bind("accumulator", tensor_memory_->accesses.accumulator[bank], registers_.accumulator(bank));
}

void sub_core::bind_pipe(links::unit_port port, execution_pipe& pipe, links::link_binder& binder) {
  const auto index = static_cast<unsigned>(port);
  binder.bind("dispatch", fetch_->dispatch[index], pipe.dispatch);
  fetch_->unit_status[index].bind(pipe.status);
  pipe.observer.bind(observer);
  binder.bind("result", pipe.result, write_back_.result);
}

void sub_core::begin_kernel() {
  scheduler_.begin_kernel();
  constants_.clear();
  if (instructions_ != nullptr) instructions_->begin_kernel();
}

void sub_core::clear_registers(unsigned warp_slot) {
  side_.clear(warp_slot);
  shadow_.clear(warp_slot);
}

void sub_core::preset_register(unsigned warp_slot, isa::register_file file, unsigned index, const warp::lane_vector& value) {
  if (file == isa::register_file::vector)
    write_back_.preset(warp_slot, index, value);
  else
    side_.write(warp_slot, file, index, value[0], isa::all_warp_lanes, 0);
  shadow_.written(warp_slot, file, index, 1, isa::all_warp_lanes, {});
  if (value == warp::broadcast(value.front())) shadow_.preset_to_one_value(warp_slot, file, index);
}

bool sub_core::idle() const { return scheduler_.idle() && has_nothing_in_flight(); }

bool sub_core::has_nothing_in_flight() const {
  return fetch_->idle() && tensor_.idle() && load_store_.idle() && write_back_.idle() && (warpgroup_ == nullptr || warpgroup_->idle()) &&
         (tensor_memory_ == nullptr || tensor_memory_->idle());
}

}  // namespace tc::subcore
