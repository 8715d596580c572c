// SPDX-License-Identifier: Apache-2.0
#include "tensor_pipe.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/direct_link.hpp>
#include <tc/fabric/extensions.hpp>
#include <tc/fabric/local_time.hpp>
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
      data_(data),
      own_dot_product_units_(!units.makers.dot_products),
      clock_(clock),
      tensor_cores_(
          "tensor_core", parameters.count,
          [&](const char* child, std::size_t i) { return new tensor_core(child, static_cast<unsigned>(i), parameters, data, clock); }),
      b_buffers_("b_buffer", b_layout_.buffers(),
                 [&](const char* child, std::size_t) { return new b_buffer(child, b_layout_.shape(), clock); }),
      b_fill_("b_fill", b_layout_.buffers(),
              [this](const char* socket, std::size_t) {
                return new fabric::base_protocol_initiator(socket, [this](auto& payload, const auto& delay) { b_filled(payload, delay); });
              }),
      fill_("fill", parameters.count),
      operations_([parameters](const isa::mma_operation& mma) { return counted_operation{tensor_operation(mma, parameters)}; }),
      timing_(parameters),
      occupancy_(slots),
      b_fills_outstanding_(parameters.b_buffer.depth_tiles) {
  dispatch.register_nb_transport_fw(this, &tensor_pipe::dispatched);
  products_.register_nb_transport_fw(this, &tensor_pipe::products_arrived);
  status.bind(*this);
  turns.bind(*this);
  for (unsigned i = 0; i < parameters.count; ++i)
    dot_product_units_.push_back(make_dot_products(units.makers.dot_products, name(), "dot_product_units_" + std::to_string(i),
                                                   {{units.at(i), data, clock}, params_, config::operand_source::registers}));
  for_each_link([&binder](const char* link, auto& from, auto& to) { binder.bind(link, from, to); });
}

tensor_pipe::~tensor_pipe() = default;

/// Calls `visit(kind of link, initiator, target)` for all links within the unit.
template <class Visit>
void tensor_pipe::for_each_link(const Visit& visit) {
  for (unsigned i = 0; i < b_buffers_.size(); ++i) visit("b_fill", b_fill_[i], b_buffers_[i].fill);
  for (unsigned i = 0; i < tensor_cores_.size(); ++i) {
    visit("fill", fill_[i], tensor_cores_[i].fill);
    visit("products", tensor_cores_[i].products, products_);
    visit("dot_products", tensor_cores_[i].dot_products, *dot_product_units_[i].sockets[0]);
    for (unsigned b = 0; b < tensor_cores_[i].b_read.size(); ++b)
      visit("b_read", tensor_cores_[i].b_read[b], b_buffers_[b_layout_.first_buffer_of(i) + b].read[b_layout_.reader_of(i)]);
  }
}

