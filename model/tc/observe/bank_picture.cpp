// SPDX-License-Identifier: Apache-2.0
#include "bank_picture.hpp"

#include <algorithm>

namespace tc::observe {

namespace json = boost::json;

bank_picture::bank& bank_picture::bank_of(const fabric::record_stream& stream) {
  const auto [place, is_new] = index_.emplace(stream.path(), banks_.size());
  if (is_new) banks_.push_back({stream.path(), {}});
  return banks_[place->second];
}

void bank_picture::write(const fabric::record_event& event) {
  if (event.what == fabric::record_event::edge::begin) {
    open_.emplace(event.id, event.cycle);
    return;
  }
  const auto begun = open_.find(event.id);
  if (begun == open_.end()) return;
  const auto* const kind = std::find(kinds.begin(), kinds.end(), event.stream->type().name);
  while (event.cycle > interval_ * most_intervals) double_interval();
  add(bank_of(*event.stream).cycles[static_cast<std::size_t>(kind - kinds.begin())], begun->second, event.cycle);
  open_.erase(begun);
}

void bank_picture::add(std::vector<std::uint64_t>& cycles, cycle_t begins, cycle_t ends) {
  while (begins < ends) {
    const auto place = static_cast<std::size_t>(begins / interval_);
    const cycle_t part = std::min(ends, (begins / interval_ + 1) * interval_) - begins;
    if (place >= cycles.size()) cycles.resize(place + 1);
    cycles[place] += part;
    begins += part;
  }
}

void bank_picture::double_interval() {
  interval_ *= 2;
  for (bank& each : banks_) {
    for (auto& cycles : each.cycles) {
      for (std::size_t i = 0; i < cycles.size(); ++i) {
        const std::uint64_t count = cycles[i];
        cycles[i] = 0;
        cycles[i / 2] += count;
      }
      cycles.resize((cycles.size() + 1) / 2);
    }
  }
}

json::object bank_picture::json() const {
  std::vector<const bank*> by_path;
  std::size_t intervals = 0;
  for (const bank& each : banks_) {
    by_path.push_back(&each);
    for (const auto& cycles : each.cycles) intervals = std::max(intervals, cycles.size());
  }
  std::sort(by_path.begin(), by_path.end(), [](const bank* x, const bank* y) { return x->path < y->path; });
  json::array list;
  for (const bank* const each : by_path) {
    json::object entry{{"path", each->path}};
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      auto cycles = each->cycles[k];
      cycles.resize(intervals);
      entry[kinds[k]] = json::value_from(cycles);
    }
    list.push_back(std::move(entry));
  }
  return {{"interval", interval_}, {"banks", std::move(list)}};
}

}  // namespace tc::observe
