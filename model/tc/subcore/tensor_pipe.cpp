#include <algorithm>

#include <fmt/format.h>

#include <tc/fabric/owner_tag.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/subcore/arrival_cycle.hpp>
#include <tc/subcore/octet_step.hpp>
#include <tc/subcore/tensor_pipe.hpp>
#include <tc/subcore/tensor_reports.hpp>

namespace tc::subcore {

namespace {

/// Source operands of a matrix instruction.
constexpr unsigned source_a = 0, source_b = 1, source_c = 2;

constexpr std::uint32_t lanes_of_threadgroup(unsigned g) { return 0xfu << (g * lanes_per_threadgroup); }

/// Lanes of the result that depend on an undefined lane of B: all of them, or in a step of HMMA.884 those of its octet.
std::uint32_t reached_by_b(std::uint32_t undefined, const tensor_operation& operation) {
  constexpr std::uint32_t all_lanes = 0xffffffff;
  if (!operation.is_octet_step()) return undefined == 0 ? 0 : all_lanes;
  std::uint32_t reached = 0;
  for (unsigned octet = 0; octet < octets_per_warp; ++octet) {
    if ((undefined & lanes_of_threadgroup(octet + operation.work().b_threadgroup)) != 0)
      reached |= lanes_of_threadgroup(octet) | lanes_of_threadgroup(octet + octets_per_warp);
  }
  return reached;
}

/// Lanes of the result that depend on an undefined lane of a source: an element of C reaches only its own lane, or, in f16 where D is f32,
/// its threadgroup, as a row of A does,
/// a column of B all that multiply it.
std::uint32_t undefined_results(const warp_instruction& instruction, const tensor_operation& operation) {
  const std::uint32_t undefined_c = instruction.sources[source_c].undefined_lanes;
  std::uint32_t in_rows = instruction.sources[source_a].undefined_lanes, undefined = undefined_c;
  if (operation.widens_c()) in_rows |= undefined_c;
  undefined |= reached_by_b(instruction.sources[source_b].undefined_lanes, operation);
  for (unsigned g = 0; g < threadgroups_per_warp; ++g) {
    if ((in_rows & lanes_of_threadgroup(g)) != 0) undefined |= lanes_of_threadgroup(g);
  }
  return undefined;
}

void mark_undefined_results(warp_instruction& instruction, const tensor_operation& operation) {
  instruction.undefined_lanes = undefined_results(instruction, operation);
  for (const unsigned source : {source_c, source_b, source_a}) {
    if (instruction.sources[source].undefined_lanes != 0) instruction.origin = instruction.sources[source].origin;
  }
}

}  // namespace

tensor_pipe::tensor_pipe(const sc_core::sc_module_name& module_name, const config::tensor_core_parameters& parameters, bool data,
                         fabric::clock_domain& clock, link_binder& binder, issue_slot_account* slots)
    : sc_module(module_name),
      params_(parameters),
      b_tile_bytes_(b_buffer_params(parameters).tile_bytes()),
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
      occupancy_(slots),
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
    binder.bind("fill", fill_[i], tensor_cores_[i].fill);
    binder.bind("products", tensor_cores_[i].products, products_);
    const auto buffers = static_cast<unsigned>(tensor_cores_[i].b_read.size());
    for (unsigned b = 0; b < buffers; ++b) {
      fabric::completing_target& read = params_.b_buffer.shared ? b_buffers_[0].read[i] : b_buffers_[i * buffers + b].read[0];
      binder.bind("b_read", tensor_cores_[i].b_read[b], read);
    }
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
  const tensor_schedule schedule = schedule_of(demand, instruction.dispatch);
  occupancy_.take(schedule.compute, schedule.release);
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
  operand_bits_carried_ += operation.bits().carried;
  operand_bits_used_ += operation.bits().used;
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

void tensor_pipe::take_b_values(job& filling) const {
  const warp_instruction& instruction = *filling.instruction;
  if (filling.operation->is_octet_step()) {
    pack_step_tiles(*filling.operation, instruction.operand(source_b, 0), instruction.operand(source_b, 1), filling.b[0].data());
    return;
  }
  for (unsigned r = 0; r < filling.operation->b_registers(); ++r) filling.b[r] = instruction.operand(source_b, r);
}

/// Buffers take the same registers each, or a step's tiles of their own octets.
void tensor_pipe::fill_b(job& filling) {
  const unsigned bytes = filling.operation->b_bytes(), tile = filling.schedule.b_tile;
  const unsigned next_buffer = filling.operation->is_octet_step() ? bytes : 0;
  if (data_) take_b_values(filling);
  auto* const data = reinterpret_cast<unsigned char*>(filling.b.data());
  const auto buffers = static_cast<unsigned>(b_fill_.size());
  filling.b_fills_outstanding = buffers;
  filling.b_time = sc_core::SC_ZERO_TIME;
  for (unsigned i = 0; i < buffers; ++i) {
    tlm::tlm_generic_payload& payload = payloads_.get();
    fabric::set_attributes(payload, tlm::TLM_WRITE_COMMAND, std::uint64_t{tile} * b_tile_bytes_, data + i * next_buffer, bytes);
    fabric::owner_tag<job>::of(payload).job = &filling;
    b_fill_[i].send(payload, clock_.delay_to(filling.schedule.dispatch + filling.operation->demand().b_transfer[i]));
  }
}

void tensor_pipe::b_filled(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  job& filling = *fabric::owner_tag<job>::of(payload).job;
  if (!payload.is_response_ok()) {
    fabric::error(report::tensor_operand, name(), clock_.cycle(),
                  fmt::format("the B buffer refused to be filled: {}", payload.get_response_string()));
  }
  payload.release();
  filling.b_time = std::max(filling.b_time, sc_core::sc_time_stamp() + delay);
  if (--filling.b_fills_outstanding == 0) fill_fragments(filling);
}

/// A and the accumulators go to the tensor cores once B is in the buffers, or known to be so in time.
void tensor_pipe::fill_fragments(const job& filling) {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  operands_.operation = filling.operation;
  operands_.schedule = filling.schedule;
  for (unsigned i = 0; i < params_.count; ++i) {
    const octet_range octets = octets_of(i, params_.count);
    operands_.octets = octets;
    if (data_) {
      for (unsigned r = 0; r < filling.operation->a_registers(); ++r)
        octets.copy_lanes(filling.instruction->operand(source_a, r), operands_.a[r]);
      for (unsigned r = 0; r < filling.operation->accumulator_registers(); ++r)
        octets.copy_lanes(filling.instruction->operand(source_c, r), operands_.accumulators[r]);
    }
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = std::max(filling.b_time, clock_.time_of(filling.schedule.compute)) - now;
    fill_[i]->nb_transport_fw(operands_, phase, delay);
  }
}

tlm::tlm_sync_enum tensor_pipe::products_arrived([[maybe_unused]] int tensor_core, fragment_transfer& products,
                                                 [[maybe_unused]] tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  job& done = jobs_[products.schedule.b_tile];
  sc_assert(phase == tlm::BEGIN_REQ && done.instruction != nullptr);
  if (data_) {
    for (unsigned r = 0; r < done.operation->accumulator_registers(); ++r)
      products.octets.copy_lanes(products.accumulators[r], done.instruction->result_registers[r]);
  }
  if (--done.products_outstanding == 0) finish(done, delay);
  return tlm::TLM_COMPLETED;
}

void tensor_pipe::finish(job& done, const sc_core::sc_time& products_delay) {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  warp_instruction& instruction = *done.instruction;
  mark_undefined_results(instruction, *done.operation);
  done.instruction = nullptr;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = std::max(now + products_delay, clock_.time_of(instruction.result)) - now;
  result->nb_transport_fw(instruction, phase, delay);
}

void tensor_pipe::collect(fabric::statistics_sink& sink) const {
  sink.count("instructions", instructions_, "instructions", "Matrix instructions whose operands arrived");
  sink.count("multiply_accumulates", multiply_accumulates_, "multiply-accumulates", "Of these instructions");
  sink.cycles("busy_cycles", busy_cycles_, "Cycles in which dot-product units or the sequencer were taken");
  occupancy_.collect(sink);
  sink.cycles("bus_cycles", bus_cycles_, "Cycles in which an operand bus was taken");
  sink.count("operand_bits_carried", operand_bits_carried_, "bits", "Of the registers that the operand buses brought");
  sink.count("operand_bits_used", operand_bits_used_, "bits", "Of these, elements that the dot-product units took");
}

}  // namespace tc::subcore
