// SPDX-License-Identifier: Apache-2.0
#include "tensor_core.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/extensions.hpp>
#include <tc/fabric/local_time.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/subcore/tensor/tensor_reports.hpp>

namespace tc::subcore {

threadgroups::threadgroups(unsigned a_tiles, unsigned accumulator_tiles) : a_(a_tiles), c_(accumulator_tiles) {}

void threadgroups::fill(const links::fragment_transfer& operands, const product_layout& layout) {
  layout.load_a(operands.a.data(), operands.octets, a_[operands.schedule.a_tile].words.data());
  layout.load_c(operands.c.data(), operands.octets, c_[operands.schedule.accumulator_tile].words.data());
}

tensor_core::tensor_core(const sc_core::sc_module_name& module_name, unsigned index, const config::tensor_core_parameters& parameters,
                         bool data, fabric::clock_domain& clock)
    : sc_module(module_name),
      b_read("b_read"),
      data_(data),
      octets_(links::octets_of(index, parameters.count)),
      b_octets_(b_buffer_layout(parameters).read_by(index)),
      clock_(clock),
      operations_([parameters](const isa::mma_operation& mma) { return tensor_operation(mma, parameters); }),
      threadgroups_(parameters.a_buffer.depth_tiles, parameters.accumulator_buffer.depth_tiles),
      reads_outstanding_(parameters.b_buffer.depth_tiles) {
  dot_products.register_nb_transport_bw(this, &tensor_core::computed);
  fill.register_nb_transport_fw(this, &tensor_core::filled);
  b_read.init(b_buffer_layout(parameters).buffers_of_core(), [this](const char* socket, std::size_t) {
    return new fabric::base_protocol_initiator(socket, [this](auto& payload, const auto& delay) { b_arrived(payload, delay); });
  });
}

tensor_core::~tensor_core() = default;

void tensor_core::counters::add_fills(const tensor_operation& operation, const links::octet_range& octets, std::uint64_t times) {
  fills += times;
  const std::uint64_t register_bytes = std::uint64_t{octets.threadgroups()} * links::lanes_per_threadgroup * sizeof(std::uint32_t);
  a_bytes += times * register_bytes * operation.a_registers();
  accumulator_bytes += times * register_bytes * operation.accumulator_registers();
}

void tensor_core::counters::add_sums(const tensor_operation& operation, const links::octet_range& octets, std::uint64_t times) {
  sums += times * octets.threadgroups() * operation.layout().outputs_per_threadgroup();
  beats += times * operation.demand().beats;
}

tlm::tlm_sync_enum tensor_core::filled(links::fragment_transfer& operands, [[maybe_unused]] tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
  sc_assert(phase == tlm::BEGIN_REQ);
  if (free_jobs_.empty()) free_jobs_.push_back(jobs_.emplace_back(std::make_unique<job>()).get());
  job& started = *free_jobs_.back();
  free_jobs_.pop_back();
  started.operation = &operations_.of(*operands.mma);
  started.schedule = operands.schedule;
  started.octets = operands.octets;
  threadgroups_.reserve_tiles(operands.schedule);
  if (data_) threadgroups_.fill(operands, started.operation->layout());
  counters_.add_fills(*started.operation, operands.octets, 1);
  read_b(started, operands, delay);
  return tlm::TLM_COMPLETED;
}

void tensor_core::multiply_directly(const tensor_operation& operation, const links::fragment_transfer& operands,
                                    product_layout::registers b, warp::lane_vector* const* d) {
  const product_layout& layout = operation.layout();
  const links::octet_range all;
  links::a_words rows;
  links::b_words columns;
  links::accumulator_words addends, sums;
  layout.load_a(operands.a.data(), all, rows.data());
  layout.load_b(b, columns.data());
  layout.load_c(operands.c.data(), all, addends.data());
  links::dot_product_transfer product;
  product.mma = &layout.mma();
  product.shape = operation.shape();
  product.a = rows.data();
  product.b = columns.data();
  product.c = addends.data();
  product.d = sums.data();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  dot_products->nb_transport_fw(product, phase, delay);
  layout.store_d(sums.data(), all, d);
}

void tensor_core::read_b(job& started, const links::fragment_transfer& operands, const sc_core::sc_time& delay) {
  const auto buffers = static_cast<unsigned>(b_read.size());
  reads_outstanding_[started.schedule.b_tile] = buffers;
  started.b_time = sc_core::SC_ZERO_TIME;
  auto* data = reinterpret_cast<unsigned char*>(started.read_b.data());
  for (unsigned i = 0; i < buffers; ++i, data += operands.b_bytes) {
    tlm::tlm_generic_payload& payload = payloads_.get();
    fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, operands.b_address, data, operands.b_bytes);
    fabric::owner_tag<job>::of(payload).job = &started;
    b_read[i].send(payload, delay);
  }
}

