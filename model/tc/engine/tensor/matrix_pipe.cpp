// SPDX-License-Identifier: Apache-2.0
#include "matrix_pipe.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

#include <tc/engine/tensor/tensor_reports.hpp>
#include <tc/links/edge_stage.hpp>

namespace tc::engine {

namespace {

constexpr unsigned columns_to_begin_with = 8;  // products begin when these are there
using fabric::send_cycles;

constexpr unsigned end_of(isa::column_range columns) { return columns.first + columns.count; }

/// Cells of D that lie in several parts of tensor memory are multiplied with columns of B from all over the matrix.
bool splits_columns(const tensor_mma_plan& plan) { return plan.columns(tensor_operand::d).count < plan.n(); }

/// In one SM. Elements of a sparse A that are not stored are not multiplied.
std::uint64_t multiply_accumulates_of(const tensor_mma_plan& plan) {
  const unsigned stored_k = plan.descriptor().sparse ? plan.k() / 2 : plan.k();
  return std::uint64_t{plan.m() / plan.ctas()} * plan.n() * stored_k;
}

}  // namespace

matrix_pipe::matrix_pipe(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock, peer_port& peer,
                         callbacks tell)
    : sc_module(module_name),
      shared_memory("shared_memory", [this](auto& access) { reader_.answered(access); }),
      accumulators("accumulators", [this](auto& payload, const auto& delay) { accumulator_mover_.answered(payload, delay); }),
      operands("operands", [this](auto& payload, const auto& delay) { operand_mover_.answered(payload, delay); }),
      tensor_cores("tensor_cores", parameters.sub_cores),
      params_(parameters),
      clock_(clock),
      clocked_id_(links::add_unit(clock, *this, links::edge_stage::tensor_products)),
      peer_(peer),
      tell_(std::move(tell)),
      matrices_(parameters.data),
      reader_({shared_memory, clock, [this]() -> links::asynchronous_observer& { return *observer.operator->(); }, *this,
               report::tensor_memory, parameters.data, parameters.shared_row_bytes},
              [this](operand_read& read) { operands_there(static_cast<matrix_job&>(read)); }),
      accumulator_mover_(
          {accumulators, clock, observer, *this},
          [this](tensor_job& job, bool read, cycle_t valid) { moved_accumulators(static_cast<matrix_job&>(job), read, valid); }),
      operand_mover_({operands, clock, observer, *this},
                     [this](tensor_job& job, bool, cycle_t valid) { took_cells(static_cast<matrix_job&>(job), valid); }) {}

matrix_pipe::~matrix_pipe() = default;

cycle_t matrix_pipe::product_cycles(const matrix_job& job) const {
  return (job.columns().count + columns_per_cycle() - 1) / columns_per_cycle();
}

/// When so many columns would have been read if the wave never waited.
cycle_t matrix_pipe::planned(const matrix_job& job, unsigned columns) const {
  return job.products_begin + job.stages + (columns + columns_per_cycle() - 1) / columns_per_cycle();
}

cycle_t matrix_pipe::read_cycle(const matrix_job& job, unsigned column) const {
  if (column >= job.summed) return planned(job, column) + job.late;
  const accumulator_stripe& stripe = job.stripes[column / matrix_job::stripe_columns];
  return stripe.read_at + column % matrix_job::stripe_columns * stripe.cycles / stripe.columns().count;
}

/// When the wave comes to the next stripe at the earliest: not before those of earlier instructions have left its columns, so that sums are
/// written in the order of the instructions.
cycle_t matrix_pipe::next_read(const matrix_job& job) const {
  cycle_t due = read_cycle(job, job.summed);
  const unsigned begin = job.columns().first + job.summed, end = std::min(begin + matrix_job::stripe_columns, end_of(job.columns()));
  for (const matrix_job* const earlier : jobs_) {
    if (earlier == &job) break;
    const unsigned first = earlier->columns().first;
    for (unsigned column = std::max(begin, first); column < std::min(end, first + earlier->summed);) {
      const accumulator_stripe& stripe = earlier->stripes[(column - first) / matrix_job::stripe_columns];
      due = std::max(due, stripe.read_at + stripe.cycles);
      column = end_of(stripe.columns());
    }
  }
  return due;
}

cycle_t matrix_pipe::write_cycle(const matrix_job& job, unsigned column) const {
  return read_cycle(job, column) + params_.engine.accumulator_write_stages;
}

bool matrix_pipe::has_room(cycle_t cycle) const {
  const auto holds_tile = [&](const matrix_job* job) { return job->products_begin == links::unknown_cycle || products_end(*job) > cycle; };
  return std::count_if(jobs_.begin(), jobs_.end(), holds_tile) < params_.engine.operand_tiles;
}

void matrix_pipe::start(matrix_job& next) {
  ++instructions_;
  next.begins_batch = jobs_.empty();
  take_operands(next);
  if (reader_.check_window(next, next.b->layout().footprint(), report::tensor_window) && next.a != nullptr)
    reader_.check_window(next, next.a->layout().footprint(), report::tensor_window);
  const unsigned columns = next.columns().count;
  if (!free_stripes_.empty()) {
    next.stripes = std::move(free_stripes_.back());
    free_stripes_.pop_back();
  }
  next.stripes.resize((columns + matrix_job::stripe_columns - 1) / matrix_job::stripe_columns);
  set_enables(next);
  next.stages = params_.engine.accumulator_read_stages;
  if (next.partner != nullptr) set_pair_times(next);
  jobs_.push_back(&next);
  wake_outside_of_an_edge();
}

/// Takes what a collector buffer holds of A or, if the weights are stationary, of B. The rest is to be read.
void matrix_pipe::take_operands(matrix_job& job) {
  const auto& operation = std::get<isa::tensor_mma_operation>(std::get<isa::tcgen05_operation>(*job.reader.code->asynchronous));
  const warp::warp_context& warp = *job.reader.warp;
  const auto pass = [&](collector_buffer& buffer, std::uint64_t descriptor, const shared_operand& matrix, isa::collector_use use) {
    return buffer.pass({warp.kernel, warp.cta, descriptor, matrix}, use, matrices_);
  };
  collector_buffer none;
  const bool stationary = operation.form.weight_stationary;
  const isa::collector_use use_of_a = stationary ? isa::collector_use::discard : operation.use;
  const isa::collector_use use_of_b = stationary ? operation.use : isa::collector_use::discard;
  const auto b = pass(stationary ? b_buffers_.at(operation.collector) : none, operation.b_descriptor, job.plan->shared_b(), use_of_b);
  job.b = b.matrix;
  job.holds_b = b.held;
  if (job.plan->shared_a()) {
    const auto a = pass(stationary ? none : a_buffer_, operation.a_descriptor, *job.plan->shared_a(), use_of_a);
    job.a = a.matrix;
    job.holds_a = a.held;
  } else if (!stationary) {
    a_buffer_.drop();
  }
  if (job.holds_a || job.holds_b) ++collected_;
  if (job.cores() == 0) job.operands_there = job.first_read;
}

/// The SMs of a pair exchange their halves of B.
void matrix_pipe::set_pair_times(matrix_job& job) const {
  const config::tensor_pair_parameters& pair = params_.engine.pair;
  job.stages += pair.start_cycles;
  if (splits_columns(*job.plan)) job.stages += pair.split_cycles;
  if (job.plan->shared_a()) job.exchange_cycles = pair.exchange_cycles * job.a->place().rows() / isa::tensor_lanes;
}

/// Which bytes of a column of D are written in each chunk.
void matrix_pipe::set_enables(matrix_job& job) {
  job.writes_chunk.fill(false);
  job.writes_all.fill(false);
  for (const isa::tensor_cells& cells : job.plan->cells(tensor_operand::d, job.cta)) {
    for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) {
      const std::uint32_t lanes = cells.lanes[chunk];
      job.writes_chunk[chunk] = lanes != 0;
      job.writes_all[chunk] = lanes == ~0U;
      for (unsigned byte = 0; byte < job.enables[chunk].size(); ++byte)
        job.enables[chunk][byte] = (lanes >> byte / sizeof(std::uint32_t) & 1) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    }
  }
}

