// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <systemc>

#include <gtest/gtest.h>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/reports.hpp>

#include "expect_assertion.hpp"

namespace tc::fabric::clock_domain_test {
namespace {

using sc_core::SC_NS;
using sc_core::SC_PS;
using sc_core::sc_start;
using sc_core::sc_time;

/// Remembers when it ran; asks for the wake-ups that the test planned for each cycle.
class recorder final : public clocked {
 public:
  explicit recorder(clock_domain& domain) : domain_(domain), id_(domain.add(*this)) {}

  void evaluate(cycle_t cycle) override {
    EXPECT_EQ(cycle, domain_.cycle());
    EXPECT_EQ(domain_.time_of(cycle), sc_core::sc_time_stamp());
    evaluated.push_back(cycle);
    for (const cycle_t next : plan[cycle]) domain_.wake(id_, next);
  }

  std::size_t id() const { return id_; }

  std::map<cycle_t, std::vector<cycle_t>> plan;
  std::vector<cycle_t> evaluated;

 private:
  clock_domain& domain_;
  std::size_t id_;
};

using cycles = std::vector<cycle_t>;

TEST(clock_domain, runs_only_the_edges_asked_for) {
  clock_domain clock("clock", sc_time(2, SC_NS));
  recorder unit(clock);
  unit.plan[3] = {4, 9};
  unit.plan[4] = {9};
  clock.wake(unit.id(), 3);
  sc_start();
  EXPECT_EQ(unit.evaluated, (cycles{3, 4, 9}));
  EXPECT_EQ(clock.edges(), 3u);
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_time(18, SC_NS));
}

TEST(clock_domain, costs_no_event_when_nobody_asks) {
  clock_domain clock("clock", sc_time(1, SC_NS));
  recorder unit(clock);
  EXPECT_TRUE(clock.idle());
  sc_start();
  EXPECT_EQ(clock.edges(), 0u);
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
  EXPECT_FALSE(sc_core::sc_pending_activity());
  EXPECT_TRUE(unit.evaluated.empty());
}

TEST(clock_domain, is_idle_once_the_last_wake_up_has_run) {
  clock_domain clock("clock", sc_time(1, SC_NS));
  recorder unit(clock);
  clock.wake(unit.id(), 5);
  EXPECT_FALSE(clock.idle());
  sc_start();
  EXPECT_TRUE(clock.idle());
}

TEST(clock_domain, cycle_0_is_the_edge_at_time_0) {
  clock_domain clock("clock", sc_time(1, SC_NS));
  recorder unit(clock);
  clock.wake(unit.id(), clock.edge_at(sc_core::SC_ZERO_TIME));
  sc_start();
  EXPECT_EQ(unit.evaluated, cycles{0});
}

TEST(clock_domain, keeps_only_the_earliest_wake_up_of_a_unit) {
  clock_domain clock("clock", sc_time(1, SC_NS));
  recorder unit(clock);
  for (const cycle_t cycle : cycles{7, 3, 3, 5}) clock.wake(unit.id(), cycle);
  sc_start();
  EXPECT_EQ(unit.evaluated, cycles{3});
  EXPECT_EQ(clock.edges(), 1u) << "a replaced wake-up must not cost an edge";
}

TEST(clock_domain, a_replaced_wake_up_can_be_asked_for_again) {
  clock_domain clock("clock", sc_time(1, SC_NS));
  recorder unit(clock);
  unit.plan[3] = {7};
  clock.wake(unit.id(), 7);
  clock.wake(unit.id(), 3);
  sc_start();
  EXPECT_EQ(unit.evaluated, (cycles{3, 7})) << "once each, although cycle 7 was queued twice";
}

TEST(clock_domain, rounds_arrivals_up_to_an_edge) {
  clock_domain clock("clock", sc_time(10, SC_NS));
  EXPECT_EQ(clock.edge_at(sc_core::SC_ZERO_TIME), 0u);
  EXPECT_EQ(clock.edge_at(sc_time(1, SC_PS)), 1u);
  EXPECT_EQ(clock.edge_at(sc_time(10, SC_NS)), 1u);
  EXPECT_EQ(clock.edge_at(sc_time(10001, SC_PS)), 2u);
  sc_start(sc_time(25, SC_NS));
  EXPECT_EQ(clock.cycle(), 2u);
  EXPECT_EQ(clock.edge_at(sc_core::SC_ZERO_TIME), 3u);
  EXPECT_EQ(clock.edge_at(sc_time(5, SC_NS)), 3u);
  EXPECT_EQ(clock.edge_at(sc_time(6, SC_NS)), 4u);
  EXPECT_EQ(clock.delay_to(3), sc_time(5, SC_NS));
}

TEST(clock_domain, can_be_used_late_for_the_first_time) {
  clock_domain clock("clock", sc_time(10, SC_NS));
  recorder unit(clock);
  sc_start(sc_time(1003, SC_NS));
  clock.wake(unit.id(), clock.edge_at(sc_core::SC_ZERO_TIME));
  sc_start();
  EXPECT_EQ(unit.evaluated, cycles{101});
}

/// Asks its domain, from inside its edge, which edge sees an arrival without delay.
class immediate_arrival final : public clocked {
 public:
  explicit immediate_arrival(clock_domain& domain) : domain_(domain) { domain.wake(domain.add(*this), 2); }
  void evaluate(cycle_t) override { edge = domain_.edge_at(sc_core::SC_ZERO_TIME); }
  cycle_t edge = 0;

