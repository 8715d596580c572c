// SPDX-License-Identifier: Apache-2.0
#include "load_store_unit.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/extensions.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/links/arrival_cycle.hpp>
#include <tc/links/bank_protocol.hpp>
#include <tc/links/edge_stage.hpp>

namespace tc::subcore {

namespace {

bool is_proxy_fence(const isa::instruction& code) {
  const auto* const control = std::get_if<isa::async_control_operation>(code.asynchronous.get());
  return control != nullptr && control->control == isa::async_control::proxy_fence;
}

/// LDGDEPBAR: it is done when the copies that its warp has issued before are.
bool closes_group(const isa::instruction& code) { return code.op == isa::opcode::ldgdepbar; }

}  // namespace

load_store_unit::load_store_unit(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name),
      shared("shared", [this](auto& transfer) { shared_done(*static_cast<access*>(transfer.owner)); }),
      global("global", [this](auto& payload, const auto& delay) { done(payload, delay); }),
      params_(parameters),
      clock_(clock),
      clocked_id_(links::add_unit(clock, *this, links::edge_stage::memory)),
      queue_(parameters.unit.queue_entries),
      changes_(shared, global),
      local_(parameters.warp_slots),
      shared_plans_(access_plans::by_banks(parameters.shared_memory.banks, parameters.shared_memory.bank_width_bytes)),
      global_plans_(access_plans::by_lines(parameters.global_memory.line_bytes)),
      occupancy_(parameters.slots),
      jitter_(parameters.jitter.seed) {
  if (parameters.asynchronous)
    asynchronous_ = std::make_unique<asynchronous_requests>(
        "asynchronous", parameters.warp_slots, clock, [this](links::warp_instruction& instruction, const sc_core::sc_time& delay) {
          instruction.result = std::max(links::arrival_cycle(clock_, delay), clock_.cycle() + 1);
          give_back(instruction);
        });
  dispatch.serve<&load_store_unit::take>(*this);
  status.bind(*this);
}

load_store_unit::~load_store_unit() = default;

links::availability load_store_unit::earliest_dispatch(const isa::instruction&, cycle_t wanted) const {
  const cycle_t cycle = queue_.earliest(wanted);
  return {cycle, cycle > wanted ? links::stall_cause::memory_queue : links::stall_cause::none};
}

tlm::tlm_sync_enum load_store_unit::take(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase == tlm::BEGIN_REQ)
    reserve(instruction);
  else if (phase == links::OPERANDS_READY)
    begin(instruction);
  return tlm::TLM_COMPLETED;
}

/// Its operands wait in the queue with it.
void load_store_unit::begin(links::warp_instruction& instruction) {
  if (params_.data) instruction.keep_operands();
  queue_.operands_ready(instruction);
  while (links::warp_instruction* const next = queue_.pop()) start(*next);
}

/// It takes an entry of the queue now.
void load_store_unit::reserve(links::warp_instruction& instruction) {
  queue_.push(instruction);
  if (told_ != nullptr) told_->queued(instruction, instruction.dispatch);
  ++inside_;
  instruction.operands_read = instruction.issued + params_.unit.operands_read_cycles;
  const bool is_told_later = isa::is_queued(instruction.code().op) || closes_group(instruction.code());
  instruction.result = is_told_later ? 0 : instruction.dispatch + announce_cycles;
}

load_store_unit::access& load_store_unit::new_access(links::warp_instruction& instruction) {
  if (free_.empty()) {
    accesses_.push_back(std::make_unique<access>());
    free_.push_back(accesses_.back().get());
  }
  access& a = *free_.back();
  free_.pop_back();
  a.instruction = &instruction;
  a.operation = operation_of(instruction.code().op);
  a.number = ++last_number_;
  a.failed = a.done = a.buffer.any_undefined = false;
  return a;
}

/// Cycles from an access to where the next one can follow.
cycle_t load_store_unit::access_cycles(const access& a) const {
  return a.operation.space == memory_space::shared ? params_.unit.shared_access_cycles : params_.unit.global_access_cycles;
}

/// The next instruction in order begins: gets its place at the memory, and is sent when it is due.
void load_store_unit::start(links::warp_instruction& instruction) {
  access& a = new_access(instruction);
  a.arrival = std::max(clock_.cycle() + announce_cycles, next_arrival_);
  next_arrival_ = a.arrival + (has_result(a) ? access_cycles(a) : 1);
  instruction.undefined_lanes = 0;
  a.plan = &no_plan_;
  if (has_result(a)) in_order_[static_cast<unsigned>(a.operation.space)].push_back(&a);
  if (has_result(a) && a.operation.is_access()) plan(a);
  busy_cycles_ += next_arrival_ - a.arrival;
  occupancy_.take(a.arrival, next_arrival_);
  unsent_.push_back(&a);
  // The first may be due in the edge that is running, which looks at it anyway.
  clock_.wake(clocked_id_, std::max(unsent_.front()->arrival - send_cycles, clock_.edge_at(sc_core::SC_ZERO_TIME)));
}