void matrix_pipe::look_again() { wake_outside_of_an_edge(); }

/// In the pipe's own edge, its end looks at everything anyway.
void matrix_pipe::wake_outside_of_an_edge() {
  if (!in_edge_) clock_.wake(clocked_id_, clock_.edge_at(sc_core::SC_ZERO_TIME));
}

void matrix_pipe::evaluate(cycle_t cycle) {
  in_edge_ = true;
  feed(cycle);
  schedule(cycle);
  for (matrix_job* const job : jobs_) {
    if (job->products_begin == links::unknown_cycle) break;
    if (!job->takes_cells && job->products_begin <= cycle + send_cycles) take_cells(*job, cycle + send_cycles);
    sum_columns(*job, cycle);
    if (job->written < job->summed && write_cycle(*job, job->summed - 1) <= cycle + send_cycles)
      write_columns(*job, job->summed, cycle + send_cycles);
  }
  finish_written();
  in_edge_ = false;
  plan_wake_up(cycle);
}

/// Asks for the core matrices that arrive in the next cycle: one.
void matrix_pipe::feed(cycle_t cycle) {
  const auto next = std::find_if(jobs_.begin(), jobs_.end(), [](const matrix_job* job) { return job->sent < job->cores(); });
  if (next == jobs_.end()) return;
  matrix_job& job = **next;
  if (std::max(job.first_read, feed_free_) > cycle + send_cycles) return;
  const bool is_a = job.sent < job.a_cores();
  const unsigned core = is_a ? job.sent : job.sent - job.a_cores();
  ++job.sent;
  ++core_matrices_;
  if (is_a) ++a_core_matrices_;
  feed_free_ = cycle + send_cycles + 1;
  if (job.sent == job.cores()) feed_free_ += job.exchange_cycles + (job.begins_batch ? params_.engine.restart_cycles : 0);
  reader_.read_core(job, is_a ? *job.a : *job.b, core, cycle + send_cycles);
}

