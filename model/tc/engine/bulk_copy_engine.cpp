// SPDX-License-Identifier: Apache-2.0
#include "bulk_copy_engine.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tc/engine/engine_reports.hpp>
#include <tc/fabric/extensions.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/links/arrival_cycle.hpp>
#include <tc/links/bank_protocol.hpp>
#include <tc/links/edge_stage.hpp>

namespace tc::engine {

namespace {

using fabric::send_cycles;

isa::swizzle_mode swizzle_of(const links::bulk_copy_transfer& what) {
  return what.map == nullptr ? isa::swizzle_mode::none : what.map->swizzle;
}

}  // namespace

bulk_copy_engine::bulk_copy_engine(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name),
      global("global", [this](auto& payload, const auto& delay) { done(payload, delay); }),
      shared("shared", [this](auto& access) { shared_done(*static_cast<piece*>(access.owner)); }),
      params_(parameters),
      clock_(clock),
      clocked_id_(links::add_unit(clock, *this, links::edge_stage::bulk_copies)),
      loads_(parameters.engine.load),
      stores_(parameters.engine.store) {
  bulk_copy.register_nb_transport_fw(this, &bulk_copy_engine::take);
  barrier.register_nb_transport_bw(this, &bulk_copy_engine::barrier_answered);
}

bulk_copy_engine::~bulk_copy_engine() = default;

bool bulk_copy_engine::idle() const {
  return copies_.empty() && global.outstanding() == 0 && shared.outstanding() == 0 && pool_.live() == 0;
}

tlm::tlm_sync_enum bulk_copy_engine::take(int link, links::bulk_copy_transfer& what, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) {
    fabric::error(fabric::report::target_phase, name(), std::string("unexpected forward phase ") + phase.get_name());
    return tlm::TLM_ACCEPTED;
  }
  copy& c = copies_.emplace_back(what, static_cast<unsigned>(link), params_.global_memory.line_bytes);
  ++copies_begun_;
  c.window = what.warp->shared_base;
  direction& same = direction_of(c);
  c.start = std::max(clock_.edge_at(delay) + same.timing.start_cycles, same.next_start);
  same.next_start = c.start + same.timing.interval_cycles;
  c.read = c.sent = c.written = c.start;
  if (is_inside_window(c)) {
    if (c.to_shared()) announce_arrival(c);
  } else {
    c.all_asked = true;
    check_end(c);
  }
  wake_outside_of_an_edge();
  return tlm::TLM_ACCEPTED;
}

bool bulk_copy_engine::is_inside_window(const copy& c) {
  const std::uint64_t first = c.what.copy->shared, bytes = copy_walk::shared_bytes(*c.what.copy, c.what.map);
  const std::uint32_t window = c.what.warp->shared_bytes;
  if (first + bytes <= window) return true;
  report(fabric::report::bulk_copy_window, c,
         fmt::format("{} bytes at {:#x} of shared memory are outside the window of {} bytes of CTA {}", bytes, first, window,
                     c.what.warp->cta));
  return false;
}

/// Tells the shared memory that nobody may look at the destination.
void bulk_copy_engine::announce_arrival(const copy& c) {
  shared.change(links::shared_memory_transfer::kind::arrive, c.window + c.what.copy->shared,
                copy_walk::shared_bytes(*c.what.copy, c.what.map));
}

void bulk_copy_engine::evaluate(cycle_t cycle) {
  in_edge_ = true;
  write_fetched(to_shared_, true, cycle);
  write_fetched(to_global_, false, cycle);
  fetch(cycle);
  give_notices(cycle);
  in_edge_ = false;
  plan_wake_up(cycle);
}

/// Something has changed. In the engine's own edge, its end looks at everything anyway.
void bulk_copy_engine::wake_outside_of_an_edge() {
  if (!in_edge_) clock_.wake(clocked_id_, clock_.edge_at(sc_core::SC_ZERO_TIME));
}

/// Wakes the engine in time for something that arrives in a cycle.
void bulk_copy_engine::wake_for(cycle_t arrival, cycle_t cycle) { clock_.wake(clocked_id_, std::max(arrival - send_cycles, cycle + 1)); }

void bulk_copy_engine::plan_wake_up(cycle_t cycle) {
  if (!to_shared_.empty()) wake_for(std::max(to_shared_.top()->valid, next_write(true)), cycle);
  if (!to_global_.empty()) wake_for(std::max(to_global_.top()->valid, next_write(false)), cycle);
  for (const notice& each : notices_) wake_for(each.cycle, cycle);
  const copy* const c = first_to_fetch();
  const bool has_room = !free_.empty() || pieces_.size() < params_.engine.requests_in_flight;
  if (c != nullptr && has_room) wake_for(std::max(c->start, next_read(*c)), cycle);
}

