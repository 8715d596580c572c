// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <systemc>

#include <gtest/gtest.h>

#include <tc/observe/statistics_series.hpp>

namespace tc::observe::statistics_series_test {
namespace {

class counters final : public sc_core::sc_module, public fabric::statistics_source {
 public:
  explicit counters(const sc_core::sc_module_name& module_name) : sc_module(module_name) {}

  void collect(fabric::statistics_sink& sink) const override {
    sink.count("things", things, "things", "What is counted");
    sink.ratio("rate", things, 2, "things/half", "No counter");
    if (waits > 0) sink.cycles_of("waits", "long", waits, "A part that is told if there is any");
    sink.count("nothing", 7, "things", "Never changes after the first interval");
    sink.count("zero", 0, "things", "Never changes");
  }

  std::uint64_t things = 0, waits = 0;
};

std::string text(const statistics_series& series) { return boost::json::serialize(series.json()); }

TEST(statistics_series, has_the_increments_of_each_interval) {
  counters unit("unit");
  const counters idle("idle");
  statistics_series series(10);
  EXPECT_EQ(series.next(), 10U);
  unit.things = 5;
  series.sample();
  unit.things = 6;
  unit.waits = 3;
  series.sample();
  EXPECT_EQ(series.next(), 30U);
  unit.waits = 0;
  series.finish(25);
  EXPECT_EQ(text(series),
            R"({"interval":10,"cycles":[10,20,25],"units":{"unit":{"things":[5,1,0],"nothing":[7,0,0],"waits_long":[0,3,-3]},)"
            R"("idle":{"nothing":[7,0,0]}}})");
}

TEST(statistics_series, of_a_run_shorter_than_the_interval_is_one_interval) {
  counters unit("unit");
  statistics_series series(1000);
  unit.things = 5;
  series.finish(25);
  EXPECT_EQ(text(series), R"({"interval":1000,"cycles":[25],"units":{"unit":{"things":[5],"nothing":[7]}}})");
}

TEST(statistics_series, loses_nothing_that_is_counted_at_the_end_of_the_run) {
  counters unit("unit");
  statistics_series series(10);
  series.sample();
  series.sample();
  unit.things = 2;
  series.sample();
  unit.things = 9;
  series.finish(20);
  EXPECT_EQ(text(series), R"({"interval":10,"cycles":[10,20],"units":{"unit":{"things":[0,9],"nothing":[7,0]}}})");
}

TEST(statistics_series, joins_intervals_when_there_are_too_many) {
  counters unit("unit");
  statistics_series::limits limit;
  limit.max_intervals = 4;
  statistics_series series(10, limit);
  for (unsigned i = 0; i < 6; ++i) {
    unit.things += i + 1;
    series.sample();
  }
  EXPECT_EQ(series.interval(), 20U);
  EXPECT_EQ(series.next(), 80U) << "the fourth of 20 cycles";
  unit.things += 100;
  series.finish(65);
  EXPECT_EQ(text(series), R"({"interval":20,"cycles":[20,40,60,65],"units":{"unit":{"things":[3,7,11,100],"nothing":[7,0,0,0]}}})");
}

TEST(statistics_series, joins_intervals_when_there_are_too_many_numbers) {
  counters unit("unit");
  statistics_series::limits limit;
  limit.max_numbers = 4;
  statistics_series series(1, limit);
  for (unsigned i = 0; i < 4; ++i) {
    unit.things += 1;
    series.sample();
  }
  EXPECT_EQ(series.interval(), 2U);
  series.finish(4);
  EXPECT_EQ(text(series), R"({"interval":2,"cycles":[2,4],"units":{"unit":{"things":[2,2],"nothing":[7,0]}}})");
}

}  // namespace
}  // namespace tc::observe::statistics_series_test
