// SPDX-License-Identifier: Apache-2.0
#include "tensor_pipe.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>
#include <tc/links/arrival_cycle.hpp>
#include <tc/links/multiply_accumulate_account.hpp>
#include <tc/subcore/tensor/dot_product_units.hpp>
#include <tc/subcore/tensor/tensor_reports.hpp>

namespace tc::subcore {

namespace {

/// Source operands of a matrix instruction.
constexpr unsigned source_a = 0, source_b = 1, source_c = 2;

/// Whether C is f16 and D is f32: the row of a lane's C goes to the lanes of its threadgroup.
bool widens_c(const isa::mma_operation& mma) { return mma.c == isa::element_type::f16 && mma.d == isa::element_type::f32; }

/// Lanes of the result that depend on an undefined lane of a source: an element of C reaches only its own lane, or, in f16 where D is f32,
/// its threadgroup, as a row of A does, a column of B all that multiply it.
std::uint32_t undefined_results(const links::warp_instruction& instruction, const tensor_operation& operation) {
  const std::uint32_t undefined_c = instruction.sources[source_c].undefined_lanes;
  std::uint32_t in_rows = instruction.sources[source_a].undefined_lanes, undefined = undefined_c;
  if (widens_c(operation.mma())) in_rows |= undefined_c;
  undefined |= operation.layout().lanes_reached_by_b(instruction.sources[source_b].undefined_lanes);
  for (unsigned g = 0; g < links::threadgroups_per_warp; ++g) {
    if ((in_rows & links::lanes_of_threadgroup(g)) != 0) undefined |= links::lanes_of_threadgroup(g);
  }
  return undefined;
}

void mark_undefined_results(links::warp_instruction& instruction, const tensor_operation& operation) {
  instruction.undefined_lanes = 0;
  const auto is_undefined = [&](unsigned source) { return instruction.sources[source].undefined_lanes != 0; };
  if (!is_undefined(source_a) && !is_undefined(source_b) && !is_undefined(source_c)) return;
  instruction.undefined_lanes = undefined_results(instruction, operation);
  for (const unsigned source : {source_c, source_b, source_a}) {
    if (is_undefined(source)) instruction.origin = instruction.sources[source].origin;
  }
}

operand_tiles tiles_of(sc_core::sc_vector<tensor_core>& tensor_cores, sc_core::sc_vector<b_buffer>& b_buffers) {
  operand_tiles tiles;
  for (tensor_core& core : tensor_cores) {
    tiles.a.push_back(&core.a_tiles());
    tiles.accumulators.push_back(&core.accumulator_tiles());
  }
  for (b_buffer& buffer : b_buffers) tiles.b.push_back(&buffer.tiles());
  return tiles;
}

/// Points at the registers of a source, one after the other.
template <std::size_t Count>
void point_at(const links::warp_instruction& instruction, unsigned source, unsigned count, operand_signs& signs,
              std::array<const warp::lane_vector*, Count>& registers) {
  for (unsigned r = 0; r < count; ++r) registers[r] = &instruction.operand(source, r);
  const isa::operand& operand = instruction.code().sources[source];
  if (operand_signs::are_asked_for(operand)) signs.apply(operand, count, registers);
}

}  // namespace

tensor_pipe::tensor_pipe(const sc_core::sc_module_name& module_name, const config::tensor_core_parameters& parameters, bool data,
                         fabric::clock_domain& clock, links::link_binder& binder, links::issue_slot_account* slots,
                         const links::unit_source& units)
    : sc_module(module_name),
      params_(parameters),
      b_layout_(parameters),
      tensor_cores_(
          "tensor_core", parameters.count,
          [&](const char* child, std::size_t i) { return new tensor_core(child, static_cast<unsigned>(i), parameters, data, clock); }),
      b_buffers_("b_buffer", b_layout_.buffers(), [&](const char* child, std::size_t) { return new b_buffer(child, b_layout_.shape()); }),
      b_fill_("b_fill", b_layout_.buffers()),
      fragments_("fragments", parameters.count),
      buffer_count_(b_layout_.buffers()),
      core_count_(parameters.count),
      data_(data),
      waits_for_b_(parameters.b_buffer.depth_tiles),
      timing_(parameters, tiles_of(tensor_cores_, b_buffers_)),
      occupancy_(slots),
      operations_([parameters](const isa::mma_operation& mma) { return counted_operation{tensor_operation(mma, parameters)}; }),
      clock_(clock) {
  dispatch.serve<&tensor_pipe::dispatched>(*this);
  status.bind(*this);
  turns.bind(*this);
  for (auto& link : b_fill_)
    link.answer_to(clock, report::tensor_answer, [this](auto& tile) { b_came_late(static_cast<b_request&>(tile)); });
  for (auto& link : fragments_) {
    link.answer_to(clock, report::tensor_answer, [this](auto& products) {
      job& done = *static_cast<part&>(products).owner;
      take_products(static_cast<part&>(products));
      if (done.outstanding == 0) finish(done);
    });
  }
  for (unsigned i = 0; i < parameters.count; ++i)
    dot_product_units_.push_back(make_dot_products(units.makers.dot_products, name(), "dot_product_units_" + std::to_string(i),
                                                   {{units.at(i), data, clock}, params_, config::operand_source::registers}));
  bind_links(binder);
}

tensor_pipe::~tensor_pipe() = default;

void tensor_pipe::end_of_elaboration() {
  for (unsigned i = 0; i < buffer_count_; ++i) to_b_buffers_[i] = links::request_initiator<links::b_tile_protocol>::sender(b_fill_[i]);
  for (unsigned i = 0; i < core_count_; ++i)
    to_tensor_cores_[i] = links::request_initiator<links::fragment_protocol>::sender(fragments_[i]);
}

void tensor_pipe::bind_links(links::link_binder& binder) {
  for (unsigned i = 0; i < b_buffers_.size(); ++i) binder.bind("b_fill", b_fill_[i], b_buffers_[i].fill);
  for (unsigned i = 0; i < tensor_cores_.size(); ++i) {
    binder.bind("fragments", fragments_[i], tensor_cores_[i].fragments);
    binder.bind("dot_products", tensor_cores_[i].dot_products, *dot_product_units_[i].sockets[0]);
    for (unsigned b = 0; b < tensor_cores_[i].b_read.size(); ++b)
      binder.bind("b_read", tensor_cores_[i].b_read[b], b_buffers_[b_layout_.first_buffer_of(i) + b].read[b_layout_.reader_of(i)]);
  }
}

links::availability tensor_pipe::earliest_dispatch(const isa::instruction& code, cycle_t dispatch_cycle) const {
  const tensor_demand& demand = operations_.of(*code.mma).operation.demand();
  if (warps_held_back_) return {dispatch_cycle + 1, links::stall_cause::tensor_busy, true};
  if (others_first_ && !one_passes_) {
    wait_for_turn(demand);
    return {dispatch_cycle + 1, links::stall_cause::tensor_busy, true};
  }
  const cycle_t earliest = timing_.earliest_dispatch(demand);
  if (timing_.is_taken_from(std::max(earliest, dispatch_cycle) + demand.fill)) return earliest_between_others(demand, dispatch_cycle);
  if (earliest <= dispatch_cycle) return {dispatch_cycle, links::stall_cause::none};
  return {earliest, timing_.wait_cause(demand)};
}

/// A place that is free now may be too short for who comes later.
links::availability tensor_pipe::earliest_between_others(const tensor_demand& demand, cycle_t dispatch_cycle) const {
  const cycle_t own = std::max(timing_.earliest_dispatch(demand), dispatch_cycle);
  const cycle_t earliest = timing_.earliest_dispatch(demand, dispatch_cycle);
  if (earliest == dispatch_cycle) return {dispatch_cycle, links::stall_cause::none, true};
  if (earliest == own) return {earliest, timing_.wait_cause(demand), true};
  wait_for_turn(demand);
  return {earliest, links::stall_cause::tensor_busy, true};
}

cycle_t tensor_pipe::let_waiting_pass(cycle_t waited_cycles) {
  if (waiting_cycles_ == 0 || waiting_since_ + waited_cycles > clock_.cycle()) return 0;
  one_passes_ = true;
  return std::exchange(waiting_cycles_, 0);
}

void tensor_pipe::wait_for_turn(const tensor_demand& demand) const {
  if (waiting_cycles_ == 0) waiting_since_ = clock_.cycle();
  waiting_cycles_ = demand.compute;
}

void tensor_pipe::give_precedence(bool to_others) {
  others_first_ = to_others;
  if (scheduler.size() != 0) scheduler->answers_changed();
}

void tensor_pipe::hold_back_warps() {
  if (std::exchange(warps_held_back_, true)) return;
  if (scheduler.size() != 0) scheduler->answers_changed();
}

void tensor_pipe::take(cycle_t begin, cycle_t end) {
  warps_held_back_ = false;
  timing_.take_units(begin, end, clock_.cycle());
  if (scheduler.size() != 0) scheduler->answers_changed();
}

tlm::tlm_sync_enum tensor_pipe::dispatched(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase == tlm::BEGIN_REQ) {
    reserve(instruction);
  } else {
    sc_assert(phase == links::OPERANDS_READY);
    begin(instruction);
  }
  return tlm::TLM_COMPLETED;
}

