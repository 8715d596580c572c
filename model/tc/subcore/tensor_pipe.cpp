#include <algorithm>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>
#include <tc/fabric/warp_tag.hpp>
#include <tc/subcore/arrival_cycle.hpp>
#include <tc/subcore/tensor_pipe.hpp>
#include <tc/subcore/tensor_reports.hpp>

namespace tc::subcore {

namespace {

/// Source operands of a matrix instruction.
constexpr unsigned source_a = 0, source_b = 1, source_c = 2;

b_buffer::params b_buffer_params(const config::tensor_core_parameters& parameters) {
  b_buffer::params params;
  params.tiles = parameters.b_buffer.depth_tiles;
  params.registers_per_cycle =
      parameters.operand_bus.a_and_b_share ? parameters.operand_bus.a_registers_per_cycle : parameters.operand_bus.b_registers_per_cycle;
  params.readers = parameters.b_buffer.shared ? parameters.count : 1;
  return params;
}

/// Lanes of the result that depend on an undefined lane of a source: an element of C reaches only its own lane, a row of A its threadgroup,
/// a column of B all of them.
std::uint32_t undefined_results(const warp_instruction& instruction) {
  constexpr std::uint32_t all_lanes = 0xffffffff, threadgroup_lanes = 0xf;
  if (instruction.sources[source_b].undefined_lanes != 0) return all_lanes;
  std::uint32_t undefined = instruction.sources[source_c].undefined_lanes;
  for (unsigned g = 0; g < threadgroups_per_warp; ++g) {
    const std::uint32_t lanes = threadgroup_lanes << (g * lanes_per_threadgroup);
    if ((instruction.sources[source_a].undefined_lanes & lanes) != 0) undefined |= lanes;
  }
  return undefined;
}

void mark_undefined_results(warp_instruction& instruction) {
  instruction.undefined_lanes = undefined_results(instruction);
  for (const unsigned source : {source_c, source_b, source_a}) {
    if (instruction.sources[source].undefined_lanes != 0) instruction.origin = instruction.sources[source].origin;
  }
}

}  // namespace

tensor_pipe::tensor_pipe(const sc_core::sc_module_name& module_name, const config::tensor_core_parameters& parameters, bool data,
                         fabric::clock_domain& clock, link_binder& binder)
    : sc_module(module_name),
      params_(parameters),
      data_(data),
      clock_(clock),
      tensor_cores_(
          "tensor_core", parameters.count,
          [&](const char* child, std::size_t i) { return new tensor_core(child, static_cast<unsigned>(i), parameters, data, clock); }),
      b_buffers_("b_buffer", b_buffer_count(parameters),
                 [&](const char* child, std::size_t) { return new b_buffer(child, b_buffer_params(parameters), clock); }),
      b_fill_("b_fill", b_buffer_count(parameters),
              [this](const char* socket, std::size_t) {
                return new fabric::base_protocol_initiator(socket, [this](auto& payload, const auto& delay) { b_filled(payload, delay); });
              }),
      fill_("fill", parameters.count),
      operations_(parameters),
      timing_(parameters),
      a_turn_(parameters.a_buffer.depth_tiles),
      accumulator_turn_(parameters.accumulator_buffer.depth_tiles),
      b_turn_(parameters.b_buffer.depth_tiles),
      jobs_(parameters.b_buffer.depth_tiles) {
  dispatch.register_nb_transport_fw(this, &tensor_pipe::dispatched);
  products_.register_nb_transport_fw(this, &tensor_pipe::products_arrived);
  status.bind(*this);
  bind(binder);
}

void tensor_pipe::bind(link_binder& binder) {
  for (unsigned i = 0; i < b_buffers_.size(); ++i) binder.bind("b_fill", b_fill_[i], b_buffers_[i].fill);
  for (unsigned i = 0; i < tensor_cores_.size(); ++i) {
    fabric::completing_target& b = params_.b_buffer.shared ? b_buffers_[0].read[i] : b_buffers_[i].read[0];
    binder.bind("fill", fill_[i], tensor_cores_[i].fill);
    binder.bind("b_read", tensor_cores_[i].b_read, b);
    binder.bind("products", tensor_cores_[i].products, products_);
  }
}

availability tensor_pipe::earliest_dispatch(const isa::instruction& code, cycle_t dispatch_cycle) const {
  const tensor_demand& demand = operations_.of(*code.mma).demand();
  const cycle_t earliest = timing_.earliest_dispatch(demand);
  if (earliest <= dispatch_cycle) return {dispatch_cycle, stall_cause::none};
  return {earliest, timing_.wait_cause(demand)};
}

tlm::tlm_sync_enum tensor_pipe::dispatched(warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    reserve(instruction, delay);
  } else {
    sc_assert(phase == OPERANDS_READY);
    begin(instruction);
  }
  return tlm::TLM_COMPLETED;
}

/// The instruction was issued: its operands are going to arrive, and it is known when it will be where.
void tensor_pipe::reserve(warp_instruction& instruction, const sc_core::sc_time& delay) {
  const tensor_demand& demand = operations_.of(*instruction.code().mma).demand();
  instruction.dispatch = arrival_cycle(clock_, delay);
  instruction.operands_read = instruction.dispatch + demand.transfer;
  instruction.result = instruction.dispatch + demand.result;
  timing_.reserve(demand, instruction.dispatch);
}