void tensor_pipe::end_of_elaboration() {
  bool direct = own_dot_product_units_;
  for_each_link([&direct](const char*, auto& from, auto& to) { direct = direct && fabric::is_direct(from, to); });
  if (!direct) return;
  for (b_buffer& buffer : b_buffers_) {
    buffer.connect_directly(operations_);
    direct_buffers_.push_back(&buffer);
  }
  for (tensor_core& core : tensor_cores_) {
    core.connect_directly(operations_);
    direct_cores_.push_back(&core);
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
  counted_operation& counted = operations_.of(*instruction.code().mma);
  fabric::make_room(reserved_);
  reserved_.push_back();
  reserved_.back().counted = &counted;
  links::tensor_schedule& schedule = reserved_.back().schedule;
  timing_.reserve(counted.operation.demand(), instruction.dispatch, schedule);
  waiting_cycles_ = 0;
  one_passes_ = false;
  instruction.dispatch = schedule.dispatch;
  instruction.operands_read = schedule.dispatch + counted.operation.demand().transfer;
  instruction.result = schedule.result;
  occupancy_.take(schedule.busy_from, schedule.busy_until);
}

/// The operands are at the buses, in the order of the reservations. Operands that come after their cycle, which the operand fetch has
/// reported, find the buses and buffers in the hands of others.
void tensor_pipe::begin(links::warp_instruction& instruction) {
  sc_assert(!reserved_.empty() && reserved_.front().schedule.dispatch == instruction.dispatch);
  const bool is_late = clock_.cycle() > instruction.dispatch;
  if (!is_late && !direct_cores_.empty()) return run_directly(instruction);
  const reservation next = reserved_.front();
  reserved_.pop_front();
  if (is_late) return give_back(instruction, fabric::local_time::now());
  if (is_taken(next.schedule.b_tile)) {
    fabric::fault(
        report::tensor_late, *this, clock_.cycle(),
        fmt::format("tile {} of the B buffer is free again, and its last fill or read has not been answered", next.schedule.b_tile));
    return give_back(instruction, fabric::local_time::now());
  }
  if (data_) instruction.keep_operands();
  const unsigned place = take_place();
  job& started = *jobs_[place];
  started.instruction = &instruction;
  started.operation = &next.counted->operation;
  started.schedule = next.schedule;
  started.schedule.place = place;
  started.products_outstanding = params_.count;
  ++next.counted->instructions;
  fill_b(started);
}

/// For assertions: whether the tiles of all buffers are there for an instruction when it wants them.
bool tensor_pipe::passes_tiles(const tensor_operation& operation, const links::tensor_schedule& schedule) {
  const auto& b_transfer = operation.demand().b_transfer;
  const unsigned fill_cycles = direct_buffers_.front()->fill_cycles(operation.b_bytes());
  const cycle_t complete = std::max(schedule.compute, schedule.dispatch + b_transfer[direct_buffers_.size() - 1] + fill_cycles);
  bool passes = complete <= schedule.products;
  for (std::size_t i = 0; i < direct_buffers_.size(); ++i)
    passes = direct_buffers_[i]->passes(schedule.b_tile, schedule.dispatch + b_transfer[i], operation.b_bytes(), complete) && passes;
  for (tensor_core* const core : direct_cores_) passes = core->passes(schedule) && passes;
  return passes;
}

/// All that transactions would bring, where they would arrive.
void tensor_pipe::run_directly(links::warp_instruction& instruction) {
  counted_operation& counted = *reserved_.front().counted;
  const tensor_operation& operation = counted.operation;
  sc_assert(passes_tiles(operation, reserved_.front().schedule));
  reserved_.pop_front();
  ++counted.instructions;
  if (data_) {
    set_operands(instruction, operation);
    std::array<const warp::lane_vector*, links::max_b_registers> b{};
    point_at(instruction, source_b, operation.b_registers(), b_signs_, b);
    std::array<warp::lane_vector*, links::warp_instruction::max_result_registers> d{};
    for (unsigned r = 0; r < d.size(); ++r) d[r] = &instruction.result_registers[r];
    direct_cores_.front()->multiply_directly(operation, fragments_, b.data(), d.data());
  }
  mark_undefined_results(instruction, operation);
  links::hand_on(result, instruction);
}

/// Whether B of an earlier instruction has yet to come or go.
bool tensor_pipe::is_taken(unsigned b_tile) const {
  return b_fills_outstanding_[b_tile] != 0 ||
         std::any_of(tensor_cores_.begin(), tensor_cores_.end(), [b_tile](const tensor_core& core) { return core.reads(b_tile); });
}

unsigned tensor_pipe::take_place() {
  if (free_places_.empty()) {
    free_places_.push_back(static_cast<unsigned>(jobs_.size()));
    jobs_.push_back(std::make_unique<job>());
  }
  const unsigned place = free_places_.back();
  free_places_.pop_back();
  return place;
}

void tensor_pipe::fill_b(job& filling) {
  const tensor_operation& operation = *filling.operation;
  if (data_) {
    std::array<const warp::lane_vector*, links::max_b_registers> registers{};
    point_at(*filling.instruction, source_b, operation.b_registers(), b_signs_, registers);
    operation.layout().pack_b(registers.data(), filling.b.data());
  }
  const auto buffers = static_cast<unsigned>(b_fill_.size());
  b_fills_outstanding_[filling.schedule.b_tile] = buffers;
  filling.b_time = sc_core::SC_ZERO_TIME;
  for (unsigned i = 0; i < buffers; ++i) {
    const links::octet_range served = b_layout_.served_by(i);
    auto* const data = reinterpret_cast<unsigned char*>(filling.b.data() + operation.layout().first_b_word(served));
    tlm::tlm_generic_payload& payload = payloads_.get();
    fabric::set_attributes(payload, tlm::TLM_WRITE_COMMAND, b_layout_.shape().address_of(filling.schedule.b_tile), data,
                           operation.b_bytes());
    fabric::owner_tag<job>::of(payload).job = &filling;
    b_fill_[i].send(payload, clock_.delay_to(filling.schedule.dispatch + operation.demand().b_transfer[i]));
  }
}

void tensor_pipe::b_filled(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  job& filling = *fabric::owner_tag<job>::of(payload).job;
  if (!payload.is_response_ok()) {
    fabric::fault(report::tensor_operand, *this, clock_.cycle(),
                  fmt::format("the B buffer refused to be filled: {}", payload.get_response_string()));
  }
  payload.release();
  filling.b_time = std::max(filling.b_time, fabric::local_time::now() + delay);
  if (--b_fills_outstanding_[filling.schedule.b_tile] == 0) fill_fragments(filling);
}

/// A and C go to the tensor cores once B is in the buffers, or known to be so in time.
void tensor_pipe::fill_fragments(const job& filling) {
  const sc_core::sc_time now = fabric::local_time::now(), complete = std::max(filling.b_time, clock_.time_of(filling.schedule.compute));
  fragments_.mma = &filling.operation->mma();
  fragments_.schedule = filling.schedule;
  fragments_.record = filling.instruction->record;
  if (data_) set_operands(*filling.instruction, *filling.operation);
  fragments_.b_address = b_layout_.shape().address_of(filling.schedule.b_tile);
  fragments_.b_bytes = filling.operation->b_bytes();
  for (unsigned i = 0; i < params_.count; ++i) {
    fragments_.octets = links::octets_of(i, params_.count);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = complete - now;
    fill_[i]->nb_transport_fw(fragments_, phase, delay);
  }
}

/// A and C, for all tensor cores.
void tensor_pipe::set_operands(const links::warp_instruction& instruction, const tensor_operation& operation) {
  point_at(instruction, source_a, operation.a_registers(), a_signs_, fragments_.a);
  point_at(instruction, source_c, operation.accumulator_registers(), c_signs_, fragments_.c);
}

/// What a tensor core sends after the cycle that reserve() promised would reach consumers which have already been let go.
tlm::tlm_sync_enum tensor_pipe::products_arrived(int tensor_core, links::fragment_transfer& products,
                                                 [[maybe_unused]] tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  job& done = *jobs_[products.schedule.place];
  sc_assert(phase == tlm::BEGIN_REQ && done.products_outstanding != 0);
  const sc_core::sc_time arrival = fabric::local_time::now() + delay, due = clock_.time_of(done.schedule.products);
  if (arrival > due) {
    fabric::fault(
        report::tensor_late, *this, clock_.cycle(),
        fmt::format("products of tensor core {} leave it at {}, and were due at {}", tensor_core, arrival.to_string(), due.to_string()));
  }
  if (data_) {
    for (unsigned r = 0; r < done.operation->accumulator_registers(); ++r)
      products.octets.copy_lanes(products.d[r], done.instruction->result_registers[r]);
  }
  if (--done.products_outstanding == 0) finish(done, arrival);
  return tlm::TLM_COMPLETED;
}

void tensor_pipe::finish(job& done, const sc_core::sc_time& products_arrival) {
  mark_undefined_results(*done.instruction, *done.operation);
  free_places_.push_back(done.schedule.place);
  give_back(*done.instruction, products_arrival);
}

/// When its result is due, unless it is ready later, at any time.
void tensor_pipe::give_back(links::warp_instruction& instruction, const sc_core::sc_time& ready) {
  const sc_core::sc_time now = fabric::local_time::now(), due = clock_.time_of(instruction.result);
  if (ready > due) instruction.result = clock_.edge_at(ready - now);
  links::hand_on(result, instruction);
}

void tensor_pipe::reset() {
  timing_ = tensor_timing(params_);
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
