// SPDX-License-Identifier: Apache-2.0
#include "clock_domain.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>

namespace tc::fabric {

namespace {

/// Whether a length of time is exact in units of the time resolution, up to the rounding of the decimal fractions themselves.
bool is_whole_multiple_of_resolution(double length, sc_core::sc_time_unit unit) {
  const double steps = length * (sc_core::sc_time(1, unit) / sc_core::sc_get_time_resolution());
  return std::abs(steps - std::round(steps)) <= 1e-12 * std::abs(steps);
}

/// Apart from what happens for most wake-ups, which is then short.
template <class Queue>
[[gnu::noinline]] void put_into(Queue& queue, cycle_t cycle, std::size_t id) {
  queue.emplace(cycle, id);
}

}  // namespace

clock_domain::clock_domain(const sc_core::sc_module_name& name, const sc_core::sc_time& period) : sc_module(name), period_(period) {
  if (shuffle_seed_) shuffler_.emplace(*shuffle_seed_);
  check_period();
  for (unsigned periods = 0; periods < near; ++periods) near_delays_[periods] = time_of(periods);
  SC_METHOD(on_edge);
  sensitive << edge_;
  dont_initialize();
}

clock_domain::~clock_domain() = default;

clock_domain::clock_domain(const sc_core::sc_module_name& module_name, double period, sc_core::sc_time_unit unit)
    : clock_domain(module_name, sc_core::sc_time(period, unit)) {
  if (is_whole_multiple_of_resolution(period, unit)) return;
  error(report::clock_period, name(),
        fmt::format("the period {} {} is not a whole multiple of the time resolution {}", period,
                    sc_core::sc_time(1, unit).to_string().substr(2), sc_core::sc_get_time_resolution().to_string()));
}

void clock_domain::check_period() {
  if (period_ != sc_core::SC_ZERO_TIME) return;
  period_ = sc_core::sc_get_time_resolution();  // something to divide by, should the report not throw
  error(report::clock_period, name(), "the period must be at least one time resolution");
}

std::size_t clock_domain::add(clocked& unit, unsigned stage) {
  units_.push_back({&unit, stage});
  in_order_ = false;
  return units_.size() - 1;
}

/// Gives the units their places, after some have been added.
void clock_domain::put_in_order() {
  in_order_ = true;
  order_.resize(units_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(), [this](std::size_t a, std::size_t b) { return units_[a].stage < units_[b].stage; });
  for (std::size_t place = 0; place < order_.size(); ++place) at_place(place).place = place;
  near_ = {};
  near_.make_room(units_.size());
  near_cycles_ = 0;
  for (const slot& unit : units_)
    if (unit.due - first_ < near) put_near(unit);
}

void clock_domain::put_near(const slot& unit) {
  near_.insert(unit.due % near, unit.place);
  near_cycles_ |= std::uint64_t{1} << unit.due % near;
}

void clock_domain::wake_earlier(std::size_t id, cycle_t cycle) {
  if (!in_order_) put_in_order();
  slot& unit = units_[id];
  unit.due = cycle;
  if (cycle - first_ < near)
    put_near(unit);
  else
    put_into(later_, cycle, id);
  if (!in_edge_) arm(cycle);
}

void clock_domain::reset() {
  sc_assert(!in_edge_);
  edge_.cancel();
  for (slot& unit : units_) unit.due = never;
  near_.clear();
  near_cycles_ = 0;
  later_ = {};
}

/// Schedules the next edge; SystemC keeps the earlier of this and a pending notification.
[[gnu::noinline]] void clock_domain::arm(cycle_t cycle) { edge_.notify(delay_to(cycle)); }

void clock_domain::clear_near(cycle_t cycle) {
  near_.clear(cycle % near);
  near_cycles_ &= ~(std::uint64_t{1} << cycle % near);
}

/// The first cycle with an entry in near_; never if there is none.
cycle_t clock_domain::first_near() const {
  if (near_cycles_ == 0) return never;
  const unsigned begin = first_ % near;
  const std::uint64_t from_first = near_cycles_ >> begin | (begin == 0 ? 0 : near_cycles_ << (near - begin));
  return first_ + static_cast<cycle_t>(__builtin_ctzll(from_first));
}

/// The first cycle for which a unit has asked; never if there is none. Wake-ups that an earlier one has replaced must not cost an edge.
cycle_t clock_domain::next_due() {
  const auto is_stale = [this](cycle_t cycle) {
    return !near_.any_of(cycle % near, [&](std::size_t place) { return is_due(place, cycle); });
  };
  cycle_t cycle = first_near();
  for (; cycle != never && is_stale(cycle); cycle = first_near()) clear_near(cycle);
  while (!later_.empty() && units_[later_.top().second].due != later_.top().first) later_.pop();
  return later_.empty() ? cycle : std::min(cycle, later_.top().first);
}

/// Runs the edges for which SystemC's time need not move, as it has nothing else to do before them; returns whether there were any.
bool clock_domain::run_ahead() {
  struct lead {
    ~lead() { local_time::lead_ = 0; }
    void set(sc_dt::uint64 value) { local_time::lead_ = value; }
  } lead;
  const sc_dt::uint64 now = sc_core::sc_time_stamp().value();
  bool is_ahead = false;
  for (cycle_t due = next_due(); due < ahead_until_; due = next_due()) {
    const sc_dt::uint64 until_due = due * period_.value() - now;
    if (sc_core::sc_time_to_pending_activity().value() <= until_due) break;
    lead.set(until_due);
    run_edge(due);
    is_ahead = true;
  }
  return is_ahead;
}

/// A wake-up at the very time of an edge, from a process that runs before it, calls a second time after the edge; and so does the domain
/// itself when it has run ahead, and SystemC's time is to follow before anything else happens.
void clock_domain::on_edge() {
  if (const cycle_t now = cycle(); now >= first_) run_edge(now);
  const bool is_ahead = run_ahead();
  const cycle_t due = next_due();
  if (is_ahead && due >= ahead_until_)
    arm(first_ - 1);
  else if (due != never)
    arm(due);
  else if (rests_)
    rests_();
}

/// Takes the units that asked for this edge, in its order.
void clock_domain::take_due(cycle_t now) {
  active_.clear();
  for (cycle_t cycle = first_near(); cycle < now; cycle = first_near()) clear_near(cycle);
  for (; !later_.empty() && later_.top().first <= now; later_.pop())
    if (later_.top().first == now) near_.insert(now % near, units_[later_.top().second].place);
  near_.take_all(now % near, [&](std::size_t place) {
    if (is_due(place, now)) active_.push_back(&at_place(place));
  });
  near_cycles_ &= ~(std::uint64_t{1} << now % near);
  for (slot* unit : active_) unit->due = never;
}

/// Draws the order of the units of each stage.
void clock_domain::shuffle() {
  for (auto begin = active_.begin(); begin != active_.end();) {
    const auto end = std::find_if(begin, active_.end(), [begin](const slot* unit) { return unit->stage != (*begin)->stage; });
    std::shuffle(begin, end, *shuffler_);
    begin = end;
  }
}

void clock_domain::run_edge(cycle_t now) {
  sc_assert(now >= first_ && time_of(now) == local_time::now());
  take_due(now);
  if (shuffler_) shuffle();

  first_ = now + 1;
  ++edges_;
  in_edge_ = true;
  for (const slot* unit : active_) unit->unit->evaluate(now);
  in_edge_ = false;
}

}  // namespace tc::fabric
