// SPDX-License-Identifier: Apache-2.0
#include "barrier_unit.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>
#include <tc/links/edge_stage.hpp>

namespace tc::engine {

using isa::barrier_action;
using links::barrier_response;

barrier_unit::barrier_unit(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name),
      shared("shared", [this](auto&) { done(); }),
      params_(parameters),
      clock_(clock),
      clocked_id_(links::add_unit(clock, *this, links::edge_stage::barriers)) {
  barrier.register_nb_transport_fw(this, &barrier_unit::take);
}

barrier_unit::~barrier_unit() = default;

void barrier_unit::begin_region(std::uint64_t base, std::uint64_t bytes) {
  objects_.erase(objects_.lower_bound(base), objects_.lower_bound(base + bytes));
}

void barrier_unit::reset() {
  objects_.clear();
  queue_.clear();
  answers_.clear();
  busy_ = is_waiting_ = false;
  lets_wait_ = true;
  next_start_ = 0;
  operations_ = phases_ = waits_ = bytes_completed_ = bytes_read_ = bytes_written_ = 0;
}

void barrier_unit::let_go() {
  lets_wait_ = false;
  for (auto& [address, barrier_object] : objects_) {
    for (request& each : barrier_object.waiting) {
      each.cycle = clock_.cycle() + 1;
      answer(each);
    }
    barrier_object.waiting.clear();
  }
}

bool barrier_unit::idle() const {
  const bool nobody_waits = std::all_of(objects_.begin(), objects_.end(), [](const auto& each) { return each.second.waiting.empty(); });
  return nobody_waits && queue_.empty() && answers_.empty() && shared.outstanding() == 0;
}

tlm::tlm_sync_enum barrier_unit::take(int link, transfer& what, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) {
    fabric::error(fabric::report::target_phase, name(), std::string("unexpected forward phase ") + phase.get_name());
    return tlm::TLM_ACCEPTED;
  }
  queue_.push_back({&what, static_cast<unsigned>(link), clock_.edge_at(delay)});
  calling_ = &what;
  start();
  const bool is_answered = calling_ == nullptr;
  calling_ = nullptr;
  if (!is_answered) return tlm::TLM_ACCEPTED;
  delay = clock_.delay_to(call_answered_);
  return tlm::TLM_COMPLETED;
}

/// Begins the next operation, unless one is being worked on.
void barrier_unit::start() {
  if (busy_ || queue_.empty()) return;
  busy_ = true;
  const request& next = queue_.front();
  start_ = std::max(next.cycle, next_start_);
  next_start_ = start_ + params_.unit.interval_cycles;
  if (next.what->address % bytes_.size() == 0) return access(false);
  next.what->response = barrier_response::bad_address;
  finish(next.cycle);
}

/// Reads or writes the object. It goes to shared memory when the request arrives, not when its turn has come: requests to the banks must
/// not come ahead of time.
void barrier_unit::access(bool is_write) {
  access_.user = links::memory_user::asynchronous;  // the object itself is never unfenced
  access_.is_write = is_write;
  access_.any_undefined = false;
  access_.arrival = std::max(queue_.front().cycle, clock_.edge_at(sc_core::SC_ZERO_TIME));
  access_.base = queue_.front().what->address;
  access_.bytes = object_bytes;
  access_.runs_begin = &whole_;
  access_.runs_end = &whole_ + 1;
  access_.buffer = bytes_.data();
  (is_write ? bytes_written_ : bytes_read_) += object_bytes;
  shared.send(access_);
}

void barrier_unit::done() {
  if (!access_.is_write && perform(access_.status == tlm::TLM_OK_RESPONSE))
    access(true);
  else
    finish(access_.valid);
}