void load_store_unit::plan(access& a) {
  const bool is_shared = a.operation.space == memory_space::shared;
  access_elements elements = elements_of(*a.instruction, a.operation, is_shared ? a.instruction->warp->shared_base : 0);
  if (!a.operation.is_matrix()) elements.mask &= params_.data ? condition_of(*a.instruction).lanes : a.instruction->step.condition;
  if (elements.mask != 0) {
    based_plan planned = (is_shared ? shared_plans_ : global_plans_).of(elements);
    if (is_shared && params_.data && !is_inside_window(a, planned)) {
      a.failed = true;
      return;
    }
    a.base = planned.base;
    a.kept = std::move(planned.kept);
    a.plan = &a.kept->plan;
  }
  const unsigned groups = a.plan->groups();
  (a.operation.is_store() ? bytes_stored_ : bytes_loaded_)[static_cast<unsigned>(a.operation.space)] += a.plan->bytes();
  if (is_shared) {
    wavefronts_ += groups;
    conflicts_ += a.plan->conflicts();
    if (told_ != nullptr && groups != 0) told_->shared_access_begins(*a.instruction, groups, a.plan->conflicts(), a.arrival);
    announce(a);
  } else {
    requests_ += groups;
    next_arrival_ = std::max(next_arrival_, a.arrival + groups);
  }
  if (params_.data && a.operation.is_store()) take_store_data(*a.instruction, a.operation, *a.plan, a.buffer);
}

/// Whether all addresses lie in the CTA's window: mostly all of them at once, and by element to say which does not.
bool load_store_unit::is_inside_window(access& a, const based_plan& planned) {
  const std::uint64_t first = a.instruction->warp->shared_base, window = a.instruction->warp->shared_bytes;
  const std::uint64_t begin = planned.base + planned.plan().begin_address(), end = planned.base + planned.plan().end_address();
  if (first <= begin && begin < end && end <= first + window) return true;
  const access_elements elements = elements_of(*a.instruction, a.operation);
  for (unsigned e = 0; e < warp::lanes_per_warp; ++e) {
    if (!elements.has(e) || elements.address[e] + elements.bytes <= window) continue;
    report(fabric::report::load_store_window, a,
           fmt::format("{} {} accesses {} bytes at {:#x} of shared memory, outside the window of {} bytes of CTA {}",
                       a.operation.is_matrix() ? "row" : "lane", e, elements.bytes, elements.address[e], window, a.instruction->warp->cta));
    return false;
  }
  return true;
}

/// What a payload says of an access, but for what each transaction says of its own.
load_store_unit::request& load_store_unit::request_of(tlm::tlm_generic_payload& payload, access& a) const {
  auto* asked = payload.get_extension<request>();
  if (asked == nullptr) {
    payload.set_extension(asked = new request);  // owned by the payload
    asked->warp = &fabric::warp_tag::of(payload);
    asked->wavefront = &fabric::wavefront::of(payload);
    asked->undefined = &fabric::undefined_bytes::of(payload);
    asked->cache = &fabric::cache_hint::of(payload);
  }
  asked->owner = &a;
  asked->warp->warp = a.instruction->warp->slot;
  asked->warp->record = a.instruction->record;
  return *asked;
}

/// Tells the shared memory of an access to come, so that it can choose among the units that share it.
void load_store_unit::announce(access& a) {
  links::shared_memory_transfer& transfer = a.transfer;
  transfer.is_write = a.operation.is_store();
  transfer.is_conflict_free = a.plan->has_exact_groups();
  transfer.warp = a.instruction->warp->slot;
  transfer.record = a.instruction->record;
  transfer.number = a.number;
  transfer.arrival = a.arrival;
  transfer.wavefronts = a.plan->groups();
  transfer.conflicts = a.plan->conflict_groups();
  transfer.base = a.base;
  transfer.bytes = a.plan->end_address();
  transfer.runs_begin = a.plan->begin();
  transfer.runs_end = a.plan->end();
  transfer.buffer = a.buffer.bytes.data();
  transfer.undefined = a.buffer.undefined.data();
  transfer.owner = &a;
  shared.announce(transfer);
}