 private:
  clock_domain& domain_;
};

TEST(clock_domain, an_arrival_during_an_edge_is_seen_by_the_next) {
  clock_domain clock("clock", sc_time(1, SC_NS));
  immediate_arrival unit(clock);
  sc_start();
  EXPECT_EQ(unit.edge, 3u);
}

/// Wakes a unit from a process outside the domain, at the time of an edge.
class outside_waker final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(outside_waker);
  outside_waker(const sc_core::sc_module_name& name, clock_domain& clock, std::size_t id) : sc_module(name), clock_(clock), id_(id) {
    SC_METHOD(wake);
    sensitive << due;
    dont_initialize();
  }
  sc_core::sc_event due{"due"};

 private:
  void wake() { clock_.wake(id_, clock_.edge_at(sc_core::SC_ZERO_TIME)); }

  clock_domain& clock_;
  std::size_t id_;
};

/// Whether the process runs before the edge or after it: nothing that a unit asked for in that edge is lost.
TEST(clock_domain, a_wake_up_at_the_time_of_an_edge_loses_no_other) {
  clock_domain clock("clock", sc_time(1, SC_NS));
  recorder busy(clock), woken(clock);
  outside_waker before("before", clock, woken.id()), after("after", clock, woken.id());
  for (cycle_t cycle = 5; cycle < 9; ++cycle) busy.plan[cycle] = {cycle + 1};
  before.due.notify(sc_time(5, SC_NS));
  clock.wake(busy.id(), 5);
  after.due.notify(sc_time(5, SC_NS));
  sc_start();
  EXPECT_EQ(busy.evaluated, (cycles{5, 6, 7, 8, 9}));
  EXPECT_LE(woken.evaluated.back(), 6u);
}

/// Adds its id to a list when it runs.
class listed final : public clocked {
 public:
  listed(clock_domain& domain, std::vector<std::size_t>& order, unsigned stage = 0) : id_(domain.add(*this, stage)), order_(order) {}
  void evaluate(cycle_t) override { order_.push_back(id_); }
  std::size_t id() const { return id_; }

 private:
  std::size_t id_;
  std::vector<std::size_t>& order_;
};

/// Wakes units of a domain in the order given when it runs.
class waker final : public clocked {
 public:
  waker(clock_domain& domain, cycle_t cycle, std::vector<std::size_t> ids)
      : domain_(domain), id_(domain.add(*this)), cycle_(cycle), ids_(std::move(ids)) {}
  void evaluate(cycle_t) override {
    for (const std::size_t id : ids_) domain_.wake(id, cycle_);
  }
  std::size_t id() const { return id_; }

 private:
  clock_domain& domain_;
  std::size_t id_;
  cycle_t cycle_;
  std::vector<std::size_t> ids_;
};

