// SPDX-License-Identifier: Apache-2.0
#include "allocation_unit.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <tc/engine/engine_reports.hpp>
#include <tc/fabric/extensions.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>
#include <tc/links/bank_protocol.hpp>
#include <tc/links/edge_stage.hpp>
#include <tc/tmem/cell_address.hpp>

namespace tc::engine {

using tmem::allocation_mistake;

namespace {

/// From an answer, or the write of an address, to the edge in which it begins: the one before; a write then takes shared memory a cycle.
constexpr cycle_t answer_cycles = 1, write_cycles = 1;

std::string text_of(isa::column_range columns) { return fmt::format("columns {} to {}", columns.first, columns.first + columns.count - 1); }

/// Whether a request is waiting for the one that a warp has brought in the peer CTA.
bool is_counterpart(const links::allocation_transfer& waiting, const warp::warp_context& warp) {
  return waiting.warp->cta == warp.peer_cta && waiting.warp->warp_in_cta == warp.warp_in_cta;
}

bool is_same(const isa::tensor_allocation_operation& x, const isa::tensor_allocation_operation& y) {
  return x.action == y.action && x.destination == y.destination && x.tensor_address == y.tensor_address && x.columns == y.columns;
}

/// The payload's extension; attached on first use and owned by the payload from then on.
fabric::new_region& region_of(tlm::tlm_generic_payload& payload) {
  auto* region = payload.get_extension<fabric::new_region>();
  if (region == nullptr) payload.set_extension(region = new fabric::new_region);
  return *region;
}

}  // namespace

allocation_unit::allocation_unit(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name),
      shared("shared", [this](auto& transfer) { written(*static_cast<request*>(transfer.owner)); }),
      tensor_memory("tensor_memory", [](auto& payload, const auto&) { payload.release(); }),
      params_(parameters),
      clock_(clock),
      clocked_id_(links::add_unit(clock, *this, links::edge_stage::tensor_allocation)),
      allocator_(parameters.memory.columns) {
  allocation.register_nb_transport_fw(this, &allocation_unit::take);
  owners.bind(*this);
  pair.bind(*this);
}

allocation_unit::~allocation_unit() = default;

void allocation_unit::reset() {
  allocator_ = tmem::column_allocator(params_.memory.columns);
  requests_.clear();
  holdings_.clear();
  lets_wait_ = true;
  allocations_ = waits_ = columns_ = bytes_written_ = 0;
}

void allocation_unit::let_go() {
  lets_wait_ = false;
  for (const auto& each : requests_)
    if (each->now == request::stage::waits_for_peer || each->now == request::stage::waits_for_columns) done_at(*each, clock_.cycle() + 1);
}

bool allocation_unit::has_allocated(const warp::warp_context& warp, isa::column_range columns) const {
  const auto has = [&](unsigned column) {
    return std::any_of(holdings_.begin(), holdings_.end(), [&](const holding& each) {
      return each.cta_slot == warp.cta_slot && overlap(each.columns, {column, 1});
    });
  };
  constexpr unsigned slot = tmem::column_allocator::slot_columns;
  for (unsigned column = columns.first; column < columns.first + columns.count; column += slot - column % slot)
    if (!has(column)) return false;
  return true;
}

tlm::tlm_sync_enum allocation_unit::take(int link, transfer& what, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) {
    fabric::error(fabric::report::target_phase, name(), std::string("unexpected forward phase ") + phase.get_name());
    return tlm::TLM_ACCEPTED;
  }
  request& next = *requests_.emplace_back(std::make_unique<request>());
  next.what = what;
  next.link = static_cast<unsigned>(link);
  next.arrival = clock_.edge_at(delay);
  next.now = request::stage::waits_for_peer;
  if (!lets_wait_)
    done_at(next, next.arrival + 1);
  else if (what.operation->group == isa::cta_group::two)
    meet(next);
  else
    carry_out(next, is_allocating());
  return tlm::TLM_ACCEPTED;
}

bool allocation_unit::is_allocating() const {
  return std::any_of(requests_.begin(), requests_.end(),
                     [](const auto& each) { return is_allocation(*each) && each->now != request::stage::waits_for_peer; });
}

std::optional<allocation_peer::waiting_request> allocation_unit::counterpart_of(const warp::warp_context& warp) const {
  for (const auto& each : requests_)
    if (each->now == request::stage::waits_for_peer && is_counterpart(each->what, warp)) return waiting_request{each->what, each->arrival};
  return {};
}

/// Carries out a request of a pair in both SMs, if it is the second one of the two.
void allocation_unit::meet(request& next) {
  const std::optional<waiting_request> other = peer->counterpart_of(*next.what.warp);
  if (!other) return;
  if (!is_same(*next.what.operation, *other->what.operation))
    report(report::allocation_rule, next.what,
           fmt::format("warp {} of CTA {}, the peer, does something else, in line {}: {}", other->what.warp->warp_in_cta,
                       other->what.warp->cta, other->what.line, other->what.code->text));
  const bool contended = is_allocating() || peer->is_allocating();
  next.arrival = std::max(next.arrival, other->arrival);
  peer->carry_out_with(*next.what.warp, next.arrival, contended);
  carry_out(next, contended);
}