/// The operation, with the object's bytes read; whether they have changed.
bool barrier_unit::perform(bool is_there) {
  transfer& what = *queue_.front().what;
  ++operations_;
  what.phase_completed = false;
  what.response = is_there ? barrier_response::done : barrier_response::bad_address;
  if (!is_there) return false;

  const auto found = objects_.find(what.address);
  if (what.action == barrier_action::initialise || what.action == barrier_action::invalidate) {
    if (found != objects_.end()) forget(found->second);
    if (what.action == barrier_action::invalidate) objects_.erase(what.address);
    return what.action == barrier_action::initialise && initialise(what);
  }
  if (found == objects_.end()) {
    what.response = barrier_response::not_initialised;
    return false;
  }
  object& barrier_object = found->second;
  if (params_.data) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes_.data(), sizeof bits);
    barrier_object.word = barrier_word::from_bits(bits);
  }
  if (what.action == barrier_action::test_wait || what.action == barrier_action::wait) {
    wait(barrier_object);
    return false;
  }
  if (change(barrier_object, what)) {
    store(barrier_object.word);
    return true;
  }
  what.response = barrier_response::overflow;
  return false;
}

bool barrier_unit::initialise(transfer& what) {
  if (what.count == 0 || what.count > barrier_word::max_arrivals) {
    what.response = barrier_response::overflow;
    return false;
  }
  object& made = objects_[what.address];
  made.word = barrier_word(what.count);
  store(made.word);
  return true;
}

void barrier_unit::store(const barrier_word& word) {
  const std::uint64_t bits = word.bits();
  std::memcpy(bytes_.data(), &bits, sizeof bits);
}

/// Who waits for an object that ceases to be one waits for nothing.
void barrier_unit::forget(object& barrier_object) {
  for (request& each : barrier_object.waiting) {
    each.what->response = barrier_response::not_initialised;
    each.cycle = start_ + params_.unit.access_cycles;
    answer(each);
  }
  barrier_object = {};
}

/// An operation other than a wait; false, and nothing has changed, if the object cannot hold the result.
bool barrier_unit::change(object& barrier_object, const transfer& what) {
  barrier_word word = barrier_object.word;
  unsigned phases = 0;
  const auto step = [&word, &phases](auto operation) {
    const bool parity = word.parity();
    const bool fits = operation();
    if (word.parity() != parity) ++phases;
    return fits;
  };
  bool fits = true;
  if (what.action == barrier_action::expect || what.action == barrier_action::arrive_expect)
    fits = step([&] { return word.expect(what.bytes); });
  if (what.action == barrier_action::complete) fits = step([&] { return word.complete(what.bytes); });
  if (fits && (what.action == barrier_action::arrive || what.action == barrier_action::arrive_expect))
    fits = step([&] { return word.arrive(what.count, what.drop); });
  if (!fits) return false;

  barrier_object.word = word;
  phases_ += phases;
  if (what.action == barrier_action::complete) {
    bytes_completed_ += what.bytes;
    if (what.region_bytes > 0) barrier_object.arrived.push_back({what.region_base, what.region_bytes, barrier_object.phase});
  }
  if (what.commit != 0) barrier_object.commits.push_back({what.commit, barrier_object.phase});
  barrier_object.phase += phases;
  if (phases > 0) wake_waiting(barrier_object);
  return true;
}

/// Answers a wait or a test, or lets it wait.
void barrier_unit::wait(object& barrier_object) {
  transfer& what = *queue_.front().what;
  what.phase_completed = barrier_object.word.has_completed(what.parity);
  if (what.phase_completed) {
    settle(barrier_object);
  } else if (what.action == barrier_action::wait && lets_wait_) {
    barrier_object.waiting.push_back(queue_.front());
    is_waiting_ = true;
    ++waits_;
  }
}

/// Arrivals come from the warps and waits go back to them, the bytes of a bulk copy and the commits of a tensor engine are counted where
/// they come.
void barrier_unit::wake_waiting(object& barrier_object) {
  if (barrier_object.waiting.empty()) return;
  const transfer& last = *queue_.front().what;
  const bool is_of_unit = last.action == barrier_action::complete || last.of_commit;
  const cycle_t counted = start_ + (is_of_unit ? 0 : params_.unit.access_cycles);
  for (request& each : barrier_object.waiting) {
    each.what->phase_completed = true;
    each.cycle = counted + params_.unit.wake_cycles;
    answer(each);
  }
  barrier_object.waiting.clear();
  settle(barrier_object);
}