void load_store_unit::evaluate(cycle_t cycle) {
  while (!unsent_.empty() && unsent_.front()->arrival <= cycle + send_cycles) {
    access& a = *unsent_.front();
    unsent_.pop_front();
    send(a);
  }
  if (!unsent_.empty()) clock_.wake(clocked_id_, unsent_.front()->arrival - send_cycles);
  while (!arriving_.empty() && arriving_.front()->valid <= cycle) {
    access& a = *arriving_.front();
    arriving_.pop_front();
    arrive(a);
  }
  if (!arriving_.empty()) clock_.wake(clocked_id_, arriving_.front()->valid);
}

void load_store_unit::send(access& a) {
  loads_ += a.operation.is_load() ? 1U : 0U;
  stores_ += a.operation.is_store() ? 1U : 0U;
  matrix_accesses_ += a.operation.is_matrix() ? 1U : 0U;
  if (a.operation.action == memory_action::copy && has_result(a)) copies_under_way_.push_back(&a);
  a.valid = a.arrival;
  a.first_valid = links::unknown_cycle;
  a.outstanding = 1;
  const unsigned groups = a.plan->groups();
  if (a.operation.space == memory_space::global || groups == 0) leave_queue(a, a.arrival + std::max(groups, 1U));
  if (groups != 0) a.operation.space == memory_space::shared ? send_shared(a) : send_transactions(a);
  if (a.operation.asynchronous && a.instruction->step.mask != 0) {
    links::warp_instruction& instruction = *a.instruction;
    free_.push_back(&a);
    return asynchronous_->send(instruction, clock_.delay_to(a.arrival));
  }
  if (is_proxy_fence(a.instruction->code()) && a.instruction->step.mask != 0)
    shared.change(links::shared_memory_transfer::kind::fence, a.instruction->warp->shared_base, a.instruction->warp->shared_bytes);
  if (--a.outstanding == 0) complete(a);
}

void load_store_unit::send_shared(access& a) {
  a.transfer.any_undefined = a.operation.is_store() && a.buffer.any_undefined;
  ++transactions_;
  ++a.outstanding;
  shared.send(a.transfer);
}

void load_store_unit::send_transactions(access& a) {
  // Without data one transaction tells the time of its group, unless caches look at each of its sectors.
  const bool one_for_each_group = !params_.data && !params_.global_memory.hierarchy.enabled;
  unsigned next_group = 0;
  for (const access_run& run : *a.plan) {
    if (one_for_each_group && run.group < next_group) continue;
    next_group = run.group + 1U;
    send_run(a, run, one_for_each_group ? a.plan->bytes_behind(run) : 0);
  }
}

void load_store_unit::leave_queue(const access& a, cycle_t cycle) {
  queue_.left(cycle);
  if (told_ != nullptr) told_->left(*a.instruction, cycle);
}

/// One transaction. Lines of global memory leave one a cycle.
void load_store_unit::send_run(access& a, const access_run& run, unsigned further_bytes) {
  tlm::tlm_generic_payload& payload = pool_.get();
  const bool is_write = a.operation.is_store();
  fabric::set_attributes(payload, is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, a.base + run.address,
                         &a.buffer.bytes[run.offset], run.length);
  request& asked = request_of(payload, a);
  asked.wavefront->further_bytes = further_bytes;
  asked.undefined->any = is_write && a.buffer.any_undefined;
  if (asked.undefined->any) asked.undefined->flags.assign(&a.buffer.undefined[run.offset], &a.buffer.undefined[run.offset] + run.length);
  asked.cache->bypass_l1 = a.instruction->code().mods.bypass_l1;
  asked.cache->goes_on = &run != a.plan->begin() && (&run)[-1].group == run.group;
  ++a.outstanding;
  ++transactions_;
  global.send(payload, clock_.delay_to(a.arrival + run.group));
}

/// Of a transaction with global memory.
void load_store_unit::done(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const request& asked = *payload.get_extension<request>();
  access& a = *asked.owner;
  const cycle_t valid = links::arrival_cycle(clock_, delay);
  a.first_valid = std::min(a.first_valid, valid);
  a.valid = std::max(a.valid, valid);
  if (params_.data) answered(a, asked, payload);
  payload.release();
  if (--a.outstanding == 0) complete(a);
}

