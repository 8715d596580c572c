// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include <tc/fabric/clocked.hpp>
#include <tc/fabric/statistics.hpp>

namespace tc::observe {

/// Counters as a time series: their increments in intervals of a run that follow each other. Ratios, which do not add up, are left out.
///
/// Memory grows with the run, and so the intervals do: with more than `max_intervals` of them, or more than `max_numbers` increments, each
/// becomes one with the next.
class statistics_series final : public fabric::statistics_sink {
 public:
  using cycle_t = fabric::cycle_t;

  struct limits {
    std::size_t max_intervals = 100'000;
    std::size_t max_numbers = 4'000'000;  ///< of all counters that have changed
  };

  /// Intervals of so many cycles, at least one; the first begins with cycle 0.
  explicit statistics_series(cycle_t interval) : statistics_series(interval, limits{}) {}
  statistics_series(cycle_t interval, const limits& limit) : limits_(limit), interval_(interval) {}

  /// The cycle before which the running interval ends.
  cycle_t next() const { return (ends_.size() + 1) * interval_; }
  /// Before the cycle next(): ends an interval with the statistics of all modules of the SystemC object tree.
  void sample();
  /// At the end of the run, in a cycle not before the last sample but one: ends the last interval, which may be shorter.
  void finish(cycle_t end);

  /// Cycles of an interval now: those asked for, times a power of two.
  cycle_t interval() const { return interval_; }

  /// `{"interval": cycles, "cycles": [end of each interval], "units": {"<object path>": {"<counter>": [increment in each interval]}}}`, in
  /// the order in which they are first collected. Counters that never change are left out, and units without others. Call it after
  /// finish().
  boost::json::object json() const;

  void begin_object(std::string_view path) override;
  void end_object() override;
  void record(const fabric::statistic& value) override;

 private:
  struct counter {
    std::string name, part;
    std::string key;
    std::uint64_t last = 0;                  // value at the end of the last interval
    std::vector<std::int64_t> increments{};  // of the intervals up to the last that has one
    bool is_told = true;                     // in the running collection
  };
  struct unit {
    std::string path;
    std::vector<counter> counters{};
  };

  void collect();
  counter& find(const fabric::statistic& value);
  void take(counter& each, std::uint64_t value) const;
  template <class Function>
  void for_each_counter(const Function& function);
  bool is_too_large();
  void join_pairs();
  void join_last_two();

  limits limits_;
  cycle_t interval_;
  std::vector<cycle_t> ends_;
  std::vector<unit> units_;
  // While statistics are collected: the place of the running unit, and of the counter that is probably next.
  std::size_t unit_ = 0, next_counter_ = 0;
};

}  // namespace tc::observe
