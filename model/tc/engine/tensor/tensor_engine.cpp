// SPDX-License-Identifier: Apache-2.0
#include "tensor_engine.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <boost/container/small_vector.hpp>
#include <fmt/format.h>

#include <tc/engine/engine_reports.hpp>
#include <tc/engine/tensor/tensor_reports.hpp>
#include <tc/fabric/extensions.hpp>
#include <tc/links/arrival_cycle.hpp>
#include <tc/links/edge_stage.hpp>
#include <tc/tmem/cell_address.hpp>
#include <tc/tmem/extensions.hpp>

namespace tc::engine {

namespace {

using fabric::send_cycles;

bool touches(const std::vector<isa::tensor_cells>& x, const std::vector<isa::tensor_cells>& y) {
  return std::any_of(x.begin(), x.end(), [&](const isa::tensor_cells& a) {
    return std::any_of(y.begin(), y.end(), [&](const isa::tensor_cells& b) { return overlap(a, b); });
  });
}

const isa::tcgen05_operation& operation_of(const links::warp_instruction& instruction) {
  return std::get<isa::tcgen05_operation>(*instruction.code().asynchronous);
}

bool is_matrix(const tensor_job& job) { return job.action == tensor_action::multiply; }

}  // namespace

tensor_engine::tensor_engine(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name),
      shifts("shifts", [this](auto& payload, const auto& delay) { shifted(payload, delay); }),
      params_(parameters),
      clock_(clock),
      clocked_id_(links::add_unit(clock, *this, links::edge_stage::tensor_engine)),
      matrices_("matrices", {parameters.engine, parameters.sub_cores, parameters.data, parameters.shared_row_bytes}, clock, peer,
                {[this](cycle_t cycle) { tell_room(cycle); },
                 [this](matrix_job& job, cycle_t cycle) {
                   if (job.plan->shifts_a()) return shift(job, job.plan->columns(tensor_operand::a), cycle);
                   reach(job, tensor_milestone::released, cycle);
                 },
                 [this](matrix_job& job, cycle_t cycle) { finish(job, cycle); }}),
      copies_("copies", {parameters.engine.copy, parameters.data, parameters.shared_row_bytes}, clock,
              [this](copy_job& job, cycle_t cycle) { finish(job, cycle); }),
      product_units_("product_units", parameters.arithmetic),
      last_number_(parameters.sm % 2) {
  request.register_nb_transport_fw(this, &tensor_engine::requested);
  barrier.register_nb_transport_bw(this, &tensor_engine::barrier_answered);
  order.bind(*this);
  pair.bind(*this);
  commits.bind(*this);
  matrices_.products.bind(product_units_.products);
  matrices_.observer.bind(observer);
  copies_.observer.bind(observer);
}

tensor_engine::~tensor_engine() = default;

tlm::tlm_sync_enum tensor_engine::requested(int link, links::warp_instruction& instruction, tlm::tlm_phase&, sc_core::sc_time& delay) {
  const isa::tcgen05_operation& operation = operation_of(instruction);
  tensor_job asked;
  asked.instruction = &instruction;
  asked.reader = {instruction.warp, instruction.step.code, instruction.step.line};
  asked.record = instruction.record;
  asked.link = static_cast<unsigned>(link);
  asked.number = next_number();
  asked.arrived = clock_.edge_at(delay);
  planned_job planned;
  try {
    if (const auto* const commit = std::get_if<isa::tensor_commit_operation>(&operation)) {
      planned.job = plan_commit(*commit, *instruction.warp);
    } else {
      planned = plan_part(operation, *instruction.warp);
      if (is_of_pair(operation)) planned.job->partner = &ask_partner(asked);
    }
  } catch (const std::invalid_argument& mistake) {
    planned = {std::make_unique<tensor_job>()};
    planned.job->failed = true;
    report_tensor_error(report::tensor_instruction, *this, clock_.cycle(), asked.reader, mistake.what());
  }
  tensor_job& job = admit(std::move(planned), asked);
  if (job.partner != nullptr) job.partner->partner = &job;
  wake(job.arrived);
  return tlm::TLM_ACCEPTED;
}

tensor_job& tensor_engine::ask_partner(const tensor_job& asked) {
  if (peer.size() == 0) throw std::invalid_argument("the SM is in no pair: the machine has an odd number of SMs");
  return peer->take_part(asked);
}

tensor_job& tensor_engine::take_part(const tensor_job& leader) {
  const warp::warp_context* const warp = ctas->warp_of(leader.reader.warp->peer_cta);
  if (warp == nullptr)
    throw std::invalid_argument(fmt::format("CTA {}, the other one of the pair, has ended", leader.reader.warp->peer_cta));
  planned_job planned = plan_part(operation_of(*leader.instruction), *warp);
  planned.job->leads = false;
  tensor_job& part = admit(std::move(planned), leader);
  part.reader.warp = warp;
  return part;
}

/// The part of an operation that is a CTA's.
planned_job tensor_engine::plan_part(const isa::tcgen05_operation& operation, const warp::warp_context& warp) {
  planned_job planned = plan_job(operation, is_of_pair(operation) ? warp.cluster_rank % 2 : 0, layouts_);
  planned.access.cta_slot = warp.cta_slot;
  check_columns(warp, planned.access);
  return planned;
}

/// Takes a job in, whose instruction, number and arrival are those of a request.
tensor_job& tensor_engine::admit(planned_job planned, const tensor_job& asked) {
  tensor_job& job = *planned.job;
  job.instruction = asked.instruction;
  job.reader = planned.access.origin = asked.reader;
  job.record = asked.record;
  job.link = asked.link;
  job.number = asked.number;
  job.arrived = asked.arrived;
  if (!planned.access.reads.empty() || !planned.access.writes.empty())
    if (const auto found = hazards_.begin(job.number, std::move(planned.access))) report_hazard(job.reader, *found);
  add_dependences(job);
  inside_.push_back({std::move(planned.job), !job.leads});
  return job;
}

std::uint64_t tensor_engine::next_number() { return last_number_ += 2; }

std::unique_ptr<tensor_job> tensor_engine::plan_commit(const isa::tensor_commit_operation& operation, const warp::warp_context& warp) {
  auto job = std::make_unique<commit_job>();
  job->operation = &operation;
  job->arrival.action = isa::barrier_action::arrive;
  job->arrival.of_commit = true;
  job->arrival.address = warp.shared_base + operation.barrier;
  job->arrival.warp = &warp;
  job->arrival.owner = job.get();
  return job;
}

void tensor_engine::check_columns(const warp::warp_context& warp, const tensor_hazards::access& access) const {
  for (const auto* const list : {&access.reads, &access.writes}) {
    for (const isa::tensor_cells& cells : *list) {
      if (owners->has_allocated(warp, cells.columns)) continue;
      throw std::invalid_argument(
          fmt::format("{}: the CTA has not allocated these columns of tensor memory (tcgen05.alloc)", text_of(cells)));
    }
  }
}

/// What an instruction must not overtake: earlier ones that touch its cells. Products follow each other in their pipe, so that D of two of
/// them may be the same.
void tensor_engine::add_dependences(tensor_job& job) const {
  for (const entry& each : inside_) {
    tensor_job& earlier = *each.job;
    if (touches(earlier.results, job.operands) || (touches(earlier.results, job.results) && !(is_matrix(earlier) && is_matrix(job))))
      job.waits_for.push_back({&earlier, tensor_milestone::effect});
    if (touches(earlier.operands, job.results) || touches(earlier.operands, job.operands))
      job.waits_for.push_back({&earlier, tensor_milestone::released});
  }
}

void tensor_engine::report_hazard(const links::asynchronous_origin& later, const tensor_hazards::hazard& found) {
  ++hazards_found_;
  observer->ordering_hazard(later, fmt::format("meets {}, which {} (line {}) {}, before anybody has waited for that", text_of(found.cells),
                                               found.earlier.code->text, found.earlier.line, found.is_written ? "writes" : "reads"));
}

std::uint64_t tensor_engine::access_begins(const links::asynchronous_origin& origin, bool load, const std::vector<isa::tensor_cells>& cells,
                                           cycle_t cycle) {
  tensor_hazards::access access;
  access.what = load ? tensor_hazards::kind::load : tensor_hazards::kind::store;
  access.origin = origin;
  access.cta_slot = origin.warp->cta_slot;
  (load ? access.reads : access.writes) = cells;
  const std::uint64_t number = next_number();
  if (const auto found = hazards_.begin(number, std::move(access))) report_hazard(origin, *found);
  matrices_.write_due(cycle);
  return number;
}

void tensor_engine::access_settled(std::uint64_t access) { hazards_.settle(access); }

/// The commit may be one of the other SM's engine, which has arrived at an mbarrier here.
void tensor_engine::phase_observed(std::uint64_t commit) {
  if (!observe(commit) && peer.size() != 0) peer->part_observed(commit);
}

bool tensor_engine::observe(std::uint64_t commit) {
  const auto found = committed_.find(commit);
  if (found == committed_.end()) return false;
  hazards_.settle_through(*found->second, commit);
  if (peer.size() != 0) peer->settle_part(*found->second, commit);
  committed_.erase(found);
  return true;
}

void tensor_engine::end_cta(std::uint32_t cta_slot) {
  hazards_.forget(cta_slot);
  for (auto each = committed_.begin(); each != committed_.end();)
    each = each->second->cta_slot == cta_slot ? committed_.erase(each) : ++each;
  for (auto each = complete_.begin(); each != complete_.end();) each = each->first->cta_slot == cta_slot ? complete_.erase(each) : ++each;
}

/// In time for what is to arrive somewhere in a cycle.
void tensor_engine::wake(cycle_t cycle) {
  clock_.wake(clocked_id_, std::max(cycle > send_cycles ? cycle - send_cycles : 0, clock_.edge_at(sc_core::SC_ZERO_TIME)));
}

void tensor_engine::evaluate(cycle_t cycle) {
  const bool dispatched = dispatch_one(cycle);
  send_shifts(cycle);
  send_commits(cycle);
  if (dispatched) clock_.wake(clocked_id_, cycle + 1);
}

/// Dispatches the oldest instruction whose pipe has room, if none of its warp waits before it.
bool tensor_engine::dispatch_one(cycle_t cycle) {
  boost::container::small_vector<const warp::warp_context*, 8> waiting;
  for (entry& each : inside_) {
    if (each.dispatched) continue;
    tensor_job& job = *each.job;
    const warp::warp_context* const warp = job.reader.warp;
    const bool is_first = std::find(waiting.begin(), waiting.end(), warp) == waiting.end();
    if (is_first && may_dispatch(job, cycle)) {
      each.dispatched = true;
      dispatch(job);
      return true;
    }
    waiting.push_back(warp);
  }
  return false;
}

bool tensor_engine::may_dispatch(const tensor_job& job, cycle_t cycle) const {
  const cycle_t arrival = cycle + send_cycles;
  if (job.arrived > arrival) return false;
  return !is_matrix(job) || (matrices_.has_room(arrival) && (job.partner == nullptr || peer->has_room(arrival)));
}

/// An instruction of a pair needs room in both SMs.
void tensor_engine::tell_room(cycle_t cycle) {
  wake(cycle);
  if (peer.size() != 0) peer->room_from(cycle);
}

void tensor_engine::dispatch(tensor_job& job) {
  ++dispatched_;
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  request[static_cast<int>(job.link)]->nb_transport_bw(*job.instruction, phase, delay);
  if (job.partner != nullptr) peer->dispatch_part(*job.partner);
  start(job);
}

void tensor_engine::dispatch_part(tensor_job& part) {
  start(part);
  wake(clock_.cycle() + 1);
}

void tensor_engine::start(tensor_job& job) {
  switch (job.action) {
    case tensor_action::multiply: {
      auto& matrix = static_cast<matrix_job&>(job);
      matrix.first_read = job.arrived + params_.engine.start_cycles;
      return matrices_.start(matrix);
    }
    case tensor_action::copy: {
      auto& copy = static_cast<copy_job&>(job);
      copy.first_read = job.arrived + params_.engine.copy.start_cycles;
      return copies_.start(copy);
    }
    case tensor_action::shift:
      return unsent_shifts_.push_back(static_cast<shift_job*>(&job));
    case tensor_action::commit:
      return;
    case tensor_action::none:
      return finish(job, job.arrived);
  }
}

void tensor_engine::send_shifts(cycle_t cycle) {
  for (auto each = unsent_shifts_.begin(); each != unsent_shifts_.end();) {
    shift_job& job = **each;
    const cycle_t arrival = std::max(job.not_before, job.arrived);
    if (!job.may_touch_memory() || arrival > cycle + send_cycles) {
      if (job.may_touch_memory()) wake(arrival);
      ++each;
      continue;
    }
    each = unsent_shifts_.erase(each);
    shift(job, job.columns, cycle + send_cycles);
  }
}

void tensor_engine::shift(tensor_job& job, isa::column_range columns, cycle_t arrival) {
  tlm::tlm_generic_payload& payload = payloads_.get();
  fabric::set_attributes(payload, tlm::TLM_IGNORE_COMMAND, 0, nullptr, 0);
  tmem::lane_shift& what = tmem::lane_shift::of(payload);
  what.first_column = columns.first;
  what.noted = false;
  what.moved_after = sc_core::SC_ZERO_TIME;
  fabric::owner_tag<tensor_job>::of(payload).job = &job;
  fabric::warp_tag::mark(payload, job.reader.warp->slot, job.record);
  shifts.send(payload, clock_.delay_to(std::max(arrival, clock_.edge_at(sc_core::SC_ZERO_TIME))));
}

void tensor_engine::shifted(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  tensor_job& job = *fabric::owner_tag<tensor_job>::of(payload).job;
  const bool failed = payload.is_response_error() || !tmem::lane_shift::of(payload).noted;
  const cycle_t moved = links::arrival_cycle(clock_, tmem::lane_shift::of(payload).moved_after);
  payload.release();
  if (failed && !std::exchange(job.failed, true))
    report_tensor_error(report::tensor_memory, *this, clock_.cycle(), job.reader, "tensor memory does not shift these columns");
  if (is_matrix(job)) return reach(job, tensor_milestone::released, moved);
  reach(job, tensor_milestone::effect, moved);
  finish(job, links::arrival_cycle(clock_, delay));
}

/// Commits arrive when everything that their warp began before is complete.
void tensor_engine::send_commits(cycle_t cycle) {
  for (entry& each : inside_) {
    if (each.job->action != tensor_action::commit || !each.dispatched) continue;
    auto* const job = static_cast<commit_job*>(each.job.get());
    if (job->sent || !is_due(*job)) continue;
    if (job->due > cycle + send_cycles) {
      wake(job->due);
      continue;
    }
    job->sent = true;
    ++commits_;
    committed_.emplace(job->number, job->reader.warp);
    if (job->operation->cta_mask) return send_to_cluster(*job, cycle + send_cycles);
    job->arrival.commit = job->number;
    job->arrival.record = job->record;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = clock_.delay_to(cycle + send_cycles);
    if (barrier->nb_transport_fw(job->arrival, phase, delay) == tlm::TLM_COMPLETED) return committed(*job, delay);
  }
}

/// They may answer at once, which ends the job.
void tensor_engine::send_to_cluster(commit_job& job, cycle_t cycle) {
  clock_.wake(clocked_id_, clock_.cycle() + 1);
  const isa::tensor_commit_operation& operation = *job.operation;
  cluster->arrive({job.reader, *operation.cta_mask, operation.barrier, job.number, [this, &job](cycle_t known) { arrived(job, known); }},
                  cycle);
}

/// Whether everything that a commit waits for is complete, which makes known when.
bool tensor_engine::is_due(commit_job& job) const {
  if (job.due != links::unknown_cycle) return true;
  const auto is_earlier = [&job](const entry& each) {
    return each.job->leads && each.job->reader.warp == job.reader.warp && each.job->number < job.number &&
           each.job->action != tensor_action::commit;
  };
  if (std::any_of(inside_.begin(), inside_.end(), is_earlier)) return false;
  const auto latest = complete_.find(job.reader.warp);
  job.due = std::max(latest == complete_.end() ? 0 : latest->second, job.arrived) + params_.engine.commit_cycles;
  return true;
}

tlm::tlm_sync_enum tensor_engine::barrier_answered(links::barrier_transfer& arrival, tlm::tlm_phase&, sc_core::sc_time& delay) {
  committed(*static_cast<commit_job*>(arrival.owner), delay);
  return tlm::TLM_COMPLETED;
}

void tensor_engine::committed(commit_job& job, const sc_core::sc_time& delay) {
  if (job.arrival.response != links::barrier_response::done)
    report_tensor_error(report::tensor_barrier, *this, clock_.cycle(), job.reader,
                        fmt::format("the mbarrier {}", text_of(job.arrival.response)));
  arrived(job, links::arrival_cycle(clock_, delay));
}

void tensor_engine::arrived(commit_job& job, cycle_t cycle) {
  answer(job, cycle);
  remove(job);
  wake(clock_.cycle() + 1);
}

/// Tells those that wait for a milestone of a job.
void tensor_engine::reach(tensor_job& job, tensor_milestone milestone, cycle_t cycle) {
  for (entry& each : inside_) {
    tensor_job& waiting = *each.job;
    const auto is_reached = [&](const tensor_job::dependence& on) { return on.on == &job && on.until == milestone; };
    const auto end = std::remove_if(waiting.waits_for.begin(), waiting.waits_for.end(), is_reached);
    if (end == waiting.waits_for.end()) continue;
    waiting.waits_for.erase(end, waiting.waits_for.end());
    waiting.not_before = std::max(waiting.not_before, cycle);
  }
  matrices_.look_again();
  copies_.look_again();
  wake(clock_.cycle() + 1);
}

/// A job has left its pipe. A commit may tell of it from a cycle on, if the other SM's part is done as well.
void tensor_engine::finish(tensor_job& job, cycle_t complete) {
  reach(job, tensor_milestone::released, complete);
  reach(job, tensor_milestone::effect, complete);
  job.finished = complete;
  if (job.partner == nullptr) return conclude(job, complete);
  if (job.partner->finished == links::unknown_cycle) return;
  const cycle_t last = std::max(complete, job.partner->finished);
  peer->conclude(*job.partner, last);
  conclude(job, last);
}

void tensor_engine::conclude(tensor_job& job, cycle_t complete) {
  if (job.leads) {
    cycle_t& latest = complete_[job.reader.warp];
    latest = std::max(latest, complete);
    answer(job, std::max(complete, clock_.cycle()));
  }
  remove(job);
  wake(clock_.cycle() + 1);
}

void tensor_engine::answer(const tensor_job& job, cycle_t cycle) {
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = cycle > clock_.cycle() ? clock_.delay_to(cycle) : sc_core::SC_ZERO_TIME;
  request[static_cast<int>(job.link)]->nb_transport_bw(*job.instruction, phase, delay);
}

void tensor_engine::remove(const tensor_job& job) {
  inside_.remove_if([&job](const entry& each) { return each.job.get() == &job; });
}

bool tensor_engine::idle() const { return inside_.empty() && matrices_.idle() && copies_.idle() && payloads_.live() == 0; }

void tensor_engine::describe(std::vector<std::string>& lines) const {
  for (const entry& each : inside_) {
    const links::asynchronous_origin& origin = each.job->reader;
    lines.push_back(fmt::format("{}: {} (line {}) of warp {} of CTA {} is not {}", name(), origin.code->text, origin.line,
                                origin.warp->warp_in_cta, origin.warp->cta, each.dispatched ? "complete" : "dispatched"));
  }
}

void tensor_engine::reset() {
  hazards_ = {};
  complete_.clear();
  committed_.clear();
  last_number_ = params_.sm % 2;
  dispatched_ = commits_ = hazards_found_ = 0;
}

void tensor_engine::collect(fabric::statistics_sink& sink) const {
  sink.count("instructions", dispatched_, "instructions", "Instructions that the dispatcher took from the queue");
  sink.count("commits", commits_, "instructions", "Commits that arrived at mbarriers");
  sink.count("hazards", hazards_found_, "hazards", "Instructions that met cells of others before anybody had waited");
}

}  // namespace tc::engine