/// Cycle 500 is far when the first of them ask, near for the next, and next to the running cycle for the last.
TEST(clock_domain, runs_units_by_stage_and_registration_whenever_they_asked) {
  clock_domain clock("clock", sc_time(1, SC_NS));
  std::vector<std::size_t> order;
  listed a(clock, order, 2), b(clock, order, 1), c(clock, order), d(clock, order, 1), e(clock, order, 2), f(clock, order);
  waker near(clock, 500, {d.id(), b.id()}), just_before(clock, 500, {f.id(), a.id()});
  for (const std::size_t id : {e.id(), c.id()}) clock.wake(id, 500);
  clock.wake(near.id(), 480);
  clock.wake(just_before.id(), 499);
  sc_start();
  EXPECT_EQ(order, (std::vector<std::size_t>{c.id(), f.id(), b.id(), d.id(), a.id(), e.id()}));
}

/// The order of twelve units of three stages in each of some edges.
std::vector<std::vector<std::size_t>> orders_of_edges(unsigned edges) {
  clock_domain clock("clock", sc_time(1, SC_NS));
  std::vector<std::size_t> order;
  std::vector<std::unique_ptr<listed>> units;
  for (unsigned i = 0; i < 12; ++i) units.push_back(std::make_unique<listed>(clock, order, i / 4));
  std::vector<std::vector<std::size_t>> orders;
  for (unsigned edge = 0; edge < edges; ++edge) {
    order.clear();
    for (const auto& unit : units) clock.wake(unit->id(), clock.edge_at(sc_time(1, SC_NS)));
    sc_start(sc_time(2, SC_NS));
    orders.push_back(order);
  }
  return orders;
}

TEST(clock_domain, shuffles_units_within_their_stages) {
  clock_domain::shuffle_stages(7);
  const auto orders = orders_of_edges(20);
  for (std::vector<std::size_t> order : orders) {
    ASSERT_EQ(order.size(), 12U);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end(), [](std::size_t x, std::size_t y) { return x / 4 < y / 4; }));
    std::sort(order.begin(), order.end());
    EXPECT_EQ(std::adjacent_find(order.begin(), order.end()), order.end());
  }
  EXPECT_GT((std::set<std::vector<std::size_t>>(orders.begin(), orders.end()).size()), 15U) << "another order in nearly every edge";
}

TEST(clock_domain, loses_no_wake_up_whatever_its_distance) {
  clock_domain clock("clock", sc_time(1, SC_NS));
  recorder unit(clock), other(clock);
  cycles expected;
  cycle_t at = 3;
  for (const cycle_t distance : cycles{1, 2, 62, 63, 64, 65, 66, 127, 128, 129, 1, 1000, 64, 1}) {
    unit.plan[at] = {at + distance + 200, at + distance};  // the first is replaced
    other.plan[at] = {at + distance + 1};
    expected.push_back(at);
    at += distance;
  }
  expected.push_back(at);
  clock.wake(unit.id(), 3);
  clock.wake(other.id(), 3);
  sc_start();
  EXPECT_EQ(unit.evaluated, expected);
  EXPECT_TRUE(clock.idle());
}

TEST(clock_domain, forgets_wake_ups_on_reset) {
  clock_domain clock("clock", sc_time(1, SC_NS));
  recorder unit(clock);
  clock.wake(unit.id(), 4);
  clock.reset();
  EXPECT_TRUE(clock.idle());
  sc_start(sc_time(2500, SC_PS));
  EXPECT_TRUE(unit.evaluated.empty());
  clock.wake(unit.id(), 6);
  sc_start();
  EXPECT_EQ(unit.evaluated, cycles{6});
}

void run_asking_in_cycle_5_for(cycle_t asked) {
  clock_domain clock("clock", 1, SC_NS);
  recorder unit(clock);
  unit.plan[5] = {asked};
  clock.wake(unit.id(), 5);
  sc_start();
}

TEST(clock_domain, never_goes_back) {
  EXPECT_ASSERTION(run_asking_in_cycle_5_for(5), "cycle >= first_");
  EXPECT_ASSERTION(run_asking_in_cycle_5_for(4), "cycle >= first_");
}

TEST(clock_domain, keeps_two_domains_apart) {
  clock_domain slow("slow", sc_time(3, SC_NS));
  clock_domain fast("fast", sc_time(2, SC_NS));
  recorder in_slow(slow);
  recorder in_fast(fast);
  slow.wake(in_slow.id(), 2);
  fast.wake(in_fast.id(), 3);  // both at 6 ns
  sc_start();
  EXPECT_EQ(in_slow.evaluated, cycles{2});
  EXPECT_EQ(in_fast.evaluated, cycles{3});
}