bulk_copy_engine::copy* bulk_copy_engine::first_to_fetch() {
  const auto first = std::find_if(copies_.begin(), copies_.end(), [](const copy& c) { return !c.all_asked; });
  return first == copies_.end() ? nullptr : &*first;
}

/// Finds the next piece to be fetched. What a copy to global memory has outside the tensor goes nowhere.
bool bulk_copy_engine::next_piece(copy& c) {
  copy_piece found;
  while (!c.next && c.walk.next(found))
    if (found.inside || c.to_shared()) c.next = found;
  return c.next.has_value();
}

/// Begins with at most one piece.
void bulk_copy_engine::fetch(cycle_t cycle) {
  copy* const c = first_to_fetch();
  const cycle_t arrival = cycle + send_cycles;
  if (c == nullptr || c->start > arrival || next_read(*c) > arrival) return;
  if (free_.empty() && pieces_.size() == params_.engine.requests_in_flight) return;
  if (next_piece(*c)) {
    piece& p = new_piece(*c);
    if (p.where.inside) {
      transfer(p, !c->to_shared(), false, arrival);
    } else {
      fill(p);
      p.valid = arrival;
      advance(p);
    }
  }
  if (next_piece(*c)) return;
  c->all_asked = true;
  check_end(*c);
}

bulk_copy_engine::piece& bulk_copy_engine::new_piece(copy& c) {
  if (free_.empty()) {
    pieces_.push_back(std::make_unique<piece>());
    pieces_.back()->bytes.resize(params_.global_memory.line_bytes);
    pieces_.back()->undefined.resize(params_.global_memory.line_bytes);
    free_.push_back(pieces_.back().get());
  }
  piece& p = *free_.back();
  free_.pop_back();
  p.of = &c;
  p.where = *c.next;
  p.number = ++last_piece_;
  p.is_read = false;
  p.valid = 0;
  p.any_undefined = false;
  c.next.reset();
  ++c.fetching;
  ++c.moving;
  return p;
}

/// Zeros, or a NaN whose bits are all set but the sign.
void bulk_copy_engine::fill(piece& p) const {
  const isa::tensor_map& map = *p.of->what.map;
  std::fill_n(p.bytes.begin(), p.where.bytes, static_cast<unsigned char>(map.fill_nan ? 0xff : 0));
  if (!map.fill_nan) return;
  for (std::uint32_t last = map.element_bytes; last <= p.where.bytes; last += map.element_bytes) p.bytes[last - 1] = 0x7f;
}

/// Writes pieces that have come to their memory, as far as it can take them in the next cycle.
void bulk_copy_engine::write_fetched(piece_queue& fetched, bool is_shared, cycle_t cycle) {
  const cycle_t arrival = cycle + send_cycles;
  while (!fetched.empty() && std::max(fetched.top()->valid, next_write(is_shared)) <= arrival) {
    piece& p = *fetched.top();
    fetched.pop();
    transfer(p, is_shared, true, arrival);
  }
}

/// Reads a piece from a memory, or writes it there.
void bulk_copy_engine::transfer(piece& p, bool with_shared, bool is_write, cycle_t arrival) {
  copy& c = *p.of;
  p.outstanding = 2;  // the access, and this function
  if (is_write) c.sent = std::max(c.sent, arrival);
  if (with_shared)
    send_shared(p, is_write, arrival);
  else
    send_global(p, is_write, arrival);
  if (--p.outstanding == 0)
    advance(p);
  else
    check_end(c);
}

void bulk_copy_engine::send_global(piece& p, bool is_write, cycle_t arrival) {
  next_global_ = arrival + 1;
  ++requests_;
  tlm::tlm_generic_payload& payload = pool_.get();
  fabric::set_attributes(payload, is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, p.where.global, p.bytes.data(), p.where.bytes);
  fabric::owner_tag<piece>::of(payload).job = &p;
  fabric::undefined_bytes& undefined = fabric::undefined_bytes::of(payload);
  undefined.any = is_write && p.any_undefined;
  if (undefined.any) undefined.flags.assign(p.undefined.begin(), p.undefined.begin() + p.where.bytes);
  fabric::warp_tag::mark(payload, 0, p.of->what.record);  // the warp goes on meanwhile
  fabric::cache_hint& hint = fabric::cache_hint::of(payload);
  hint.bypass_l1 = true;
  hint.goes_on = false;
  global.send(payload, clock_.delay_to(arrival));
}

