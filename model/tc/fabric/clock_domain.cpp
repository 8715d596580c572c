#include "clock_domain.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>

namespace tc::fabric {

namespace {

/// Whether a length of time is exact in units of the time resolution, up to the rounding of the decimal fractions themselves.
bool is_whole_multiple_of_resolution(double length, sc_core::sc_time_unit unit) {
  const double steps = length * (sc_core::sc_time(1, unit) / sc_core::sc_get_time_resolution());
  return std::abs(steps - std::round(steps)) <= 1e-12 * std::abs(steps);
}

}  // namespace

clock_domain::clock_domain(const sc_core::sc_module_name& name, const sc_core::sc_time& period) : sc_module(name), period_(period) {
  check_period();
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

std::size_t clock_domain::add(clocked& unit) {
  units_.push_back({&unit, never});
  return units_.size() - 1;
}

cycle_t clock_domain::edge_at(const sc_core::sc_time& delay) const {
  const cycle_t arrival = (sc_core::sc_time_stamp() + delay).value();
  const cycle_t period = period_.value();
  return std::max((arrival + period - 1) / period, first_);
}

void clock_domain::wake(std::size_t id, cycle_t cycle) {
  sc_assert(cycle >= first_);
  slot& unit = units_[id];
  if (cycle >= unit.due) return;
  unit.due = cycle;
  if (in_edge_ && cycle == first_) {
    next_.push_back(id);
  } else {
    later_.emplace(cycle, id);
  }
  if (!in_edge_) arm(cycle);
}

void clock_domain::reset() {
  sc_assert(!in_edge_);
  edge_.cancel();
  for (slot& unit : units_) unit.due = never;
  next_.clear();
  later_ = {};
}

/// Schedules the next edge; SystemC keeps the earlier of this and a pending notification.
void clock_domain::arm(cycle_t cycle) { edge_.notify(delay_to(cycle)); }

void clock_domain::take(std::size_t id, cycle_t cycle) {
  slot& unit = units_[id];
  if (unit.due != cycle) return;
  unit.due = never;
  active_.push_back(unit.unit);
}

/// Wake-ups that an earlier one has replaced must not cost an edge.
void clock_domain::drop_stale() {
  while (!later_.empty() && units_[later_.top().second].due != later_.top().first) later_.pop();
}

/// A wake-up at the very time of an edge, from a process that runs before it, calls a second time after the edge.
void clock_domain::on_edge() {
  if (const cycle_t now = cycle(); now >= first_) run_edge(now);
  drop_stale();
  if (!next_.empty()) {
    arm(first_);
  } else if (!later_.empty()) {
    arm(later_.top().first);
  }
}

void clock_domain::run_edge(cycle_t now) {
  active_.clear();
  for (const std::size_t id : next_) take(id, now);
  next_.clear();
  for (; !later_.empty() && later_.top().first <= now; later_.pop()) take(later_.top().second, later_.top().first);

  first_ = now + 1;
  ++edges_;
  in_edge_ = true;
  for (clocked* unit : active_) unit->evaluate(now);
  for (clocked* unit : active_) unit->commit(now);
  in_edge_ = false;
}

}  // namespace tc::fabric