/// Everything that was asked for up to now is there.
void matrix_pipe::operands_there(matrix_job& job) {
  job.there_cores = job.sent;
  const unsigned needed = std::min(job.cores(), job.a_cores() + columns_to_begin_with * job.b->row_bytes() / operand_matrix::core_bytes);
  if (job.operands_there == links::unknown_cycle && job.sent >= needed) job.operands_there = job.there;
  if (job.partner != nullptr) peer_->partner_changed();
  wake_outside_of_an_edge();
}

/// Begins the products of the next instruction, if they begin in the next cycle. Those of a pair begin in both SMs at once, when the one
/// that leads says so.
void matrix_pipe::schedule(cycle_t cycle) {
  matrix_job* const job = next_to_begin();
  if (job == nullptr || !may_begin(*job)) return;
  if (earliest_without_others(*job) <= cycle + send_cycles && earliest_begin(*job) > cycle + send_cycles) tensor_cores.ask_for_turn();
  if (job->follows()) return peer_->partner_changed();
  if (earliest_begin_of(*job) > cycle + send_cycles) return;
  begin_products(*job, cycle + send_cycles);
  if (job->partner != nullptr) peer_->begin_products(static_cast<matrix_job&>(*job->partner), cycle + send_cycles);
}

matrix_job* matrix_pipe::next_to_begin() const {
  const auto next = std::find_if(jobs_.begin(), jobs_.end(), [](const auto* job) { return job->products_begin == links::unknown_cycle; });
  return next == jobs_.end() ? nullptr : *next;
}

bool matrix_pipe::may_begin(const matrix_job& job) { return job.operands_there != links::unknown_cycle && job.may_touch_memory(); }

/// If no warp multiplied in the tensor cores.
cycle_t matrix_pipe::earliest_without_others(const matrix_job& job) const {
  return std::max({job.operands_there, job.not_before, products_free_, next_begin_});
}

cycle_t matrix_pipe::earliest_begin(const matrix_job& job) const { return tensor_cores.free_from(earliest_without_others(job)); }

cycle_t matrix_pipe::earliest_begin_of(const matrix_job& job) const {
  if (next_to_begin() != &job || !may_begin(job)) return links::unknown_cycle;
  const cycle_t here = earliest_begin(job);
  return job.partner == nullptr || job.follows() ? here : std::max(here, peer_->earliest_begin(job.other()));
}