/// The runs of a piece go through the banks together, in the stream of the unit.
void bulk_copy_engine::send_shared(piece& p, bool is_write, cycle_t arrival) {
  copy& c = *p.of;
  const cycle_t cycles = direction_of(c).path.take(arrival, p.where.bytes);
  if (c.to_shared()) busy_cycles_ += cycles;
  find_runs(p);
  links::shared_memory_transfer& access = p.access;
  access.user = links::memory_user::asynchronous;
  access.is_write = is_write;
  access.any_undefined = is_write && p.any_undefined;
  access.record = c.what.record;
  access.number = p.number;
  access.arrival = arrival;
  access.interval = 1;
  access.buffer = p.bytes.data();
  access.undefined = p.undefined.data();
  access.owner = &p;
  shared.send(access);
}

void bulk_copy_engine::find_runs(piece& p) {
  const links::bulk_copy_transfer& what = p.of->what;
  links::shared_memory_transfer& access = p.access;
  const shared_place place{0, what.copy->shared + p.where.shared, p.where.bytes, params_.data ? swizzle_of(what) : isa::swizzle_mode::none};
  p.runs.clear();
  access.base = p.of->window;
  access.bytes = 0;
  for_each_shared_run(place, params_.shared_memory.row_bytes(), [&](std::uint64_t address, std::uint32_t offset, std::uint32_t bytes) {
    p.runs.push_back({address, static_cast<std::uint16_t>(offset), static_cast<std::uint16_t>(bytes), 0});
    access.bytes = std::max(access.bytes, address + bytes);
  });
  access.runs_begin = p.runs.data();
  access.runs_end = p.runs.data() + p.runs.size();
}

/// Global memory has answered.
void bulk_copy_engine::done(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  piece& p = *fabric::owner_tag<piece>::of(payload).job;
  p.valid = std::max(p.valid, links::arrival_cycle(clock_, delay));
  if (params_.data && payload.is_response_error()) {
    report_refusal(*p.of, "global", payload.is_write(), payload.get_address(), payload.get_data_length(), payload.get_response_string());
  } else if (params_.data && payload.is_read()) {
    const auto& undefined = *payload.get_extension<fabric::undefined_bytes>();
    p.any_undefined = undefined.any;  // what has no value where it comes from has none where it goes
    if (undefined.any) std::copy_n(undefined.flags.begin(), payload.get_data_length(), p.undefined.begin());
  }
  payload.release();
  end_access(p);
}

void bulk_copy_engine::shared_done(piece& p) {
  const links::shared_memory_transfer& answer = p.access;
  p.valid = std::max(p.valid, answer.valid);
  if (params_.data && answer.status != tlm::TLM_OK_RESPONSE) {
    report_refusal(*p.of, "shared", answer.is_write, answer.address_of(*answer.refused), answer.refused->length,
                   links::name_of(answer.status));
  } else if (params_.data && !answer.is_write) {
    p.any_undefined = answer.any_undefined;
    tell_hazards(*p.of, answer);
  }
  end_access(p);
}

void bulk_copy_engine::end_access(piece& p) {
  if (--p.outstanding == 0) advance(p);
  wake_outside_of_an_edge();
}

/// Says what a memory refused; once for each copy.
void bulk_copy_engine::report_refusal(copy& c, const char* memory, bool is_write, std::uint64_t address, std::uint64_t bytes,
                                      const std::string& response) {
  if (std::exchange(c.failed, true)) return;
  report(fabric::report::bulk_copy_memory, c,
         fmt::format("the {} memory answered the {} of {} bytes at {:#x} with {}", memory, is_write ? "write" : "read", bytes, address,
                     response));
}

/// Tells the observer what bytes that were read cannot be relied on, by their address in the CTA's window; once for each copy.
void bulk_copy_engine::tell_hazards(copy& c, const links::shared_memory_transfer& seen) {
  if (observer.size() == 0) return;
  if (seen.hazard != fabric::proxy_hazard::none && !std::exchange(c.unordered, true))
    observer->unordered_read(c.origin(), seen.hazard, seen.first_hazard - c.window);
  if (seen.any_undefined && !std::exchange(c.undefined, true)) observer->undefined_read(c.origin(), seen.first_undefined - c.window);
}

/// A piece has been read, and waits to be written; or it is in its place.
void bulk_copy_engine::advance(piece& p) {
  copy& c = *p.of;
  if (!std::exchange(p.is_read, true)) {
    --c.fetching;
    c.read = std::max(c.read, p.valid);
    (c.to_shared() ? to_shared_ : to_global_).push(&p);
  } else {
    --c.moving;
    c.written = std::max(c.written, p.valid);
    std::uint64_t& bytes = !p.where.inside ? bytes_filled_ : c.to_shared() ? bytes_to_shared_ : bytes_to_global_;
    bytes += p.where.bytes;
    free_.push_back(&p);
  }
  check_end(c);
}