void allocation_unit::carry_out_with(const warp::warp_context& warp, cycle_t cycle, bool contended) {
  const auto waiting = std::find_if(requests_.begin(), requests_.end(), [&warp](const auto& each) {
    return each->now == request::stage::waits_for_peer && is_counterpart(each->what, warp);
  });
  (*waiting)->arrival = cycle;
  carry_out(**waiting, contended);
}

void allocation_unit::carry_out(request& next, bool contended) {
  next.contended = contended;
  next.now = request::stage::waits_for_columns;
  switch (next.what.operation->action) {
    case isa::tensor_allocation::allocate:
      allocate(next);
      break;
    case isa::tensor_allocation::deallocate:
      deallocate(next);
      break;
    case isa::tensor_allocation::relinquish:
      allocator_.relinquish(next.what.warp->cta_slot);
      done_at(next, next.arrival + 1);
      break;
  }
}

void allocation_unit::allocate(request& next) {
  const tmem::column_allocator::allocation result = allocator_.allocate(next.what.warp->cta_slot, next.what.operation->columns);
  if (result.mistake != allocation_mistake::none) {
    done_at(next, next.arrival + 1);
    return report(report::allocation_rule, next.what, tmem::describe(result.mistake));
  }
  ++allocations_;
  if (result.first) return grant(next, *result.first, next.arrival);
  ++waits_;
  next.contended = true;
}

void allocation_unit::deallocate(request& next) {
  const isa::tensor_allocation_operation& operation = *next.what.operation;
  done_at(next, next.arrival + 1);
  if (const std::string mistake = isa::tensor_address_mistake(operation.tensor_address); !mistake.empty())
    return report(report::allocation_rule, next.what, mistake);
  const isa::tensor_address first = isa::decode_tensor_address(operation.tensor_address);
  const isa::column_range columns{first.column, operation.columns};
  const std::uint32_t cta_slot = next.what.warp->cta_slot;
  const auto held = std::find_if(holdings_.begin(), holdings_.end(),
                                 [&](const holding& each) { return each.cta_slot == cta_slot && each.columns == columns; });
  if (first.lane != 0 || held == holdings_.end())
    return report(report::allocation_rule, next.what, tmem::describe(allocation_mistake::not_allocated));
  holdings_.erase(held);
  grant_waiting(allocator_.deallocate(cta_slot, columns.first, columns.count).granted, next.arrival);
}

/// Requests of a CTA for as many columns are alike: the first one to come gets them.
void allocation_unit::grant_waiting(const std::vector<tmem::column_allocator::grant>& granted, cycle_t cycle) {
  for (const tmem::column_allocator::grant& columns : granted) {
    const auto waiting = std::find_if(requests_.begin(), requests_.end(), [&](const auto& each) {
      return is_waiting(*each) && each->what.warp->cta_slot == columns.cta && each->what.operation->columns == columns.columns;
    });
    if (waiting != requests_.end()) grant(**waiting, columns.first, cycle);
  }
}

/// The columns are the request's. One that had to wait finds them as soon as they are free, and then takes as long as any.
void allocation_unit::grant(request& granted, unsigned first, cycle_t cycle) {
  const isa::column_range columns{first, granted.what.operation->columns};
  const config::tensor_allocation_parameters& costs = params_.memory.allocation;
  granted.has_columns = true;
  granted.address = encode(isa::tensor_address{0, first});
  holdings_.push_back({granted.what.warp->cta_slot, columns, granted.what.code, granted.what.line});
  columns_ += columns.count;
  begin_columns(columns);
  const cycle_t least = granted.arrival + (granted.contended ? costs.contended_cycles : costs.cycles);
  const cycle_t total = std::max(least, cycle + costs.cycles);
  done_at(granted, std::max(total, cycle + 1 + params_.issue_cycles) - params_.issue_cycles);  // the first cycles are few
}

/// In each chunk the columns are bytes that follow each other.
void allocation_unit::begin_columns(isa::column_range columns) {
  for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) {
    tlm::tlm_generic_payload& payload = regions_.get();
    fabric::set_attributes(payload, tlm::TLM_IGNORE_COMMAND, 0, nullptr, 0);
    fabric::new_region& region = region_of(payload);
    region.base = tmem::address_of(isa::tensor_address{chunk * isa::chunk_lanes, columns.first});
    region.bytes = std::uint64_t{columns.count} * tmem::column_bytes;
    region.noted = false;
    tensor_memory.send(payload);
  }
}

void allocation_unit::done_at(request& next, cycle_t cycle) {
  next.done = cycle;
  next.now = request::stage::timed;
  clock_.wake(clocked_id_, std::max(begin_of(next), clock_.edge_at(sc_core::SC_ZERO_TIME)));
}