void matrix_pipe::begin_products(matrix_job& job, cycle_t cycle) {
  job.products_begin = cycle;
  next_begin_ = cycle + params_.engine.interval_cycles;
  products_free_ = cycle + product_cycles(job) + (job.begins_batch ? params_.engine.restart_cycles : 0);
  tensor_cores.take(cycle, cycle + product_cycles(job));
  product_cycles_ += product_cycles(job);
  multiply_accumulates_.add(job.plan->descriptor().a, multiply_accumulates_of(*job.plan));
  tell_.has_room(products_end(job));
  wake_outside_of_an_edge();
}

/// Reads what the instruction has in tensor memory besides D.
void matrix_pipe::take_cells(matrix_job& job, cycle_t arrival) {
  job.takes_cells = true;
  job.cells_there = arrival;
  ++job.taking;
  for (const auto& [which, block] : {std::pair{tensor_operand::a, &job.a_cells}, std::pair{tensor_operand::metadata, &job.metadata},
                                     std::pair{tensor_operand::scale_a, &job.scale_a}, std::pair{tensor_operand::scale_b, &job.scale_b}}) {
    const isa::column_range columns = job.plan->columns(which);
    if (columns.count == 0) continue;
    block->reset(columns);
    job.taking += isa::tensor_chunks;
    operand_mover_.read(job, *block, arrival);
  }
  took_cells(job, arrival);
}

void matrix_pipe::took_cells(matrix_job& job, cycle_t valid) {
  job.cells_there = std::max(job.cells_there, valid);
  if (--job.taking == 0) tell_.took_cells(job, job.cells_there);
}

/// Reads the next stripe of D when its columns come to the end of the stages, unless something is missing.
void matrix_pipe::sum_columns(matrix_job& job, cycle_t cycle) {
  while (job.reading == 0 && job.summed < job.columns().count) {
    const cycle_t due = next_read(job), arrival = cycle + send_cycles;
    if (due > arrival || !may_sum(job)) return;
    lag(job, arrival, planned(job, job.summed));
    read_stripe(job, arrival);
  }
}

/// The wave is at a place later than planned, and holds up what comes behind it.
void matrix_pipe::lag(matrix_job& job, cycle_t cycle, cycle_t planned) {
  if (cycle <= planned + job.late) return;
  late_cycles_ += cycle - planned - job.late;
  job.late = cycle - planned;
  products_free_ = std::max(products_free_, products_end(job) + (job.begins_batch ? params_.engine.restart_cycles : 0));
  if (const cycle_t free = tensor_cores.free_from(0); free < products_end(job)) tensor_cores.take(free, products_end(job));
  tell_.has_room(products_end(job));
}

/// Whether the columns of B that the next stripe needs are there, the operands in tensor memory, and the sums of earlier instructions.
bool matrix_pipe::may_sum(const matrix_job& job) const {
  if (job.taking != 0) return false;
  const unsigned end = std::min(job.summed + matrix_job::stripe_columns, job.columns().count);
  const unsigned columns = splits_columns(*job.plan) ? job.b->place().rows() : job.plan->first_column() + end;
  const unsigned needed = job.a_cores() + job.b->layout().cores_of_first(columns);
  const auto is_there = [needed](const matrix_job& part) { return part.there_cores == part.cores() || part.there_cores >= needed; };
  if (!is_there(job) || (job.partner != nullptr && job.other().there_cores != job.other().cores())) return false;
  const isa::column_range stripe{job.columns().first + job.summed, end - job.summed};
  for (const matrix_job* const earlier : jobs_) {
    if (earlier == &job) break;
    if (job.shares_operand(*earlier) && earlier->there_cores != earlier->cores()) return false;
    const isa::column_range left{earlier->columns().first + earlier->summed, earlier->columns().count - earlier->summed};
    if (overlap(left, stripe)) return false;
  }
  return true;
}