/// The instruction was issued: its operands are going to arrive, and it is known when it will be where.
void tensor_pipe::reserve(links::warp_instruction& instruction) {
  job& reserved = jobs_.get(core_count_);
  fabric::make_room(reserved_);
  reserved_.push_back(&reserved);
  reserved.counted = &operations_.of(*instruction.code().mma);
  const tensor_demand& demand = reserved.counted->operation.demand();
  links::tensor_schedule& schedule = reserved.work.schedule;
  timing_.reserve(demand, instruction.dispatch, schedule);
  waiting_cycles_ = 0;
  one_passes_ = false;
  instruction.dispatch = schedule.dispatch;
  instruction.operands_read = schedule.dispatch + demand.transfer;
  instruction.result = schedule.result;
  occupancy_.take(schedule.busy_from, schedule.busy_until);
}

/// The operands are at the buses, in the order of the reservations. Operands that come after their cycle, which the operand fetch has
/// reported, find the buses and buffers in the hands of others.
void tensor_pipe::begin(links::warp_instruction& instruction) {
  sc_assert(!reserved_.empty() && reserved_.front()->work.schedule.dispatch == instruction.dispatch);
  job& started = *reserved_.front();
  reserved_.pop_front();
  started.instruction = &instruction;
  ++begun_;
  if (clock_.cycle() > instruction.dispatch) return give_up(started);
  const unsigned b_tile = started.work.schedule.b_tile;
  if (begun_ != 1 && is_taken(b_tile)) {
    fabric::fault(report::tensor_late, *this, clock_.cycle(),
                  fmt::format("tile {} of the B buffer is free again, and its last fill or read has not been answered", b_tile));
    return give_up(started);
  }
  ++started.counted->instructions;
  if (fill_b(started))
    multiply(started);
  else if (data_)
    instruction.keep_operands();
}

