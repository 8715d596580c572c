#include "statistics_series.hpp"

#include <algorithm>
#include <numeric>

namespace tc::observe {

namespace {

boost::json::string text(std::string_view characters) { return boost::json::string(characters.data(), characters.size()); }

}  // namespace

void statistics_series::begin_object(std::string_view path) { unit_ = path; }

/// Units report always the same statistics in the same order.
void statistics_series::record(const fabric::statistic& value) {
  if (value.kind == fabric::statistic_kind::ratio) return;
  if (next_counter_ == counters_.size()) counters_.push_back({std::string(unit_), value.key()});
  take(counters_[next_counter_++], value.value);
}

/// Into the last interval. What a unit has counted ahead it may take back.
void statistics_series::take(counter& each, std::uint64_t value) const {
  if (value == each.last) return;
  each.increments.resize(ends_.size());
  each.increments.back() += static_cast<std::int64_t>(value - each.last);
  each.last = value;
}

void statistics_series::collect() {
  next_counter_ = 0;
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

bool statistics_series::is_too_large() const {
  if (ends_.size() > limits_.max_intervals) return true;
  const auto add = [](std::size_t sum, const counter& each) { return sum + each.increments.size(); };
  return std::accumulate(counters_.begin(), counters_.end(), std::size_t{0}, add) > limits_.max_numbers;
}

/// There is an even number of intervals.
void statistics_series::join_pairs() {
  interval_ *= 2;
  for (counter& each : counters_) {
    each.increments.resize((each.increments.size() + 1) / 2 * 2);
    for (std::size_t i = 0; i < each.increments.size(); i += 2) each.increments[i / 2] = each.increments[i] + each.increments[i + 1];
    each.increments.resize(each.increments.size() / 2);
    each.increments.shrink_to_fit();
  }
  for (std::size_t i = 0; i < ends_.size(); i += 2) ends_[i / 2] = ends_[i + 1];
  ends_.resize(ends_.size() / 2);
}

void statistics_series::join_last_two() {
  for (counter& each : counters_) {
    if (each.increments.size() < ends_.size()) continue;
    const std::int64_t last = each.increments.back();
    each.increments.pop_back();
    each.increments.back() += last;
  }
  ends_.pop_back();
}

boost::json::object statistics_series::json() const {
  boost::json::object units;
  for (const counter& each : counters_) {
    const bool changes = std::any_of(each.increments.begin(), each.increments.end(), [](std::int64_t change) { return change != 0; });
    if (!changes) continue;
    boost::json::value& unit = units[text(each.unit)];
    if (unit.is_null()) unit.emplace_object();
    boost::json::array increments(each.increments.begin(), each.increments.end());
    increments.resize(ends_.size(), 0);
    unit.get_object()[text(each.key)] = std::move(increments);
  }
  return {{"interval", interval_}, {"cycles", boost::json::array(ends_.begin(), ends_.end())}, {"units", std::move(units)}};
}

}  // namespace tc::observe