void matrix_pipe::read_stripe(matrix_job& job, cycle_t arrival) {
  accumulator_stripe& stripe = job.stripes[job.summed / matrix_job::stripe_columns];
  stripe.reset({job.columns().first + job.summed, std::min(matrix_job::stripe_columns, job.columns().count - job.summed)});
  stripe.read_at = arrival;
  stripe.cycles = (stripe.columns().count + columns_per_cycle() - 1) / columns_per_cycle();
  job.reading = 1;  // for this function
  if (job.plan->reads_d()) {
    for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) {
      if (!job.writes_chunk[chunk]) continue;
      ++job.reading;
      accumulator_mover_.read_chunk(job, stripe, chunk, job.writes_all[chunk] ? nullptr : job.enables[chunk].data(), arrival);
    }
  }
  moved_accumulators(job, true, arrival);
}

void matrix_pipe::moved_accumulators(matrix_job& job, bool read, cycle_t valid) {
  if (read) {
    accumulator_stripe& stripe = job.stripes[job.summed / matrix_job::stripe_columns];
    stripe.cycles = std::max(stripe.cycles, valid - stripe.read_at);
    lag(job, valid, planned(job, job.summed + stripe.columns().count));
    if (--job.reading == 0) sum(job);
  } else {
    --job.writing;
    job.written_at = std::max(job.written_at, valid);
    lag(job, valid, planned(job, job.writes_end) + params_.engine.accumulator_write_stages);
  }
  wake_outside_of_an_edge();
}

void matrix_pipe::sum(matrix_job& job) {
  cell_block& stripe = job.stripes[job.summed / matrix_job::stripe_columns];
  if (params_.data && !job.failed) {
    if (job.plan->reads_d()) take_unwritten(job, stripe);
    multiply(job, stripe);
  }
  job.summed += stripe.columns().count;
}

/// Sums of earlier instructions that are on their way to tensor memory are addends too.
void matrix_pipe::take_unwritten(const matrix_job& job, cell_block& stripe) const {
  for (const matrix_job* const earlier : jobs_) {
    if (earlier == &job) return;
    const unsigned first = earlier->columns().first;
    for (unsigned column = stripe.columns().first; column < stripe.columns().first + stripe.columns().count; ++column) {
      if (column < first + earlier->written || column >= first + earlier->summed) continue;
      const cell_block& sums = earlier->stripes[(column - first) / matrix_job::stripe_columns];
      for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane)
        if (earlier->enables[lane / isa::chunk_lanes][lane % isa::chunk_lanes * sizeof(std::uint32_t)] == TLM_BYTE_ENABLED)
          stripe.cell({lane, column}) = sums.cell({lane, column});
    }
  }
}

void matrix_pipe::multiply(matrix_job& job, cell_block& stripe) {
  const auto present = [&job](tensor_operand which, const cell_block& block) {
    return job.plan->columns(which).count == 0 ? nullptr : &block;
  };
  tensor_product_transfer transfer;
  transfer.plan = &*job.plan;
  transfer.cta = job.cta;
  transfer.inputs.a = job.a != nullptr ? job.a->rows() : nullptr;
  transfer.inputs.b[job.cta] = job.b->rows(job.there_cores_of_b());
  if (job.partner != nullptr) transfer.inputs.b[job.other().cta] = static_cast<matrix_job*>(job.partner)->b->rows();
  transfer.inputs.a_cells = present(tensor_operand::a, job.a_cells);
  transfer.inputs.metadata = present(tensor_operand::metadata, job.metadata);
  transfer.inputs.scale_a = present(tensor_operand::scale_a, job.scale_a);
  transfer.inputs.scale_b = present(tensor_operand::scale_b, job.scale_b);
  transfer.d = &stripe;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  try {
    products->nb_transport_fw(transfer, phase, delay);
  } catch (const std::invalid_argument& mistake) {
    job.failed = true;
    report_tensor_error(report::tensor_instruction, *this, clock_.cycle(), job.reader, mistake.what());
  }
}

unsigned matrix_pipe::columns_due(const matrix_job& job, cycle_t cycle) const {
  unsigned due = job.written;
  while (due < job.summed && write_cycle(job, due) <= cycle) due = std::min(due + columns_per_cycle(), job.summed);
  return due;
}