/// Notes what is to be told of a copy of which all pieces were asked for, and forgets it when nothing is left of it.
void bulk_copy_engine::check_end(copy& c) {
  if (!c.all_asked || c.fetching > 0) return;
  if (!c.to_shared() && !std::exchange(c.read_noticed, true)) notices_.push_back({c.read, &c, false});
  if (c.moving == 0 && !std::exchange(c.complete_noticed, true))
    notices_.push_back({(c.to_shared() ? c.written : c.sent) + direction_of(c).timing.complete_cycles, &c, true});
  if (c.told_complete && c.moving == 0) finish(c, sc_core::SC_ZERO_TIME);
}

/// Tells what arrives in the next cycle, in the order in which it was noted.
void bulk_copy_engine::give_notices(cycle_t cycle) {
  const auto is_due = [cycle](const notice& each) { return each.cycle <= cycle + send_cycles; };
  for (auto due = std::find_if(notices_.begin(), notices_.end(), is_due); due != notices_.end();
       due = std::find_if(notices_.begin(), notices_.end(), is_due)) {
    const notice given = *due;
    notices_.erase(due);
    tell(given, cycle + send_cycles);
  }
}

void bulk_copy_engine::tell(const notice& given, cycle_t arrival) {
  copy& c = *given.of;
  sc_core::sc_time delay = clock_.delay_to(arrival);
  if (!c.to_shared()) {
    links::bulk_copy_transfer answer = c.what;
    tlm::tlm_phase phase = given.complete ? tlm::BEGIN_RESP : tlm::END_REQ;
    bulk_copy[static_cast<int>(c.link)]->nb_transport_bw(answer, phase, delay);
    c.told_complete = given.complete;
    return check_end(c);
  }
  links::barrier_transfer& completion = c.completion;
  completion.action = isa::barrier_action::complete;
  completion.address = c.window + c.what.copy->barrier;
  completion.bytes = static_cast<std::uint32_t>(copy_walk::counted_bytes(*c.what.copy, c.what.map));
  completion.region_base = c.window + c.what.copy->shared;
  completion.region_bytes = copy_walk::shared_bytes(*c.what.copy, c.what.map);
  completion.record = c.what.record;
  completion.owner = &c;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  if (barrier->nb_transport_fw(completion, phase, delay) == tlm::TLM_COMPLETED) finish(c, delay);
}

tlm::tlm_sync_enum bulk_copy_engine::barrier_answered(links::barrier_transfer& completion, tlm::tlm_phase&, sc_core::sc_time& delay) {
  finish(*static_cast<copy*>(completion.owner), delay);
  return tlm::TLM_COMPLETED;
}

/// All bytes are in their place, and an mbarrier knows. Who asked for a copy to shared memory learns only this.
void bulk_copy_engine::finish(copy& c, sc_core::sc_time delay) {
  if (c.completion.response != links::barrier_response::done)
    report(fabric::report::bulk_copy_barrier, c,
           fmt::format("{} bytes have come, but the mbarrier at {:#x} {}", c.completion.bytes, c.what.copy->barrier,
                       text_of(c.completion.response)));
  if (c.to_shared()) {
    links::bulk_copy_transfer answer = c.what;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    bulk_copy[static_cast<int>(c.link)]->nb_transport_bw(answer, phase, delay);
  }
  copies_.remove_if([&c](const copy& each) { return &each == &c; });
}

void bulk_copy_engine::report(const char* type, const copy& c, const std::string& text) {
  fabric::fault(type, *this, clock_.cycle(), fmt::format("line {}: {}: {}", c.what.line, c.what.code->text, text));
}

void bulk_copy_engine::describe(std::vector<std::string>& lines) const {
  for (const copy& c : copies_)
    lines.push_back(fmt::format("{}: line {}: {}: {} parts on their way{}", name(), c.what.line, c.what.code->text, c.moving,
                                c.all_asked ? "" : ", others not begun"));
}

void bulk_copy_engine::reset() {
  loads_ = direction(params_.engine.load);
  stores_ = direction(params_.engine.store);
  next_global_ = 0;
  last_piece_ = 0;
  copies_begun_ = requests_ = busy_cycles_ = 0;
  bytes_to_shared_ = bytes_to_global_ = bytes_filled_ = 0;
}

void bulk_copy_engine::collect(fabric::statistics_sink& sink) const {
  sink.count("copies", copies_begun_, "copies", "Bulk copies");
  sink.count("requests", requests_, "requests", "Requests to global memory");
  sink.bytes("bytes_to_shared", bytes_to_shared_, "Bytes copied from global to shared memory");
  sink.bytes("bytes_to_global", bytes_to_global_, "Bytes copied from shared to global memory");
  sink.bytes("bytes_filled", bytes_filled_, "Bytes of shared memory filled because they lie outside a tensor");
  sink.busy(busy_cycles_, "Cycles in which the path into shared memory was in use");
}

}  // namespace tc::engine
