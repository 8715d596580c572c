#include <algorithm>

#include <fmt/format.h>

#include <tc/fabric/owner_tag.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/subcore/b_buffer.hpp>
#include <tc/subcore/octet_step.hpp>
#include <tc/subcore/tensor_core.hpp>
#include <tc/subcore/tensor_reports.hpp>

namespace tc::subcore {

namespace {

/// All columns of B from its registers: lanes 4n to 4n + 3 hold four words of column n in each, or the low or high words of four f64.
packed_columns all_columns(const std::array<lane_vector, max_b_registers>& b, unsigned registers, unsigned element_words) {
  packed_columns columns;
  std::uint32_t* words = columns.data();
  for (unsigned n = 0; n < matrix_columns; ++n) {
    for (unsigned r = 0; r < registers; r += element_words) {
      for (unsigned t = 0; t < lanes_per_threadgroup; ++t) {
        for (unsigned word = 0; word < element_words; ++word) *words++ = b[r + word][n * lanes_per_threadgroup + t];
      }
    }
  }
  return columns;
}

}  // namespace

tensor_core::tensor_core(const sc_core::sc_module_name& module_name, unsigned index, const config::tensor_core_parameters& parameters,
                         bool data, fabric::clock_domain& clock)
    : sc_module(module_name),
      b_read("b_read"),
      data_(data),
      b_tile_bytes_(b_buffer_params(parameters).tile_bytes()),
      b_first_octet_(parameters.b_buffer.shared ? octets_of(index, parameters.count).first : 0),
      clock_(clock),
      threadgroups_(octets_of(index, parameters.count), parameters.a_buffer.depth_tiles, parameters.accumulator_buffer.depth_tiles),
      jobs_(parameters.b_buffer.depth_tiles) {
  fill.register_nb_transport_fw(this, &tensor_core::filled);
  b_read.init(parameters.b_buffer.per_octet ? threadgroups_.octets().count : 1, [this](const char* socket, std::size_t) {
    return new fabric::base_protocol_initiator(socket, [this](auto& payload, const auto& delay) { b_arrived(payload, delay); });
  });
  products_.octets = threadgroups_.octets();
}

tlm::tlm_sync_enum tensor_core::filled(fragment_transfer& operands, [[maybe_unused]] tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  job& started = jobs_[operands.schedule.b_tile];
  sc_assert(phase == tlm::BEGIN_REQ && started.operation == nullptr);
  started.operation = operands.operation;
  started.schedule = operands.schedule;
  threadgroups_.reserve_tiles(operands.schedule);
  if (data_) threadgroups_.fill(operands);
  ++fills_;
  read_b(started, delay);
  return tlm::TLM_COMPLETED;
}

void tensor_core::read_b(job& started, const sc_core::sc_time& delay) {
  const auto buffers = static_cast<unsigned>(b_read.size());
  const unsigned bytes = started.operation->b_bytes();
  started.reads_outstanding = buffers;
  started.b_time = sc_core::SC_ZERO_TIME;
  auto* const data = reinterpret_cast<unsigned char*>(started.b.data());
  for (unsigned i = 0; i < buffers; ++i) {
    tlm::tlm_generic_payload& payload = payloads_.get();
    fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, std::uint64_t{started.schedule.b_tile} * b_tile_bytes_, data + i * bytes, bytes);
    fabric::owner_tag<job>::of(payload).job = &started;
    b_read[i].send(payload, delay);
  }
}

void tensor_core::b_arrived(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  job& done = *fabric::owner_tag<job>::of(payload).job;
  if (!payload.is_response_ok()) {
    fabric::error(report::tensor_operand, name(), clock_.cycle(),
                  fmt::format("the B buffer refused to be read: {}", payload.get_response_string()));
  }
  payload.release();
  done.b_time = std::max(done.b_time, sc_core::sc_time_stamp() + delay);
  if (--done.reads_outstanding != 0) return;
  compute(done);
  send_products(done);
  done.operation = nullptr;
}

void tensor_core::compute(const job& done) {
  const tensor_operation& operation = *done.operation;
  dot_products_ += std::uint64_t{threadgroups_.count()} * operation.rows_per_threadgroup() * operation.columns_per_threadgroup();
  beats_ += done.operation->demand().beats;
  products_.operation = done.operation;
  products_.schedule = done.schedule;
  if (data_) threadgroups_.compute(columns_of(done), products_);
}

packed_columns tensor_core::columns_of(const job& done) const {
  if (!done.operation->is_octet_step()) return all_columns(done.b, done.operation->b_registers(), done.operation->element_words());
  packed_columns columns;
  columns_of_step_tiles(*done.operation, done.b[0].data() + b_first_octet_ * step_tile_words, threadgroups_.octets().count, columns.data());
  return columns;
}

/// The arithmetic takes no time when B is there, so that a B buffer which answers late delays nothing up to the cycle of the products.
void tensor_core::send_products(const job& done) {
  const sc_core::sc_time due = clock_.time_of(done.schedule.products);
  if (done.b_time > due) {
    fabric::error(report::tensor_late, name(), clock_.cycle(),
                  fmt::format("B arrived at {}, and products with it were due at {}", done.b_time.to_string(), due.to_string()));
  }
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = std::max(done.b_time, due) - sc_core::sc_time_stamp();
  products->nb_transport_fw(products_, phase, delay);
}

void tensor_core::collect(fabric::statistics_sink& sink) const {
  sink.count("fills", fills_, "fills", "A and accumulator fragments that were taken");
  sink.count("dot_products", dot_products_, "dot products", "Elements of D that were computed");
  sink.cycles("beats", beats_, "Cycles in which the dot-product units started products");
}

}  // namespace tc::subcore
