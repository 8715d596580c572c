// SPDX-License-Identifier: Apache-2.0
#include "statistics_series.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <systemc>

namespace tc::observe {

template <class Function>
void statistics_series::for_each_counter(const Function& function) {
  for (unit& each : units_)
    for (counter& one : each.counters) function(one);
}

/// The object tree is the same each time.
void statistics_series::begin_object(std::string_view path) {
  if (unit_ == units_.size()) units_.push_back({std::string(path)});
  sc_assert(units_[unit_].path == path);
  next_counter_ = 0;
}

void statistics_series::record(const fabric::statistic& value) {
  if (value.kind == fabric::statistic_kind::ratio) return;
  counter& each = find(value);
  each.is_told = true;
  take(each, value.value);
}

/// A part of a total that is not told is zero.
void statistics_series::end_object() {
  for (counter& each : units_[unit_].counters) {
    if (!each.is_told) take(each, 0);
    each.is_told = false;
  }
  ++unit_;
}

/// Units tell their statistics in the same order, but parts of a total may appear during the run.
statistics_series::counter& statistics_series::find(const fabric::statistic& value) {
  std::vector<counter>& counters = units_[unit_].counters;
  const auto is_it = [&](const counter& each) { return each.name == value.name && each.part == value.part; };
  if (next_counter_ >= counters.size() || !is_it(counters[next_counter_])) {
    const auto found = std::find_if(counters.begin(), counters.end(), is_it);
    next_counter_ = static_cast<std::size_t>(found - counters.begin());
    if (found == counters.end()) counters.push_back({std::string(value.name), std::string(value.part), value.key()});
  }
  return counters[next_counter_++];
}

/// Into the last interval. What a unit has counted ahead it may take back.
void statistics_series::take(counter& each, std::uint64_t value) const {
  if (value == each.last) return;
  each.increments.resize(ends_.size());
  each.increments.back() += static_cast<std::int64_t>(value - each.last);
  each.last = value;
}

void statistics_series::collect() {
  unit_ = 0;
  fabric::collect_statistics(*this);
}

void statistics_series::sample() {
  ends_.push_back(next());
  collect();
  if (ends_.size() % 2 == 0 && is_too_large()) join_pairs();
}

/// What is counted after the end, or not before it, belongs to the interval that ends there.
void statistics_series::finish(cycle_t end) {
  if (ends_.empty() || ends_.back() < end) ends_.push_back(end);
  collect();
  while (ends_.size() > 1 && ends_[ends_.size() - 2] >= end) join_last_two();
  ends_.back() = end;
}

bool statistics_series::is_too_large() {
  if (ends_.size() > limits_.max_intervals) return true;
  std::size_t numbers = 0;
  for_each_counter([&](const counter& each) { numbers += each.increments.size(); });
  return numbers > limits_.max_numbers;
}

/// There is an even number of intervals.
void statistics_series::join_pairs() {
  interval_ *= 2;
  for_each_counter([](counter& each) {
    std::vector<std::int64_t>& numbers = each.increments;
    numbers.resize((numbers.size() + 1) / 2 * 2);
    for (std::size_t i = 0; i < numbers.size(); i += 2) numbers[i / 2] = numbers[i] + numbers[i + 1];
    numbers.resize(numbers.size() / 2);
    numbers.shrink_to_fit();
  });
  for (std::size_t i = 0; i < ends_.size(); i += 2) ends_[i / 2] = ends_[i + 1];
  ends_.resize(ends_.size() / 2);
}

void statistics_series::join_last_two() {
  for_each_counter([&](counter& each) {
    if (each.increments.size() < ends_.size()) return;
    const std::int64_t last = each.increments.back();
    each.increments.pop_back();
    each.increments.back() += last;
  });
  ends_.pop_back();
}

boost::json::object statistics_series::json() const {
  boost::json::object units;
  for (const unit& each : units_) {
    boost::json::object counters;
    for (const counter& one : each.counters) {
      const bool changes = std::any_of(one.increments.begin(), one.increments.end(), [](std::int64_t change) { return change != 0; });
      if (!changes) continue;
      boost::json::array increments(one.increments.begin(), one.increments.end());
      increments.resize(ends_.size(), 0);
      counters[one.key] = std::move(increments);
    }
    if (!counters.empty()) units[each.path] = std::move(counters);
  }
  return {{"interval", interval_}, {"cycles", boost::json::array(ends_.begin(), ends_.end())}, {"units", std::move(units)}};
}

}  // namespace tc::observe