/// Whether B of an earlier instruction has yet to come or go.
bool tensor_pipe::is_taken(unsigned b_tile) const {
  return waits_for_b_[b_tile] ||
         std::any_of(tensor_cores_.begin(), tensor_cores_.end(), [b_tile](const tensor_core& core) { return core.reads(b_tile); });
}

/// Returns whether all of B is in the buffers, or known to be so in time.
bool tensor_pipe::fill_b(job& filling) {
  const tensor_operation& operation = filling.counted->operation;
  if (data_) {
    std::array<const warp::lane_vector*, links::max_b_registers> registers{};
    point_at(*filling.instruction, source_b, operation.b_registers(), b_signs_, registers);
    operation.layout().pack_b(registers.data(), filling.b.data());
  }
  const links::tensor_schedule& schedule = filling.work.schedule;
  filling.b_complete = schedule.compute;
  filling.outstanding = buffer_count_ + 1;
  for (unsigned i = 0; i < buffer_count_; ++i) {
    b_request& request = filling.b_requests[i];
    request.tile = schedule.b_tile;
    request.registers = operation.b_buffer_registers();
    request.words = data_ ? filling.b.data() + operation.layout().first_b_word(b_layout_.served_by(i)) : nullptr;
    request.arrival = schedule.dispatch + operation.demand().b_transfer[i];
    request.refusal = nullptr;
    if (to_b_buffers_[i].ask(request)) note_b(request);
  }
  if (--filling.outstanding == 0) return true;
  waits_for_b_[schedule.b_tile] = true;
  return false;
}

void tensor_pipe::note_b(const b_request& request) {
  if (request.refusal != nullptr) {
    fabric::fault(report::tensor_operand, *this, clock_.cycle(),
                  fmt::format("the B buffer refused to be filled, tile {} in cycle {}: {}, until cycle {}", request.tile, request.arrival,
                              request.refusal, request.complete));
  }
  job& filling = *request.owner;
  filling.b_complete = std::max(filling.b_complete, request.complete);
  --filling.outstanding;
}