/// Looks at what the memory said besides the data.
void load_store_unit::answered(access& a, const request& asked, const tlm::tlm_generic_payload& payload) {
  if (payload.is_response_error())
    return report_refusal(a, "global", payload.get_address(), payload.get_data_length(), payload.get_response_string());
  if (!asked.undefined->any || !payload.is_read()) return;
  if (!std::exchange(a.buffer.any_undefined, true)) a.buffer.undefined.fill(0);
  const auto offset = payload.get_data_ptr() - a.buffer.bytes.data();
  std::copy_n(asked.undefined->flags.begin(), payload.get_data_length(), a.buffer.undefined.begin() + offset);
}

/// The same of shared memory, for all of an access.
void load_store_unit::shared_done(access& a) {
  const links::shared_memory_transfer& answer = a.transfer;
  a.first_valid = answer.first_valid;
  a.valid = answer.valid;
  if (params_.data && answer.status != tlm::TLM_OK_RESPONSE) {
    report_refusal(a, "shared", answer.address_of(*answer.refused), answer.refused->length, links::name_of(answer.status));
  } else if (params_.data && !answer.is_write) {
    a.buffer.any_undefined = answer.any_undefined;
    if (answer.hazard != fabric::proxy_hazard::none && observer.size() > 0) {
      const warp::warp_step& step = a.instruction->step;
      observer->unordered_read({a.instruction->warp, step.code, step.line}, answer.hazard,
                               answer.first_hazard - a.instruction->warp->shared_base);
    }
  }
  if (--a.outstanding == 0) complete(a);
}

/// What an atomic operation or a copy does with what has been read.
void load_store_unit::change_memory(access& a) {
  const bool is_copy = a.operation.action == memory_action::copy;
  if (params_.data && !a.failed) {
    const auto wrong = is_copy ? changes_.copy(*a.instruction, *a.plan, a.buffer) : changes_.combine(*a.instruction, a.operation);
    a.failed = wrong.has_value();
    if (wrong) report(wrong->type, a, wrong->text);
  }
  if (!is_copy) return;
  copies_under_way_.erase(std::find(copies_under_way_.begin(), copies_under_way_.end(), &a));
  const auto first =
      std::stable_partition(closing_.begin(), closing_.end(), [this](const access* each) { return has_copies_before(*each); });
  std::vector<access*> closed;
  std::move(first, closing_.end(), std::back_inserter(closed));
  closing_.resize(closing_.size() - closed.size());
  for (access* const each : closed) deliver(*each);
}

/// Whether copies that the same warp has issued before have not arrived.
bool load_store_unit::has_copies_before(const access& a) const {
  return std::any_of(copies_under_way_.begin(), copies_under_way_.end(),
                     [&a](const access* copy) { return copy->instruction->warp == a.instruction->warp && copy->number < a.number; });
}

/// All answers are there. What has no result does not wait.
void load_store_unit::complete(access& a) {
  if (a.operation.space == memory_space::shared && a.plan->groups() != 0) {
    leave_queue(a, a.valid);
    if (told_ != nullptr) told_->shared_access_ends(*a.instruction, a.valid);
  }
  if (closes_group(a.instruction->code()) && has_copies_before(a)) return closing_.push_back(&a);
  if (!has_result(a)) return deliver(a);
  tell_performed(a);
  if (a.operation.action == memory_action::copy) return await_arrival(a);
  if (a.operation.is_change()) change_memory(a);
  finish(a);
}

void load_store_unit::tell_performed(const access& a) {
  if (a.instruction->step.access != 0) stream->performed(a.instruction->warp->slot, a.instruction->step.access);
}

/// The bytes of a copy come to shared memory when those of a load would come to registers.
void load_store_unit::await_arrival(access& a) {
  a.valid += pipeline_cycles(a);
  const auto is_before = [](cycle_t cycle, const access* other) { return cycle < other->valid; };
  arriving_.insert(std::upper_bound(arriving_.begin(), arriving_.end(), a.valid, is_before), &a);
  clock_.wake(clocked_id_, std::max(a.valid, clock_.edge_at(sc_core::SC_ZERO_TIME)));
}

void load_store_unit::arrive(access& a) {
  tell_performed(a);
  change_memory(a);
  finish(a);
}

/// Results leave in the order of the instructions.
void load_store_unit::finish(access& a) {
  a.done = true;
  auto& waiting = in_order_[static_cast<unsigned>(a.operation.space)];
  while (!waiting.empty() && waiting.front()->done) {
    access& next = *waiting.front();
    waiting.pop_front();
    deliver(next);
  }
}

