#include <algorithm>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>
#include <tc/fabric/warp_tag.hpp>
#include <tc/subcore/b_buffer.hpp>
#include <tc/subcore/tensor_core.hpp>
#include <tc/subcore/tensor_reports.hpp>

namespace tc::subcore {

namespace {

/// The columns of B from its registers: lanes 4n to 4n + 3 hold four words of column n in each.
packed_columns columns_of(const std::array<lane_vector, max_b_registers>& b, unsigned registers) {
  packed_columns columns;
  std::uint32_t* words = columns.data();
  for (unsigned n = 0; n < matrix_columns; ++n) {
    for (unsigned r = 0; r < registers; ++r) words = std::copy_n(&b[r][n * lanes_per_threadgroup], lanes_per_threadgroup, words);
  }
  return columns;
}

}  // namespace

tensor_core::tensor_core(const sc_core::sc_module_name& module_name, unsigned index, const config::tensor_core_parameters& parameters,
                         bool data, fabric::clock_domain& clock)
    : sc_module(module_name),
      data_(data),
      clock_(clock),
      threadgroups_(index * (threadgroups_per_warp / parameters.count), threadgroups_per_warp / parameters.count,
                    parameters.a_buffer.depth_tiles, parameters.accumulator_buffer.depth_tiles),
      jobs_(parameters.b_buffer.depth_tiles) {
  fill.register_nb_transport_fw(this, &tensor_core::filled);
  products_.first_lane = threadgroups_.first_lane();
  products_.lanes = threadgroups_.count() * lanes_per_threadgroup;
}

tlm::tlm_sync_enum tensor_core::filled(fragment_transfer& operands, [[maybe_unused]] tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  job& started = jobs_[operands.schedule.b_tile];
  sc_assert(phase == tlm::BEGIN_REQ && started.operation == nullptr);
  started.operation = operands.operation;
  started.schedule = operands.schedule;
  threadgroups_.reserve_tiles(operands.schedule);
  if (data_) threadgroups_.fill(operands);
  ++fills_;
  read_b(operands.schedule.b_tile, delay);
  return tlm::TLM_COMPLETED;
}

void tensor_core::read_b(unsigned b_tile, const sc_core::sc_time& delay) {
  job& started = jobs_[b_tile];
  tlm::tlm_generic_payload& payload = payloads_.get();
  fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, std::uint64_t{b_tile} * b_buffer::tile_bytes,
                         reinterpret_cast<unsigned char*>(started.b.data()), started.operation->b_registers() * b_buffer::register_bytes);
  fabric::warp_tag::of(payload).slot = b_tile;
  b_read.send(payload, delay);
}

void tensor_core::b_arrived(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  job& done = jobs_[fabric::warp_tag::of(payload).slot];
  if (!payload.is_response_ok()) {
    fabric::error(report::tensor_operand, name(), clock_.cycle(),
                  fmt::format("the B buffer refused to be read: {}", payload.get_response_string()));
  }
  payload.release();
  compute(done);
  send_products(done, delay);
  done.operation = nullptr;
}

void tensor_core::compute(const job& done) {
  dot_products_ += std::uint64_t{threadgroups_.count()} * done.operation->rows_per_threadgroup() * matrix_columns;
  beats_ += done.operation->demand().beats;
  products_.operation = done.operation;
  products_.schedule = done.schedule;
  if (data_) threadgroups_.compute(columns_of(done.b, done.operation->b_registers()), products_);
}

/// The arithmetic takes no time when B is there, so that a B buffer which answers late delays nothing up to the cycle of the products.
void tensor_core::send_products(const job& done, const sc_core::sc_time& b_delay) {
  const sc_core::sc_time b_time = sc_core::sc_time_stamp() + b_delay, due = clock_.time_of(done.schedule.products);
  if (b_time > due) {
    fabric::error(report::tensor_late, name(), clock_.cycle(),
                  fmt::format("B arrived at {}, and products with it were due at {}", b_time.to_string(), due.to_string()));
  }
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = std::max(b_time, due) - sc_core::sc_time_stamp();
  products->nb_transport_fw(products_, phase, delay);
}

void tensor_core::collect(fabric::statistics_sink& sink) const {
  sink.count("fills", fills_, "fills", "A and accumulator fragments that were taken");
  sink.count("dot_products", dot_products_, "dot products", "Elements of D that were computed");
  sink.cycles("beats", beats_, "Cycles in which the dot-product units started products");
}

}  // namespace tc::subcore