/// When the last step to the end of a request begins.
cycle_t allocation_unit::begin_of(const request& timed) {
  const cycle_t ahead = answer_cycles + (timed.has_columns ? write_cycles : 0);
  return timed.done > ahead ? timed.done - ahead : 0;
}

/// Answers what is done in the next cycle, and writes the addresses that must be there in the one after it. An answer may bring a request,
/// or end a CTA.
void allocation_unit::evaluate(cycle_t cycle) {
  const auto is_timed = [](const auto& each) { return each->now == request::stage::timed; };
  const auto is_due = [&](const auto& each) { return is_timed(each) && begin_of(*each) <= cycle; };
  for (auto due = std::find_if(requests_.begin(), requests_.end(), is_due); due != requests_.end();
       due = std::find_if(requests_.begin(), requests_.end(), is_due)) {
    if ((*due)->has_columns)
      write_address(**due);
    else
      answer(**due, std::max((*due)->done, cycle + 1));
  }
  for (const auto& each : requests_)
    if (is_timed(each)) clock_.wake(clocked_id_, begin_of(*each));
}

void allocation_unit::write_address(request& next) {
  next.now = request::stage::writes_address;
  links::shared_memory_transfer& write = next.write;
  write.is_write = true;
  write.arrival = clock_.edge_at(sc_core::SC_ZERO_TIME);
  write.base = next.what.warp->shared_base + next.what.operation->destination;
  write.bytes = sizeof next.address;
  write.runs_begin = &next.run;
  write.runs_end = &next.run + 1;
  write.buffer = reinterpret_cast<unsigned char*>(&next.address);
  write.owner = &next;
  bytes_written_ += sizeof next.address;
  shared.send(write);
}

void allocation_unit::written(request& owner) {
  if (owner.write.status != tlm::TLM_OK_RESPONSE)
    report(report::allocation_memory, owner.what,
           fmt::format("shared memory answered the write of the address at {:#x} with {}", owner.what.operation->destination,
                       links::name_of(owner.write.status)));
  answer(owner, std::max(owner.done, owner.write.valid));
}

void allocation_unit::answer(request& finished, cycle_t cycle) {
  const auto place = std::find_if(requests_.begin(), requests_.end(), [&finished](const auto& each) { return each.get() == &finished; });
  const std::unique_ptr<request> kept = std::move(*place);
  requests_.erase(place);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = clock_.delay_to(cycle);
  allocation[static_cast<int>(kept->link)]->nb_transport_bw(kept->what, phase, delay);
}

void allocation_unit::end_cta(std::uint32_t cta_slot, std::uint32_t cta) {
  const auto is_of_cta = [cta_slot](const holding& each) { return each.cta_slot == cta_slot; };
  std::vector<holding> kept;
  std::copy_if(holdings_.begin(), holdings_.end(), std::back_inserter(kept), is_of_cta);
  holdings_.erase(std::remove_if(holdings_.begin(), holdings_.end(), is_of_cta), holdings_.end());
  const tmem::column_allocator::release ended = allocator_.end(cta_slot);
  grant_waiting(ended.granted, clock_.edge_at(sc_core::SC_ZERO_TIME));
  if (!lets_wait_) return;
  for (const holding& each : kept)
    fabric::fault(report::allocation_left, *this, clock_.cycle(),
                  fmt::format("line {}: {}: CTA {} ends without having deallocated {}: tcgen05.dealloc comes before its warps exit",
                              each.line, each.code->text, cta, text_of(each.columns)));
}

void allocation_unit::report(const char* type, const transfer& what, const std::string& text) const {
  fabric::fault(type, *this, clock_.cycle(), fmt::format("line {}: {}: {}", what.line, what.code->text, text));
}

void allocation_unit::describe(std::vector<std::string>& lines) const {
  for (const auto& each : requests_) {
    const transfer& what = each->what;
    if (is_waiting(*each))
      lines.push_back(fmt::format("{}: warp {} of CTA {} waits for {} columns of tensor memory; {} are free", name(),
                                  what.warp->warp_in_cta, what.warp->cta, what.operation->columns, allocator_.free_columns()));
    if (each->now == request::stage::waits_for_peer)
      lines.push_back(fmt::format("{}: warp {} of CTA {} waits for warp {} of CTA {}, the peer, to take part in line {}: {}", name(),
                                  what.warp->warp_in_cta, what.warp->cta, what.warp->warp_in_cta, what.warp->peer_cta, what.line,
                                  what.code->text));
  }
}

void allocation_unit::collect(fabric::statistics_sink& sink) const {
  sink.count("allocations", allocations_, "allocations", "Allocations of columns");
  sink.count("waits", waits_, "allocations", "Allocations that waited for columns");
  sink.count("columns", columns_, "columns", "Columns allocated");
  sink.bytes("bytes_written", bytes_written_, "Bytes of addresses written to shared memory");
}

}  // namespace tc::engine