void tensor_core::b_arrived(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  job& done = *fabric::owner_tag<job>::of(payload).job;
  if (!payload.is_response_ok()) {
    fabric::fault(report::tensor_operand, *this, clock_.cycle(),
                  fmt::format("the B buffer refused to be read: {}", payload.get_response_string()));
  }
  payload.release();
  done.b_time = std::max(done.b_time, fabric::local_time::now() + delay);
  if (--reads_outstanding_[done.schedule.b_tile] == 0) compute(done);
}

/// The model's own dot-product units take no time of their own when B is there, so that a B buffer which answers late delays nothing up to
/// the cycle of the products.
void tensor_core::compute(job& started) {
  const product_layout& layout = started.operation->layout();
  counters_.add_sums(*started.operation, started.octets, 1);

  links::b_words columns;
  started.mma = &layout.mma();
  started.shape = layout.shape_of(started.octets);
  if (data_) {
    layout.unpack_b(started.read_b.data(), b_octets_, started.octets, columns.data());
    started.a = threadgroups_.a(started.schedule);
    started.b = columns.data();
    started.c = threadgroups_.c(started.schedule);
    started.d = started.sums.data();
  }
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = started.b_time - fabric::local_time::now();
  started.is_computing = true;
  if (dot_products->nb_transport_fw(started, phase, delay) != tlm::TLM_ACCEPTED) answered(started, tlm::BEGIN_RESP, delay);
}

/// Units that take time of their own have done a job.
tlm::tlm_sync_enum tensor_core::computed(links::dot_product_transfer& sums, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  answered(static_cast<job&>(sums), phase, delay);
  return tlm::TLM_COMPLETED;
}

void tensor_core::answered(job& done, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_RESP || !std::exchange(done.is_computing, false))
    return fabric::fault(report::tensor_answer, *this, clock_.cycle(),
                         fmt::format("dot-product units answer one request with one BEGIN_RESP, and this is {} {}",
                                     done.is_computing ? "its first answer," : "another answer,", phase.get_name()));
  send_products(done, delay);
}

/// `delay`: until D is complete.
void tensor_core::send_products(job& done, const sc_core::sc_time& delay) {
  if (data_) {
    std::array<warp::lane_vector*, links::max_accumulator_registers> registers{};
    for (std::size_t r = 0; r < registers.size(); ++r) registers[r] = &products_.d[r];
    done.operation->layout().store_d(done.d, done.octets, registers.data());
  }
  products_.mma = &done.operation->mma();
  products_.schedule = done.schedule;
  products_.octets = done.octets;
  const sc_core::sc_time now = fabric::local_time::now();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time until_products = std::max(now + delay, clock_.time_of(done.schedule.products)) - now;
  products->nb_transport_fw(products_, phase, until_products);
  free_jobs_.push_back(&done);
}

void tensor_core::reset() { counters_ = {}; }

void tensor_core::collect(fabric::statistics_sink& sink) const {
  counters all = counters_;
  const auto add = [&](const counted_operation& done) {
    all.add_fills(done.operation, octets_, done.instructions);
    all.add_sums(done.operation, octets_, done.instructions);
  };
  if (done_ != nullptr) done_->for_each(add);
  sink.count("fills", all.fills, "fills", "A and accumulator fragments that were taken");
  sink.bytes("a_bytes_filled", all.a_bytes, "Bytes of A that were taken");
  sink.bytes("accumulator_bytes_filled", all.accumulator_bytes, "Bytes of accumulators that were taken");
  sink.count("dot_products", all.sums, "dot products", "Elements of D that were computed");
  sink.cycles("beats", all.beats, "Cycles in which the dot-product units started products");
}

}  // namespace tc::subcore
