// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <map>
#include <vector>

#include <systemc>

#include <gtest/gtest.h>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/local_time.hpp>

// Edges that run while SystemC's time stands still.

namespace tc::fabric::running_ahead_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_start;
using sc_core::sc_time;
using cycles = std::vector<cycle_t>;

sc_time ns(cycle_t count) { return sc_time(static_cast<double>(count), SC_NS); }

/// A unit that runs in each of some cycles, and notes what time SystemC had; cycles take 1 ns.
class walker final : public clocked {
 public:
  walker(clock_domain& clock, const cycles& planned) : clock_(clock), id_(clock.add(*this)), planned_(planned) {
    clock.wake(id_, planned.front());
  }

  void evaluate(cycle_t cycle) override {
    EXPECT_EQ(cycle, clock_.cycle());
    EXPECT_EQ(local_time::now(), clock_.time_of(cycle));
    EXPECT_EQ(clock_.delay_to(cycle), sc_core::SC_ZERO_TIME);
    EXPECT_EQ(clock_.delay_to(cycle + 1000), ns(1000)) << "further away than the delays that are kept";
    EXPECT_EQ(clock_.edge_at(ns(3)), cycle + 3);
    ran.push_back(cycle);
    systemc.push_back(clock_.cycle_of(sc_core::sc_time_stamp()));
    if (notified != nullptr && cycle == notifies_in) local_time::notify(*notified, ns(2));
    if (ran.size() < planned_.size()) clock_.wake(id_, planned_[ran.size()]);
  }

  cycles ran;
  cycles systemc;  ///< by cycle that ran: the cycle at SystemC's time
  sc_core::sc_event* notified = nullptr;
  cycle_t notifies_in = 0;

 private:
  clock_domain& clock_;
  std::size_t id_;
  const cycles planned_;
};

/// A process outside the domain, which notes when it ran and how many edges had.
class bystander final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(bystander);
  bystander(const sc_core::sc_module_name& name, const clock_domain& clock) : sc_module(name), clock_(clock) {
    SC_METHOD(look);
    sensitive << due;
    dont_initialize();
  }
  sc_core::sc_event due{"due"};
  std::vector<sc_time> times;
  cycles edges;

 private:
  void look() {
    EXPECT_EQ(local_time::now(), sc_core::sc_time_stamp());
    times.push_back(sc_core::sc_time_stamp());
    edges.push_back(clock_.edges());
  }

  const clock_domain& clock_;
};

constexpr cycle_t for_ever = ~cycle_t{0};

TEST(running_ahead, is_for_who_asks) {
  clock_domain clock("clock", ns(1));
  walker unit(clock, {3, 4, 80, 1000});
  sc_start();
  EXPECT_EQ(unit.systemc, unit.ran);
}

TEST(running_ahead, leaves_systemc_behind_until_nothing_is_left_to_do) {
  clock_domain clock("clock", ns(1));
  walker unit(clock, {3, 4, 80, 1000});
  clock.run_ahead_until(for_ever);
  sc_start();
  EXPECT_EQ(unit.ran, (cycles{3, 4, 80, 1000}));
  EXPECT_EQ(unit.systemc, (cycles{3, 3, 3, 3}));
  EXPECT_EQ(sc_core::sc_time_stamp(), ns(1000));
  EXPECT_EQ(clock.cycle(), 1000U);
  EXPECT_TRUE(clock.idle());
}

TEST(running_ahead, ends_before_the_cycle_that_was_given) {
  clock_domain clock("clock", ns(1));
  walker unit(clock, {3, 4, 5, 6, 7});
  clock.run_ahead_until(6);
  sc_start();
  EXPECT_EQ(unit.systemc, (cycles{3, 3, 3, 6, 7}));
}

TEST(running_ahead, lets_time_follow_where_simulation_stops) {
  clock_domain clock("clock", ns(1));
  walker unit(clock, {3, 4, 50});
  clock.run_ahead_until(20);
  sc_start(ns(20), sc_core::SC_EXIT_ON_STARVATION);
  EXPECT_EQ(unit.ran, (cycles{3, 4}));
  EXPECT_GE(sc_core::sc_time_stamp(), ns(4));
  clock.run_ahead_until(for_ever);
  sc_start();
  EXPECT_EQ(unit.ran, (cycles{3, 4, 50}));
  EXPECT_EQ(sc_core::sc_time_stamp(), ns(50));
}

/// Of a process that is due with an edge, SystemC decides the order.
TEST(running_ahead, overtakes_no_process_of_others) {
  clock_domain clock("clock", ns(1));
  bystander other("other", clock);
  walker unit(clock, {3, 4, 5, 6, 7, 8});
  clock.run_ahead_until(for_ever);
  other.due.notify(sc_time(5.5, SC_NS));
  sc_start();
  EXPECT_EQ(other.times, (std::vector<sc_time>{sc_time(5.5, SC_NS)}));
  EXPECT_EQ(other.edges, cycles{3});
  EXPECT_EQ(unit.systemc, (cycles{3, 3, 3, 6, 6, 6}));
}

TEST(running_ahead, leaves_an_edge_to_systemc_with_which_a_process_is_due) {
  clock_domain clock("clock", ns(1));
  bystander other("other", clock);
  walker unit(clock, {3, 4, 5, 6});
  clock.run_ahead_until(for_ever);
  other.due.notify(ns(5));
  sc_start();
  EXPECT_EQ(other.times, std::vector<sc_time>{ns(5)});
  EXPECT_EQ(unit.systemc[1], 3U);
  EXPECT_EQ(unit.systemc[2], 5U) << "the process may look at the time";
}

TEST(running_ahead, notifies_after_the_running_edge) {
  clock_domain clock("clock", ns(1));
  bystander other("other", clock);
  walker unit(clock, {3, 4, 5, 8});
  unit.notified = &other.due;
  unit.notifies_in = 4;
  clock.run_ahead_until(for_ever);
  sc_start();
  EXPECT_EQ(other.times, (std::vector<sc_time>{ns(6)}));
  EXPECT_EQ(other.edges, cycles{3});
  EXPECT_EQ(unit.systemc, (cycles{3, 3, 3, 8}));
}

TEST(running_ahead, stops_for_another_domain) {
  clock_domain one("one", ns(1)), two("two", ns(1));
  walker unit(one, {3, 4, 5, 6, 9}), other(two, {5, 7});
  one.run_ahead_until(for_ever);
  two.run_ahead_until(for_ever);
  sc_start();
  EXPECT_EQ(unit.ran, (cycles{3, 4, 5, 6, 9}));
  EXPECT_EQ(other.ran, (cycles{5, 7}));
  for (const walker* each : {&unit, &other})
    for (std::size_t i = 0; i < each->ran.size(); ++i) EXPECT_LE(each->systemc[i], each->ran[i]);
  EXPECT_EQ(sc_core::sc_time_stamp(), ns(9));
}

/// What an edge throws reaches who runs SystemC, and time is SystemC's again.
TEST(running_ahead, ends_with_an_exception) {
  class thrower final : public clocked {
   public:
    explicit thrower(clock_domain& clock) { clock.wake(clock.add(*this), 5); }
    void evaluate(cycle_t) override { SC_REPORT_ERROR("/test/edge", "thrown"); }
  };
  clock_domain clock("clock", ns(1));
  walker unit(clock, {3, 4});
  const thrower failing(clock);
  clock.run_ahead_until(for_ever);
  EXPECT_THROW(sc_start(), sc_core::sc_report);
  EXPECT_EQ(local_time::now(), sc_core::sc_time_stamp());
}

}  // namespace
}  // namespace tc::fabric::running_ahead_test
