// SPDX-License-Identifier: Apache-2.0
#include "kept_statistics.hpp"

#include <algorithm>
#include <utility>

namespace tc::fabric {

namespace {

kept_statistic keep(const statistic& value) {
  kept_statistic kept;
  kept.name = value.name;
  kept.kind = value.kind;
  kept.unit = value.unit;
  kept.description = value.description;
  kept.part = value.part;
  kept.value = value.value;
  kept.denominator = value.denominator;
  return kept;
}

/// Keeps what is not zero.
class keeping_sink final : public statistics_sink {
 public:
  std::vector<kept_object> objects;

  void begin_object(std::string_view path) override { objects.push_back({std::string(path), {}}); }
  void end_object() override {
    const auto is_zero = [](const kept_statistic& each) {
      return each.value == 0 && (each.kind != statistic_kind::ratio || each.denominator == 0);
    };
    const auto& values = objects.back().statistics;
    if (std::all_of(values.begin(), values.end(), is_zero)) objects.pop_back();
  }
  void record(const statistic& value) override { objects.back().statistics.push_back(keep(value)); }
};

/// Adds the statistics of an object to those of the same object. The longer list gives the order: parts that are zero may be left out.
void add(std::vector<kept_statistic>& sums, std::vector<kept_statistic> more) {
  if (more.size() > sums.size()) sums.swap(more);
  for (kept_statistic& each : more) {
    const auto same = std::find_if(sums.begin(), sums.end(), [&](const kept_statistic& sum) { return sum.is_of_same(each); });
    if (same == sums.end()) {
      sums.push_back(std::move(each));
      continue;
    }
    same->value += each.value;
    if (each.kind == statistic_kind::ratio) same->denominator += each.denominator;
  }
}

}  // namespace

statistics_of_others& statistics_of_others::instance() {
  static statistics_of_others all;
  return all;
}

void statistics_of_others::end_object(statistics_sink& next) {
  next.begin_object(path_);
  if (const auto found = objects_.find(path_); found != objects_.end()) add(current_, found->second);
  for (const kept_statistic& each : current_)
    next.record({each.name, each.kind, each.unit, each.description, each.value, each.denominator, each.part});
  next.end_object();
}

void statistics_of_others::record(const statistic& value) { current_.push_back(keep(value)); }

void statistics_of_others::add_object(const kept_object& object) { add(objects_[object.path], object.statistics); }

std::vector<kept_object> kept_statistics() {
  keeping_sink kept;
  collect_statistics(kept);
  return std::move(kept.objects);
}

void add_statistics(const std::vector<kept_object>& other) {
  for (const kept_object& object : other) statistics_of_others::instance().add_object(object);
}

}  // namespace tc::fabric