std::string type_of_error(double period, sc_core::sc_time_unit unit) {
  try {
    clock_domain clock("clock", period, unit);
  } catch (const sc_core::sc_report& report) {
    return report.get_msg_type();
  }
  return "";
}

TEST(clock_domain, refuses_a_period_that_is_not_a_multiple_of_the_resolution) {
  EXPECT_EQ(type_of_error(0.5698, SC_NS), report::clock_period);  // 569.8 ps at a resolution of 1 ps
}

TEST(clock_domain, refuses_a_period_of_zero) { EXPECT_EQ(type_of_error(0, SC_NS), report::clock_period); }

TEST(clock_domain, accepts_a_decimal_period_that_is_exact) {
  EXPECT_EQ(type_of_error(0.7, SC_NS), "");
  clock_domain clock("exact", 0.7, SC_NS);
  EXPECT_EQ(clock.period(), sc_time(700, SC_PS));
}

/// Each unit wakes random units at random later cycles, for a limited number of times.
class stress_unit final : public clocked {
 public:
  stress_unit(clock_domain& domain, std::set<std::pair<cycle_t, std::size_t>>& expected, std::vector<cycle_t>& due, std::mt19937& random)
      : domain_(domain), expected_(expected), due_(due), random_(random), id_(domain.add(*this)) {
    due_.push_back(none);
  }

  static constexpr cycle_t none = ~cycle_t{0};

  /// The reference: per unit the earliest cycle asked for, which may be one behind an edge in which it has yet to evaluate.
  void ask(std::size_t id, cycle_t cycle, cycle_t now = none) {
    if (cycle < due_[id] || due_[id] == now) {
      if (due_[id] != now) expected_.erase({due_[id], id});
      expected_.insert({cycle, id});
      due_[id] = cycle;
    }
    domain_.wake(id, cycle);
  }

  void evaluate(cycle_t cycle) override {
    EXPECT_EQ(expected_.erase({cycle, id_}), 1u) << "unit " << id_ << " must not run in cycle " << cycle;
    if (due_[id_] == cycle) due_[id_] = none;
    EXPECT_TRUE(expected_.empty() || expected_.begin()->first >= cycle) << "a wake-up was missed";
    if (budget_ == 0) return;
    --budget_;
    for (unsigned i = random_() % 4; i > 0; --i)
      ask(random_() % due_.size(), cycle + 1 + random_() % (random_() % 2 == 0 ? 2 : 300), cycle);
  }

 private:
  clock_domain& domain_;
  std::set<std::pair<cycle_t, std::size_t>>& expected_;
  std::vector<cycle_t>& due_;
  std::mt19937& random_;
  std::size_t id_;
  unsigned budget_ = 400;
};

class clock_domain_stress : public testing::TestWithParam<std::tuple<unsigned, bool>> {
 protected:
  unsigned seed() const { return std::get<0>(GetParam()); }
  bool runs_ahead() const { return std::get<1>(GetParam()); }
};

TEST_P(clock_domain_stress, agrees_with_a_simple_reference) {
  clock_domain clock("clock", sc_time(1, SC_NS));
  std::mt19937 random(seed());
  std::set<std::pair<cycle_t, std::size_t>> expected;
  std::vector<cycle_t> due;
  std::vector<std::unique_ptr<stress_unit>> units;
  for (unsigned i = 0; i < 17; ++i) units.push_back(std::make_unique<stress_unit>(clock, expected, due, random));
  for (unsigned i = 0; i < 20; ++i) {  // now and then from outside, between edges
    units[0]->ask(random() % units.size(), clock.edge_at(sc_time::from_value(random() % 5000 + 1)));
    const sc_time length(100 * 1000 + 500, SC_PS);
    if (runs_ahead()) clock.run_ahead_until(clock.cycle_of(sc_core::sc_time_stamp() + length) + 1);
    sc_start(length);
  }
  if (runs_ahead()) clock.run_ahead_until(stress_unit::none);
  sc_start();
  EXPECT_TRUE(expected.empty());
  EXPECT_TRUE(clock.idle());
  EXPECT_GT(clock.edges(), 100u);
}

INSTANTIATE_TEST_SUITE_P(seeds, clock_domain_stress, testing::Combine(testing::Values(1u, 2u, 3u, 4u, 5u), testing::Bool()));

}  // namespace
}  // namespace tc::fabric::clock_domain_test