void matrix_pipe::write_due(cycle_t cycle) {
  for (matrix_job* const job : jobs_) {
    const unsigned due = columns_due(*job, cycle);
    if (due > job->written) write_columns(*job, due, std::max(cycle, clock_.edge_at(sc_core::SC_ZERO_TIME)));
  }
}

/// Writes columns up to `end`, of each stripe and chunk with one transaction.
void matrix_pipe::write_columns(matrix_job& job, unsigned end, cycle_t arrival) {
  job.writes_end = end;
  while (job.written < end) {
    cell_block& stripe = job.stripes[job.written / matrix_job::stripe_columns];
    const unsigned offset = job.written % matrix_job::stripe_columns;
    const unsigned count = std::min(end - job.written, stripe.columns().count - offset);
    for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) {
      if (!job.writes_chunk[chunk]) continue;
      cell_mover::columns_to_write what;
      what.chunk = chunk;
      what.columns = {stripe.columns().first + offset, count};
      what.cells = stripe.chunk(chunk) + std::size_t{offset} * isa::chunk_lanes;
      what.byte_enables = job.writes_all[chunk] ? nullptr : job.enables[chunk].data();
      what.wave_begin = write_cycle(job, job.written);
      ++job.writing;
      accumulator_mover_.write(job, what, arrival);
    }
    job.written += count;
    job.written_at = std::max(job.written_at, arrival);
  }
}

void matrix_pipe::finish_written() {
  while (!jobs_.empty()) {
    matrix_job& first = *jobs_.front();
    if (first.products_begin == links::unknown_cycle || first.written < first.columns().count || first.writing != 0) return;
    if (first.sent < first.cores() || first.outstanding != 0) return;
    jobs_.pop_front();
    free_stripes_.push_back(std::move(first.stripes));
    tell_.done(first, first.written_at);
  }
}

void matrix_pipe::plan_wake_up(cycle_t cycle) {
  const auto wake_for = [&](cycle_t arrival) { clock_.wake(clocked_id_, std::max(arrival - send_cycles, cycle + 1)); };
  const auto unsent = std::find_if(jobs_.begin(), jobs_.end(), [](const matrix_job* job) { return job->sent < job->cores(); });
  if (unsent != jobs_.end()) wake_for(std::max((*unsent)->first_read, feed_free_));
  for (const matrix_job* const job : jobs_) {
    if (job->products_begin == links::unknown_cycle) {
      const cycle_t begin = job->follows() ? links::unknown_cycle : earliest_begin_of(*job);
      if (begin != links::unknown_cycle) wake_for(begin);
      return;
    }
    if (job->reading == 0 && job->summed < job->columns().count && may_sum(*job)) wake_for(next_read(*job));
    if (job->written < job->summed) wake_for(write_cycle(*job, job->summed - 1));
  }
}

void matrix_pipe::reset() {
  a_buffer_.drop();
  for (collector_buffer& each : b_buffers_) each.drop();
  feed_free_ = products_free_ = next_begin_ = 0;
  multiply_accumulates_ = {};
  accumulator_mover_.reset();
  operand_mover_.reset();
  instructions_ = core_matrices_ = a_core_matrices_ = collected_ = product_cycles_ = late_cycles_ = 0;
}

void matrix_pipe::collect(fabric::statistics_sink& sink) const {
  sink.count("instructions", instructions_, "instructions", "Matrix instructions (tcgen05.mma)");
  sink.count("core_matrices", core_matrices_, "wavefronts", "Core matrices, of 128 bytes, read from shared memory");
  sink.count("a_core_matrices", a_core_matrices_, "wavefronts", "Of these, core matrices of A");
  sink.count("collected", collected_, "instructions", "Matrix instructions with an operand that a collector buffer held");
  multiply_accumulates_.collect(sink);
  sink.bytes("cell_bytes_read", accumulator_mover_.bytes_read() + operand_mover_.bytes_read(), "Bytes of tensor memory that it read");
  sink.bytes("cell_bytes_written", accumulator_mover_.bytes_written(), "Bytes of tensor memory that it wrote");
  sink.busy(product_cycles_, "Cycles in which the dot-product units were taken");
  sink.cycles("late_cycles", late_cycles_, "Cycles in which products waited for operands");
}

}  // namespace tc::engine
