// SPDX-License-Identifier: Apache-2.0
#include "tensor_core.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>
#include <tc/links/arrival_cycle.hpp>
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
      reads_outstanding_(parameters.b_buffer.depth_tiles),
      operations_([this, parameters](const isa::mma_operation& mma) {
        return core_operation(tensor_operation(mma, parameters), octets_, b_octets_, buffers_);
      }),
      clock_(clock) {
  fill.register_nb_transport_fw(this, &tensor_core::filled);
  dot_products.register_nb_transport_bw(this, &tensor_core::computed);
  for (auto& port : b_read) port.register_nb_transport_bw(this, &tensor_core::b_answered);
}

tensor_core::~tensor_core() = default;

void tensor_core::end_of_elaboration() {
  for (unsigned i = 0; i < buffers_; ++i) b_buffers_[i] = b_read[i].operator->();
  units_ = dot_products.operator->();
  result_assembly_ = products.operator->();
}

tlm::tlm_sync_enum tensor_core::filled(links::fragment_transfer& fragments, [[maybe_unused]] tlm::tlm_phase& phase, sc_core::sc_time&) {
  sc_assert(phase == tlm::BEGIN_REQ);
  read_b(start(fragments));
  return tlm::TLM_COMPLETED;
}

tensor_core::job& tensor_core::start(links::fragment_transfer& fragments) {
  job& started = jobs_.take();
  const links::matrix_work& work = *fragments.work;
  const core_operation& used = operations_.of(*work.mma);
  started.operation = &used;
  started.fragments = &fragments;
  started.arrival = fragments.arrival;
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

void tensor_core::read_b(job& started) {
  const links::matrix_work& work = *started.fragments->work;
  reads_outstanding_[work.schedule.b_tile] = buffers_;
  for (unsigned i = 0; i < buffers_; ++i) {
    b_request& request = started.b_requests[i];
    request.is_asked = true;
    request.tile = work.schedule.b_tile;
    request.registers = work.b_registers;
    request.words = nullptr;
    request.arrival = request.complete = started.fragments->arrival;
    request.refusal = nullptr;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (b_buffers_[i]->nb_transport_fw(request, phase, delay) != tlm::TLM_ACCEPTED) b_arrived(request);
  }
}

/// A buffer that takes time of its own has answered.
tlm::tlm_sync_enum tensor_core::b_answered(links::b_tile_transfer& tile, tlm::tlm_phase&, sc_core::sc_time&) {
  tile.complete = std::max(tile.complete, links::next_cycle(clock_));
  b_arrived(static_cast<b_request&>(tile));
  return tlm::TLM_COMPLETED;
}

void tensor_core::b_arrived(b_request& request) {
  if (!std::exchange(request.is_asked, false))
    return fabric::fault(report::tensor_answer, *this, clock_.cycle(), "a B buffer answers a read once, and this is another answer");
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
  if (--reads_outstanding_[request.tile] == 0) compute(reader);
}

/// The model's own dot-product units take no time of their own when B is there, so that a B buffer which answers late delays nothing up to
/// the cycle of the products.
void tensor_core::compute(job& started) {
  const core_operation& used = *started.operation;
  const links::matrix_work& work = *started.fragments->work;
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
  started.complete = started.arrival;
  started.is_computing = true;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  if (units_->nb_transport_fw(started, phase, delay) != tlm::TLM_ACCEPTED) answered(started, tlm::BEGIN_RESP);
}

/// Units that take time of their own have done a job.
tlm::tlm_sync_enum tensor_core::computed(links::dot_product_transfer& sums, tlm::tlm_phase& phase, sc_core::sc_time&) {
  sums.complete = std::max(sums.complete, links::next_cycle(clock_));
  answered(static_cast<job&>(sums), phase);
  return tlm::TLM_COMPLETED;
}

void tensor_core::answered(job& done, const tlm::tlm_phase& phase) {
  if (phase != tlm::BEGIN_RESP || !std::exchange(done.is_computing, false))
    return fabric::fault(report::tensor_answer, *this, clock_.cycle(),
                         fmt::format("dot-product units answer one request with one BEGIN_RESP, and this is {} {}",
                                     done.is_computing ? "its first answer," : "another answer,", phase.get_name()));
  send_products(done);
}

void tensor_core::send_products(job& done) {
  links::fragment_transfer& fragments = *done.fragments;
  const links::matrix_work& work = *fragments.work;
  if (data_) done.operation->layout->store_d(done.d, octets_, work.d.data());
  fragments.complete = std::max(done.complete, work.schedule.products);
  jobs_.give_back(done);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  result_assembly_->nb_transport_fw(fragments, phase, delay);
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