/// Cycles from the memory's answer to the result, those from the operands to the memory left out.
cycle_t load_store_unit::pipeline_cycles(const access& a) const {
  const bool deals_rows = a.operation.action == memory_action::load_matrix || a.operation.action == memory_action::transpose_matrix;
  const cycle_t pipeline =
      a.operation.space == memory_space::shared ? params_.unit.shared_pipeline_cycles : params_.unit.global_pipeline_cycles;
  const cycle_t total = pipeline + (deals_rows ? params_.unit.load_matrix_cycles : 0);
  return total > announce_cycles ? total - announce_cycles : 0;
}

/// When the last register can leave for write-back. Those of a global load follow each other at the width of the path, the first as soon as
/// its data are there (Huerta et al., arXiv 2503.20481, section 5.4: 512 bits a cycle). A wavefront of shared memory fills one register of
/// LDSM, but some lanes of every register of a wide LDS, which leave one after the other when the last lanes have theirs; if all lanes get
/// the same element, in pairs (measured on an H200).
cycle_t load_store_unit::last_register(const access& a) const {
  if (a.operation.action == memory_action::copy) return 0;  // it has arrived
  if (a.operation.action != memory_action::load || a.first_valid == links::unknown_cycle) return a.valid;
  const cycle_t further = std::max<cycle_t>(a.instruction->code().destinations[0].count, 1) - 1;
  if (a.operation.space == memory_space::shared)
    return a.valid + params_.unit.shared_register_cycles * (a.plan->is_single_element() ? further / 2 : further);
  return std::max(a.valid, a.first_valid + params_.unit.global_register_cycles * further);
}

/// By which chance delays a result of shared memory. Global memory varies its answers itself.
cycle_t load_store_unit::chance_cycles(const access& a) const {
  if (!jitter_.is_on() || a.operation.space != memory_space::shared) return 0;
  const links::warp_instruction& instruction = *a.instruction;
  return jitter_.draw(params_.jitter.latency_cycles, instruction.warp->cta, instruction.warp->warp_in_cta, instruction.issued);
}

void load_store_unit::deliver(access& a) {
  links::warp_instruction& instruction = *a.instruction;
  instruction.result = clock_.cycle() + 1;
  if (has_result(a)) {
    cycle_t& last = last_result_[static_cast<unsigned>(a.operation.space)];
    last = instruction.result = std::max({last_register(a) + pipeline_cycles(a) + chance_cycles(a), last, instruction.result});
    if (params_.data) finish_values(a);
  }
  free_.push_back(&a);
  give_back(instruction);
}

void load_store_unit::give_back(links::warp_instruction& instruction) {
  --inside_;
  links::hand_on(result, instruction);
}

void load_store_unit::finish_values(access& a) {
  links::warp_instruction& instruction = *a.instruction;
  if (a.failed) {
    instruction.undefined_lanes = instruction.step.mask;
    instruction.origin = {&instruction.code(), instruction.step.line};
    return;
  }
  instruction.origin = {};
  if (a.operation.is_load()) give_load_data(instruction, a.operation, *a.plan, a.buffer);
  if (a.operation.local) a.operation.action == memory_action::store ? local_.store(instruction) : local_.load(instruction);
  if (instruction.undefined_lanes != 0) instruction.origin = {&instruction.code(), instruction.step.line};
  if (a.operation.action == memory_action::transpose_matrix) transpose_matrix(instruction);
  if (a.operation.action == memory_action::exchange) exchange_lanes(instruction);
}

/// Says what a memory refused first of an access.
void load_store_unit::report_refusal(access& a, const char* memory, std::uint64_t address, std::uint64_t bytes,
                                     const std::string& response) {
  if (std::exchange(a.failed, true)) return;
  report(fabric::report::load_store_memory, a,
         fmt::format("the {} memory answered the {} of {} bytes at {:#x} with {}", memory, a.operation.is_store() ? "write" : "read", bytes,
                     address, response));
}

void load_store_unit::report(const char* type, const access& a, const std::string& text) {
  const warp::warp_step& step = a.instruction->step;
  fabric::fault(type, *this, clock_.cycle(), fmt::format("line {}: {}: {}", step.line, step.code->text, text));
}

void load_store_unit::reset() {
  queue_ = load_store_queue(params_.unit.queue_entries);
  local_.reset();
  last_result_.fill(0);
  next_arrival_ = 0;
  last_number_ = 0;
  occupancy_.reset();
  busy_cycles_ = 0;
  bytes_loaded_ = bytes_stored_ = {};
  loads_ = stores_ = matrix_accesses_ = wavefronts_ = conflicts_ = requests_ = transactions_ = 0;
}

}  // namespace tc::subcore
