// SPDX-License-Identifier: Apache-2.0
#include "tensor_core.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>
#include <tc/subcore/tensor/b_buffer_layout.hpp>
#include <tc/subcore/tensor/tensor_reports.hpp>

namespace tc::subcore {

tensor_core::core_operation::core_operation(tensor_operation all, const links::octet_range& octets, const links::octet_range& b_octets,
                                            unsigned buffers)
    : operation(std::move(all)) {
  layout = &operation.layout();
  const unsigned register_bytes = octets.threadgroups() * links::lanes_per_threadgroup * static_cast<unsigned>(sizeof(std::uint32_t));
  shape = layout->shape_of(octets);
  first_b_word = layout->first_b_word(octets) - layout->first_b_word(b_octets);
  b_words = layout->b_words(octets) / buffers;
  a_bytes = register_bytes * operation.a_registers();
  accumulator_bytes = register_bytes * operation.accumulator_registers();
  sums = octets.threadgroups() * layout->outputs_per_threadgroup();
  beats = operation.demand().beats;
}

tensor_core::tensor_core(const sc_core::sc_module_name& module_name, unsigned index, const config::tensor_core_parameters& parameters,
                         bool data, fabric::clock_domain& clock)
    : sc_module(module_name),
      b_read("b_read", b_buffer_layout(parameters).buffers_of_core()),
      octets_(links::octets_of(index, parameters.count)),
      b_octets_(b_buffer_layout(parameters).read_by(index)),
      buffers_(b_buffer_layout(parameters).buffers_of_core()),
      data_(data),
      threadgroups_(parameters.a_buffer.depth_tiles, parameters.accumulator_buffer.depth_tiles),
      waits_for_b_(parameters.b_buffer.depth_tiles),
      operations_([this, parameters](const isa::mma_operation& mma) {
        return core_operation(tensor_operation(mma, parameters), octets_, b_octets_, buffers_);
      }),
      clock_(clock) {
  fragments.serve<&tensor_core::take>(*this);
  dot_products.answer_to(clock, report::tensor_answer, [this](auto& sums) { answer(static_cast<job&>(sums)); });
  for (auto& link : b_read)
    link.answer_to(clock, report::tensor_answer, [this](auto& tile) { b_came_late(static_cast<b_request&>(tile)); });
}

tensor_core::~tensor_core() = default;

void tensor_core::end_of_elaboration() {
  for (unsigned i = 0; i < buffers_; ++i) b_buffers_[i] = b_sender(b_read[i]);
}

tlm::tlm_sync_enum tensor_core::take(links::fragment_transfer& part, [[maybe_unused]] tlm::tlm_phase& phase, sc_core::sc_time&) {
  sc_assert(phase == tlm::BEGIN_REQ);
  job& started = fill(part);
  if (!read_b(started) || !multiply(started)) return tlm::TLM_ACCEPTED;
  give_products(started);
  return tlm::TLM_COMPLETED;
}

tensor_core::job& tensor_core::fill(links::fragment_transfer& part) {
  job& started = jobs_.get();
  const links::matrix_work& work = *part.work;
  const core_operation& used = operations_.of(*work.mma);
  started.operation = &used;
  started.part = &part;
  started.arrival = part.arrival;
  const links::tensor_schedule& schedule = work.schedule;
  hold(a_tiles(), "A", schedule.a_tile, schedule.dispatch, schedule.release);
  hold(accumulator_tiles(), "accumulator", schedule.accumulator_tile, schedule.dispatch, schedule.accumulator_release);
  if (data_) threadgroups_.fill(work, octets_, *used.layout);
  ++fills_;
  a_bytes_ += used.a_bytes;
  accumulator_bytes_ += used.accumulator_bytes;
  return started;
}

void tensor_core::hold(tile_ring& tiles, const char* buffer, unsigned tile, cycle_t begin, cycle_t release) {
  const cycle_t free = tiles.hold(tile, release);
  if (begin >= free) return;
  fabric::fault(report::tensor_tile, *this, clock_.cycle(),
                fmt::format("tile {} of the {} buffer is filled in cycle {}, and held by another instruction until cycle {}", tile, buffer,
                            begin, free));
}

/// Returns whether all of B has come in the call.
bool tensor_core::read_b(job& started) {
  const links::matrix_work& work = *started.part->work;
  started.b_outstanding = buffers_ + 1;
  for (unsigned i = 0; i < buffers_; ++i) {
    b_request& request = started.b_requests[i];
    request.tile = work.schedule.b_tile;
    request.registers = work.b_registers;
    request.words = nullptr;
    request.arrival = started.part->arrival;
    request.refusal = nullptr;
    if (b_buffers_[i].ask(request)) keep_b(request);
  }
  if (--started.b_outstanding == 0) return true;
  waits_for_b_[work.schedule.b_tile] = true;
  return false;
}

void tensor_core::keep_b(b_request& request) {
  if (data_ && request.words == nullptr && request.refusal == nullptr) request.refusal = "it did not say where the tile is";
  if (request.refusal != nullptr) {
    fabric::fault(report::tensor_operand, *this, clock_.cycle(),
                  fmt::format("the B buffer refused to be read, tile {} in cycle {}: {}, until cycle {}", request.tile, request.arrival,
                              request.refusal, request.complete));
  }
  job& reader = *request.owner;
  reader.arrival = std::max(reader.arrival, request.complete);
  if (data_ && request.words != nullptr && buffers_ > 1) {
    const auto buffer = static_cast<std::size_t>(&request - reader.b_requests.data());
    std::copy_n(request.words, reader.operation->b_words, reader.columns.data() + buffer * reader.operation->b_words);
  }
  --reader.b_outstanding;
}

void tensor_core::b_came_late(b_request& request) {
  keep_b(request);
  job& reader = *request.owner;
  if (reader.b_outstanding != 0) return;
  waits_for_b_[request.tile] = false;
  if (multiply(reader)) answer(reader);
}

/// The model's own dot-product units take no time of their own when B is there, so that a B buffer which answers late delays nothing up to
/// the cycle of the products. Returns whether they have answered.
bool tensor_core::multiply(job& started) {
  const core_operation& used = *started.operation;
  const links::matrix_work& work = *started.part->work;
  sums_ += used.sums;
  beats_ += used.beats;
  started.mma = work.mma;
  started.shape = used.shape;
  if (data_) {
    const b_request& b = started.b_requests.front();
    started.a = threadgroups_.a(work.schedule);
    started.b = buffers_ > 1 || b.words == nullptr ? started.columns.data() : b.words + used.first_b_word;
    started.c = threadgroups_.c(work.schedule);
    started.d = started.sums.data();
  }
  return dot_products.ask(started);
}

void tensor_core::give_products(job& done) {
  links::fragment_transfer& part = *done.part;
  const links::matrix_work& work = *part.work;
  if (data_) done.operation->layout->store_d(done.d, octets_, work.d.data());
  part.complete = std::max(done.complete, work.schedule.products);
  jobs_.put_back(done);
}

/// In a call of its own, as some unit has taken time of its own.
void tensor_core::answer(job& done) {
  links::fragment_transfer& part = *done.part;
  give_products(done);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay;
  fragments->nb_transport_bw(part, phase, delay);
}

void tensor_core::reset() {
  a_tiles().reset();
  accumulator_tiles().reset();
  fills_ = a_bytes_ = accumulator_bytes_ = sums_ = beats_ = 0;
}

void tensor_core::collect(fabric::statistics_sink& sink) const {
  sink.count("fills", fills_, "fills", "A and accumulator fragments that were taken");
  sink.bytes("a_bytes_filled", a_bytes_, "Bytes of A that were taken");
  sink.bytes("accumulator_bytes_filled", accumulator_bytes_, "Bytes of accumulators that were taken");
  sink.count("dot_products", sums_, "dot products", "Elements of D that were computed");
  sink.cycles("beats", beats_, "Cycles in which the dot-product units started products");
}

}  // namespace tc::subcore