/// Somebody knows that a phase has completed: what has come in completed phases may be read.
void barrier_unit::settle(object& barrier_object) {
  const auto has_completed = [&barrier_object](const region& each) { return each.phase != barrier_object.phase; };
  const auto open = std::stable_partition(barrier_object.arrived.begin(), barrier_object.arrived.end(), has_completed);
  for (auto each = barrier_object.arrived.begin(); each != open; ++each)
    shared.change(links::shared_memory_transfer::kind::settle, each->base, each->bytes);
  barrier_object.arrived.erase(barrier_object.arrived.begin(), open);

  const auto is_over = [&barrier_object](const committed& each) { return each.phase != barrier_object.phase; };
  const auto pending = std::stable_partition(barrier_object.commits.begin(), barrier_object.commits.end(), is_over);
  for (auto each = barrier_object.commits.begin(); each != pending; ++each) commit_listener->phase_observed(each->number);
  barrier_object.commits.erase(barrier_object.commits.begin(), pending);
}

/// The operation is done, its last answer valid in a cycle.
void barrier_unit::finish(cycle_t valid) {
  request finished = queue_.front();
  queue_.pop_front();
  finished.cycle = std::max(valid, start_ + params_.unit.access_cycles);
  if (is_waiting_) {
    is_waiting_ = false;
  } else if (finished.what == calling_) {
    calling_ = nullptr;
    call_answered_ = finished.cycle;
  } else {
    answer(finished);
  }
  busy_ = false;
  start();
}

void barrier_unit::answer(const request& answered) {
  answers_.push_back(answered);
  clock_.wake(clocked_id_, std::max(answered.cycle - 1, clock_.edge_at(sc_core::SC_ZERO_TIME)));
}

/// Sends the answers that arrive in the next cycle.
void barrier_unit::evaluate(cycle_t cycle) {
  const auto is_due = [cycle](const request& each) { return each.cycle <= cycle + 1; };
  for (auto due = std::find_if(answers_.begin(), answers_.end(), is_due); due != answers_.end();
       due = std::find_if(answers_.begin(), answers_.end(), is_due)) {
    const request answered = *due;
    answers_.erase(due);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = clock_.delay_to(cycle + 1);
    barrier[static_cast<int>(answered.link)]->nb_transport_bw(*answered.what, phase, delay);
  }
  for (const request& each : answers_) clock_.wake(clocked_id_, each.cycle - 1);
}

void barrier_unit::describe(std::vector<std::string>& lines) const {
  for (const auto& [address, barrier_object] : objects_) {
    if (barrier_object.waiting.empty()) continue;
    const barrier_word& word = barrier_object.word;
    std::string text =
        fmt::format("{}: mbarrier at {:#x}: {} of {} arrivals and {} bytes missing for the phase of parity {}; waiting:", name(), address,
                    word.pending_arrivals(), word.expected_arrivals(), word.pending_bytes(), word.parity() ? 1 : 0);
    const char* separator = " ";
    for (const request& each : barrier_object.waiting) {
      const warp::warp_context* const warp = each.what->warp;
      text += separator + (warp == nullptr ? std::string("a unit") : fmt::format("warp {} of CTA {}", warp->warp_in_cta, warp->cta));
      separator = ", ";
    }
    lines.push_back(std::move(text));
  }
}

void barrier_unit::collect(fabric::statistics_sink& sink) const {
  sink.count("operations", operations_, "operations", "Operations on mbarriers");
  sink.count("phases", phases_, "phases", "Phases that completed");
  sink.count("waits", waits_, "operations", "Waits whose phase was still open");
  sink.bytes("bytes_completed", bytes_completed_, "Bytes of bulk copies that were counted");
  sink.bytes("bytes_read", bytes_read_, "Bytes of mbarriers read from shared memory");
  sink.bytes("bytes_written", bytes_written_, "Bytes of mbarriers written to shared memory");
  sink.busy(operations_ * params_.unit.interval_cycles, "Cycles in which the unit took no other operation");
}

}  // namespace tc::engine