/// The operands are at the buses.
void tensor_pipe::begin(warp_instruction& instruction) {
  sc_assert(clock_.cycle() == instruction.dispatch);
  const tensor_operation& operation = operations_.of(*instruction.code().mma);
  const tensor_schedule schedule = take_tiles(operation, instruction.dispatch);
  job& started = jobs_[schedule.b_tile];
  if (started.instruction != nullptr) {
    fabric::error(report::tensor_late, name(), clock_.cycle(),
                  fmt::format("tile {} of the B buffer is free again, and its last fill or read has not been answered", schedule.b_tile));
    return;
  }
  started.instruction = &instruction;
  started.operation = &operation;
  started.schedule = schedule;
  started.products_outstanding = params_.count;
  ++instructions_;
  multiply_accumulates_ += operation.multiply_accumulates();
  busy_cycles_ += operation.demand().compute;
  bus_cycles_ += operation.demand().transfer;
  fill_b(started);
}

/// Operands arrive in the order of the reservations, so tiles are taken in the same turn here and there.
tensor_schedule tensor_pipe::take_tiles(const tensor_operation& operation, cycle_t dispatch_cycle) {
  tensor_schedule schedule = schedule_of(operation.demand(), dispatch_cycle);
  schedule.a_tile = a_turn_.next();
  schedule.accumulator_tile = accumulator_turn_.next();
  schedule.b_tile = b_turn_.next();
  a_turn_.advance();
  accumulator_turn_.advance();
  b_turn_.advance();
  return schedule;
}

void tensor_pipe::fill_b(job& filling) {
  const unsigned registers = filling.operation->b_registers(), tile = filling.schedule.b_tile;
  if (data_) {
    for (unsigned r = 0; r < registers; ++r) filling.b[r] = filling.instruction->operand(source_b, r);
  }
  const auto buffers = static_cast<unsigned>(b_fill_.size());
  filling.b_fills_outstanding = buffers;
  for (unsigned i = 0; i < buffers; ++i) {
    tlm::tlm_generic_payload& payload = payloads_.get();
    fabric::set_attributes(payload, tlm::TLM_WRITE_COMMAND, std::uint64_t{tile} * b_buffer::tile_bytes,
                           reinterpret_cast<unsigned char*>(filling.b.data()), registers * b_buffer::register_bytes);
    fabric::warp_tag::of(payload).slot = tile;
    b_fill_[i].send(payload, clock_.delay_to(filling.schedule.dispatch + filling.operation->demand().b_transfer[i]));
  }
}

void tensor_pipe::b_filled(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  job& filling = jobs_[fabric::warp_tag::of(payload).slot];
  if (!payload.is_response_ok()) {
    fabric::error(report::tensor_operand, name(), clock_.cycle(),
                  fmt::format("the B buffer refused to be filled: {}", payload.get_response_string()));
  }
  payload.release();
  if (--filling.b_fills_outstanding == 0) fill_fragments(filling, delay);
}

/// A and the accumulators go to the tensor cores once B is in the buffers, or known to be so in time.
void tensor_pipe::fill_fragments(const job& filling, const sc_core::sc_time& b_delay) {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  operands_.operation = filling.operation;
  operands_.schedule = filling.schedule;
  operands_.lanes = lanes_per_warp / params_.count;
  for (unsigned i = 0; i < params_.count; ++i) {
    operands_.first_lane = i * operands_.lanes;
    const auto copy_lanes = [&](const lane_vector& from, lane_vector& to) {
      std::copy_n(&from[operands_.first_lane], operands_.lanes, &to[operands_.first_lane]);
    };
    if (data_) {
      for (unsigned r = 0; r < filling.operation->a_registers(); ++r) copy_lanes(filling.instruction->operand(source_a, r), operands_.a[r]);
      for (unsigned r = 0; r < filling.operation->accumulator_registers(); ++r)
        copy_lanes(filling.instruction->operand(source_c, r), operands_.accumulators[r]);
    }
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = std::max(now + b_delay, clock_.time_of(filling.schedule.compute)) - now;
    fill_[i]->nb_transport_fw(operands_, phase, delay);
  }
}

tlm::tlm_sync_enum tensor_pipe::products_arrived([[maybe_unused]] int tensor_core, fragment_transfer& products,
                                                 [[maybe_unused]] tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  job& done = jobs_[products.schedule.b_tile];
  sc_assert(phase == tlm::BEGIN_REQ && done.instruction != nullptr);
  if (data_) {
    for (unsigned r = 0; r < done.operation->accumulator_registers(); ++r)
      std::copy_n(&products.accumulators[r][products.first_lane], products.lanes,
                  &done.instruction->result_registers[r][products.first_lane]);
  }
  if (--done.products_outstanding == 0) finish(done, delay);
  return tlm::TLM_COMPLETED;
}

void tensor_pipe::finish(job& done, const sc_core::sc_time& products_delay) {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  warp_instruction& instruction = *done.instruction;
  done.instruction = nullptr;
  mark_undefined_results(instruction);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = std::max(now + products_delay, clock_.time_of(instruction.result)) - now;
  result->nb_transport_fw(instruction, phase, delay);
}

void tensor_pipe::collect(fabric::statistics_sink& sink) const {
  sink.count("instructions", instructions_, "instructions", "Matrix instructions whose operands arrived");
  sink.count("multiply_accumulates", multiply_accumulates_, "multiply-accumulates", "Of these instructions");
  sink.cycles("busy_cycles", busy_cycles_, "Cycles in which dot-product units or the sequencer were taken");
  sink.cycles("bus_cycles", bus_cycles_, "Cycles in which an operand bus was taken");
}

}  // namespace tc::subcore
