// SPDX-License-Identifier: Apache-2.0
#include "warpgroup_feed.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tc/config/product_rate.hpp>
#include <tc/engine/engine_reports.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/links/edge_stage.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/links/matrix_shape.hpp>

namespace tc::engine {

namespace {

constexpr unsigned first_columns = 8;  // products begin when these are there
using fabric::send_cycles;

}  // namespace

warpgroup_feed::warpgroup_feed(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name),
      operands("operands"),
      shared_memory("shared_memory", [this](auto& access) { reader_.answered(access); }),
      tensor_cores("tensor_cores", parameters.sm.sub_cores,
                   {parameters.sm.warpgroup.warp_wait_cycles, parameters.sm.warpgroup.warp_turn_cycles}),
      params_(parameters),
      clock_(clock),
      clocked_id_(links::add_unit(clock, *this, links::edge_stage::operand_feed)),
      reader_({shared_memory, clock, [this]() -> links::asynchronous_observer& { return *observer.operator->(); }, *this,
               report::warpgroup_memory, parameters.data, parameters.sm.shared_memory.row_bytes()},
              [this](operand_read& read) { go_on(static_cast<job&>(read)); }),
      tile_free_(parameters.sm.warpgroup.operand_tiles) {
  operands.init(parameters.sm.sub_cores);
  request.register_nb_transport_fw(this, &warpgroup_feed::requested);
}

warpgroup_feed::~warpgroup_feed() = default;

std::unique_ptr<warpgroup_feed::job> warpgroup_feed::new_job() {
  if (free_jobs_.empty()) return std::make_unique<job>();
  std::unique_ptr<job> next = std::move(free_jobs_.back());
  free_jobs_.pop_back();
  next->parts.fill(nullptr);
  static_cast<operand_read&>(*next) = {};
  next->arrived = next->sent = 0;
  next->begun = next->differs = false;
  return next;
}

tlm::tlm_sync_enum warpgroup_feed::requested(int sub_core, links::warp_instruction& part, tlm::tlm_phase&, sc_core::sc_time& delay) {
  const warp::warp_context& warp = *part.warp;
  const group_key key{warp.cta_slot, warp.warp_in_cta / links::warps_per_warpgroup};
  group_state& group = groups_[key];
  group.key = key;
  const unsigned number = warp.warp_in_cta % links::warps_per_warpgroup;
  const auto waits = [number](const std::unique_ptr<job>& each) { return each->parts[number] == nullptr; };
  auto whole = std::find_if(group.arriving.begin(), group.arriving.end(), waits);
  if (whole == group.arriving.end()) {
    group.arriving.push_back(new_job());
    whole = group.arriving.end() - 1;
    (*whole)->group = &group;
    (*whole)->operation = isa::wgmma_of(part.code());
  }
  add(**whole, part, number, static_cast<unsigned>(sub_core));
  // A warp that is ahead of another is so in all its instructions: the first is complete first.
  if ((*whole)->arrived == links::warps_per_warpgroup || !lets_wait_) serve(group, clock_.edge_at(delay));
  return tlm::TLM_COMPLETED;
}

/// The first instruction of a warpgroup waits for nothing but its operands.
void warpgroup_feed::serve(group_state& group, cycle_t ready) {
  if (idle()) tensor_cores.give_precedence(true);
  group.arriving.front()->ready = ready;
  auto place = waiting_.end();
  const auto is_behind = [&](const job& other) { return other.ready == ready && group.key < other.group->key; };
  while (place != waiting_.begin() && is_behind(**(place - 1))) --place;
  waiting_.insert(place, std::move(group.arriving.front()));
  group.arriving.pop_front();
  const cycle_t read = earliest_read();
  clock_.wake(clocked_id_, std::max(read - send_cycles, clock_.edge_at(sc_core::SC_ZERO_TIME)));
}

void warpgroup_feed::let_go() {
  lets_wait_ = false;
  for (auto& [key, group] : groups_)
    while (!group.arriving.empty()) serve(group, clock_.cycle() + 1);
}

void warpgroup_feed::add(job& whole, links::warp_instruction& part, unsigned warp, unsigned sub_core) {
  const bool is_same = whole.arrived == 0 || whole.a_part().step.code == part.step.code;
  whole.parts[warp] = &part;
  whole.sub_cores[warp] = sub_core;
  ++whole.arrived;
  if (is_same) return;
  whole.differs = true;
  report(report::warpgroup_mismatch, whole,
         fmt::format("warp {} issues {} (line {}) instead, and all warps of a warpgroup must issue the same", part.warp->warp_in_cta,
                     part.code().text, part.step.line));
}

/// When the next instruction's first core matrix may arrive at shared memory, or its B if A is in registers.
cycle_t warpgroup_feed::earliest_read() const {
  return std::max({waiting_.front()->ready + params_.sm.warpgroup.start_cycles, feed_free_, tile_free_[next_tile_]});
}

void warpgroup_feed::evaluate(cycle_t cycle) {
  while (reading_ != nullptr || !waiting_.empty()) {
    const cycle_t arrival = reading_ != nullptr ? feed_free_ : earliest_read();
    if (arrival == links::unknown_cycle) return;
    if (arrival > cycle + send_cycles) return clock_.wake(clocked_id_, arrival - send_cycles);
    if (reading_ == nullptr) {
      reading_ = std::move(waiting_.front());
      waiting_.pop_front();
      begin(*reading_);
    }
    if (reading_->sent == reading_->cores()) return;  // the answers are not all there
    read_core(std::max(arrival, cycle + send_cycles));
  }
}

void warpgroup_feed::begin(job& next) {
  ++instructions_;
  const isa::wgmma_operation& operation = *next.operation;
  next.b.begin(layouts_.of({isa::shared_b(operation), operation.b_major}), params_.data);
  if (next.reads_a()) {
    next.a.begin(layouts_.of({isa::shared_a(operation), operation.a_major}), params_.data);
  } else {
    next.a.clear();
  }
  tile_free_[next_tile_] = links::unknown_cycle;
  const links::warp_instruction& part = next.a_part();
  next.reader = {part.warp, part.step.code, part.step.line};
  next.record = part.record;
}

void warpgroup_feed::read_core(cycle_t arrival) {
  job& reading = *reading_;
  const bool is_a = reading.sent < reading.a_cores();
  const unsigned core = is_a ? reading.sent : reading.sent - reading.a_cores();
  ++reading.sent;
  ++core_matrices_;
  ++busy_cycles_;
  feed_free_ = arrival + 1;
  reader_.read_core(reading, is_a ? reading.a : reading.b, core, arrival);
}

/// Everything asked for up to now is there.
void warpgroup_feed::go_on(job& reading) {
  const unsigned columns = reading.sent - std::min(reading.sent, reading.a_cores());
  const unsigned cores_of_first_columns = first_columns * reading.b.row_bytes() / operand_matrix::core_bytes;
  if (!reading.begun && columns >= cores_of_first_columns) schedule_products(reading);
  if (reading.sent == reading.cores()) finish(reading);
}

/// Cycles in which the four tensor cores multiply so many columns (each 16 rows of them).
cycle_t warpgroup_feed::product_cycles(const job& of, unsigned columns) const {
  const config::tensor_core_parameters& core = params_.sm.sub_core.tensor_core;
  const unsigned per_cycle =
      links::threadgroups_per_warp * core.dot_product_units * config::product_rate_of(core.unit, of.operation->mma.a).per_cycle;
  return (cycle_t{links::rows_per_warp} * columns * of.operation->mma.k + per_cycle - 1) / per_cycle;
}

/// A in registers has its own way. The next one's registers go over the operand bus when the warpgroup's last products have been formed.
void warpgroup_feed::schedule_products(job& started) {
  const config::warpgroup_parameters& warpgroup = params_.sm.warpgroup;
  group_state& group = *started.group;
  cycle_t begin = started.there;
  if (!started.reads_a()) {
    const unsigned width = params_.sm.sub_core.tensor_core.operand_bus.a_registers_per_cycle;
    const auto registers = static_cast<unsigned>(started.operation->a_registers.size());
    begin = std::max({begin, started.ready + warpgroup.register_fill_cycles, group.multiplied + (registers + width - 1) / width,
                      group.begun + warpgroup.register_interval_cycles});
  }
  started.begun = true;
  started.products_begin = tensor_cores.next(begin);
  started.products_end = started.products_begin + product_cycles(started, started.operation->mma.n);
  tensor_cores.take(started.products_begin, started.products_end);
  group.begun = started.products_begin;
  group.multiplied = started.products_end;
  tell(started, tlm::BEGIN_REQ);
}

/// The last columns cannot be multiplied before they came. Meanwhile others may have taken the tensor cores.
void warpgroup_feed::multiply_last_columns(job& done) {
  const cycle_t needed = product_cycles(done, first_columns), end = done.there + needed;
  if (end <= done.products_end) return;
  const cycle_t late = std::min(needed, end - done.products_end);
  const cycle_t begin = tensor_cores.free_from(end - late);
  done.products_end = begin + late;
  tensor_cores.take(begin, done.products_end);
}

/// All operands are there.
void warpgroup_feed::finish(job& done) {
  multiply_last_columns(done);
  done.group->multiplied = done.products_end;
  product_cycles_ += done.products_end - done.products_begin;
  tile_free_[next_tile_] = done.products_end;
  next_tile_ = (next_tile_ + 1) % tile_free_.size();
  tell(done, links::OPERANDS_READY);
  free_jobs_.push_back(std::move(reading_));
  if (idle()) tensor_cores.give_precedence(false);
  clock_.wake(clocked_id_, clock_.cycle() + 1);
}

void warpgroup_feed::tell(job& of, const tlm::tlm_phase& what) {
  const bool has_values = params_.data && what == links::OPERANDS_READY && !of.differs;
  const std::uint32_t* const a = has_values && of.reads_a() ? of.a.rows() : nullptr;
  transfer_.b = has_values ? of.b.rows() : nullptr;
  transfer_.products_begin = of.products_begin;
  transfer_.products_end = of.products_end;
  for (unsigned warp = 0; warp < links::warps_per_warpgroup; ++warp) {
    if (of.parts[warp] == nullptr) continue;
    transfer_.instruction = of.parts[warp];
    transfer_.a = a != nullptr ? a + std::size_t{warp} * links::rows_per_warp * links::warpgroup_k_words : nullptr;
    tlm::tlm_phase phase = what;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    operands[of.sub_cores[warp]]->nb_transport_fw(transfer_, phase, delay);
  }
}

void warpgroup_feed::report(const char* type, const job& of, const std::string& text) {
  const warp::warp_step& step = of.a_part().step;
  fabric::fault(type, *this, clock_.cycle(), fmt::format("line {}: {}: {}", step.line, step.code->text, text));
}

void warpgroup_feed::describe(std::vector<std::string>& lines) const {
  for (const auto& [key, group] : groups_) {
    if (group.arriving.empty()) continue;
    const job& first = *group.arriving.front();
    std::string missing;
    for (unsigned warp = 0; warp < links::warps_per_warpgroup; ++warp)
      if (first.parts[warp] == nullptr)
        missing += fmt::format("{}{}", missing.empty() ? "" : ", ", key.group * links::warps_per_warpgroup + warp);
    const auto part = std::find_if(first.parts.begin(), first.parts.end(), [](const auto* each) { return each != nullptr; });
    lines.push_back(fmt::format("{}: {} (line {}) of CTA {} waits for warps {}", name(), (*part)->code().text, (*part)->step.line,
                                (*part)->warp->cta, missing));
  }
}

void warpgroup_feed::reset() {
  groups_.clear();
  std::fill(tile_free_.begin(), tile_free_.end(), 0);
  next_tile_ = 0;
  feed_free_ = 0;
  lets_wait_ = true;
  instructions_ = core_matrices_ = busy_cycles_ = product_cycles_ = 0;
}

void warpgroup_feed::collect(fabric::statistics_sink& sink) const {
  sink.count("instructions", instructions_, "instructions", "Warpgroup matrix instructions");
  sink.count("core_matrices", core_matrices_, "wavefronts", "Core matrices, of 128 bytes, read from shared memory");
  sink.busy(busy_cycles_, "Cycles in which a core matrix was asked for");
  sink.cycles("product_cycles", product_cycles_, "Cycles in which the tensor cores multiplied");
}

}  // namespace tc::engine