/// A buffer that takes time of its own has answered.
void tensor_pipe::b_came_late(const b_request& request) {
  note_b(request);
  if (request.owner->outstanding != 0) return;
  waits_for_b_[request.tile] = false;
  multiply(*request.owner);
}

/// A and C go to the tensor cores.
void tensor_pipe::multiply(job& filled) {
  links::matrix_work& work = filled.work;
  work.mma = &filled.counted->operation.mma();
  work.record = filled.instruction->record;
  work.b_registers = filled.counted->operation.b_buffer_registers();
  if (data_) point_at_registers(filled);
  filled.outstanding = core_count_ + 1;
  for (unsigned i = 0; i < core_count_; ++i) {
    part& asked = filled.parts[i];
    asked.arrival = filled.b_complete;
    if (to_tensor_cores_[i].ask(asked)) take_products(asked);
  }
  if (--filled.outstanding == 0) finish(filled);
}

/// Those of A, C and D.
void tensor_pipe::point_at_registers(job& filling) {
  const tensor_operation& operation = filling.counted->operation;
  links::warp_instruction& instruction = *filling.instruction;
  point_at(instruction, source_a, operation.a_registers(), a_signs_, filling.work.a);
  point_at(instruction, source_c, operation.accumulator_registers(), c_signs_, filling.work.c);
  for (unsigned r = 0; r < operation.accumulator_registers(); ++r) filling.work.d[r] = &instruction.result_registers[r];
}

/// What a tensor core gives after the cycle that reserve() promised would reach consumers which have already been let go.
void tensor_pipe::take_products(const part& products) {
  job& done = *products.owner;
  if (products.complete > done.work.schedule.products) {
    fabric::fault(report::tensor_late, *this, clock_.cycle(),
                  fmt::format("products of tensor core {} leave it in cycle {}, and were due in cycle {}", &products - done.parts.data(),
                              products.complete, done.work.schedule.products));
    done.instruction->result = std::max(done.instruction->result, products.complete);
  }
  --done.outstanding;
}

void tensor_pipe::finish(job& done) {
  mark_undefined_results(*done.instruction, done.counted->operation);
  give_back(done);
}

/// Its result is as late as it is given up, and says nothing.
void tensor_pipe::give_up(job& late) {
  late.instruction->result = std::max(late.instruction->result, links::next_cycle(clock_));
  give_back(late);
}

void tensor_pipe::give_back(job& done) {
  links::warp_instruction& instruction = *done.instruction;
  --begun_;
  jobs_.put_back(done);
  links::hand_on(result, instruction);
}

void tensor_pipe::reset() {
  timing_.reset();
  warps_held_back_ = others_first_ = one_passes_ = false;
  waiting_cycles_ = 0;
  occupancy_.reset();
  operations_.for_each([](counted_operation& counted) { counted.instructions = 0; });
}

void tensor_pipe::collect(fabric::statistics_sink& sink) const {
  links::multiply_accumulate_account multiply_accumulates;
  std::uint64_t instructions = 0, busy_cycles = 0, bus_cycles = 0, operand_bits_carried = 0, operand_bits_used = 0;
  std::as_const(operations_).for_each([&](const counted_operation& counted) {
    const tensor_operation& operation = counted.operation;
    const std::uint64_t times = counted.instructions;
    instructions += times;
    multiply_accumulates.add(operation.mma().a, times * operation.multiply_accumulates());
    busy_cycles += times * operation.demand().busy;
    bus_cycles += times * operation.demand().transfer;
    operand_bits_carried += times * operation.bits().carried;
    operand_bits_used += times * operation.bits().used;
  });
  sink.count("instructions", instructions, "instructions", "Matrix instructions whose operands arrived");
  multiply_accumulates.collect(sink);
  sink.busy(busy_cycles, "Cycles in which dot-product units or the sequencer were taken");
  occupancy_.collect(sink);
  sink.cycles("bus_cycles", bus_cycles, "Cycles in which an operand bus was taken");
  sink.count("operand_bits_carried", operand_bits_carried, "bits", "Of the registers that the operand buses brought");
  sink.count("operand_bits_used", operand_bits_used, "bits", "Of these, elements that the dot-product units took");
}

}  // namespace tc::subcore
