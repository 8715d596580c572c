// SPDX-License-Identifier: Apache-2.0
#include "ordered_records.hpp"

#include <algorithm>

namespace tc::observe {

ordered_records::ordered_records(const fabric::clock_domain& clock, const record_window& window) : clock_(clock), progress_(window) {}

void ordered_records::write(const fabric::record_event& event) {
  calendar_.take_until(clock_.cycle(), [&](fabric::cycle_t cycle, const moment& what) { hear(cycle, what); });
  if (event.what == fabric::record_event::edge::begin)
    begin_told(event);
  else
    end_told(event);
}

ordered_records::stream_kind ordered_records::kind_of(const fabric::record_stream& stream) {
  if (stream.number() >= kinds_.size()) kinds_.resize(stream.number() + 1, stream_kind::unseen);
  stream_kind& kind = kinds_[stream.number()];
  if (kind == stream_kind::unseen) {
    if (!takes(stream))
      kind = stream_kind::passed_over;
    else
      kind = stream.type().name == "instruction" ? stream_kind::instruction : stream_kind::other;
  }
  return kind;
}

void ordered_records::begin_told(const fabric::record_event& event) {
  const stream_kind kind = kind_of(*event.stream);
  if (kind == stream_kind::passed_over) return;
  const bool in_window = kind != stream_kind::instruction || progress_.instruction_begins(event.cycle);
  if (event.cycle >= progress_.last()) return;
  kept_record* parent = nullptr;
  if (event.parent != 0) {
    parent = by_id_.find(event.parent);
    if (progress_.of_instructions() && (parent == nullptr || !parent->in_window)) return;
  }
  kept_record& record = keep(event);
  record.in_window = in_window;
  record.parent = parent;
  if (parent != nullptr) ++parent->holders;
  if (kind == stream_kind::instruction)
    record.instruction = &record;
  else
    record.instruction = parent != nullptr ? parent->instruction : nullptr;
  calendar_.at(event.cycle).begins.add(record);
}

void ordered_records::end_told(const fabric::record_event& event) {
  kept_record* const told = by_id_.find(event.id);
  if (told == nullptr) return;
  kept_record& record = *told;
  record.end = event.cycle;
  if (record.end == record.begin) return;  // its begin is yet to be heard of, and says so
  calendar_.at(event.cycle).ends.add(record);
}

kept_record& ordered_records::keep(const fabric::record_event& event) {
  if (free_.empty()) {
    free_.push_back(&kept_.emplace_back());
    kept_.back().slot = kept_.size() - 1;
  }
  kept_record& record = *free_.back();
  free_.pop_back();
  record.stream = event.stream;
  record.id = event.id;
  record.begin = event.cycle;
  record.end = kept_record::not_yet;
  record.holders = 1;
  record.values.assign(event.values, event.values + event.stream->type().attribute_count());
  by_id_.add(record);
  return record;
}

void ordered_records::release(kept_record* record) {
  while (record != nullptr && --record->holders == 0) {
    free_.push_back(record);
    record = record->parent;
  }
}

void ordered_records::count_end(const kept_record& record) {
  if (record.instruction == &record && record.in_window) progress_.instruction_ended(record.end);
}

void ordered_records::forget(kept_record& record) {
  by_id_.remove(record);
  release(&record);
}

void ordered_records::hear(fabric::cycle_t cycle, const moment& what) {
  heard_ = cycle;
  for (kept_record *record = what.ends.first, *next = nullptr; record != nullptr; record = next) {
    next = record->next_end;
    count_end(*record);
    ends(*record);
    forget(*record);
  }
  for (kept_record *record = what.begins.first, *next = nullptr; record != nullptr; record = next) {
    next = record->next_begin;
    if (record->end != record->begin) {
      begins(*record);
      continue;
    }
    count_end(*record);
    passes(*record);
    forget(*record);
  }
  cycle_is_over(cycle);
}

void ordered_records::hear_all() {
  calendar_.take_all([&](fabric::cycle_t cycle, const moment& what) { hear(cycle, what); });
  heard_ = std::max(heard_, clock_.cycle());
}

std::vector<kept_record*> ordered_records::left_open() const {
  std::vector<kept_record*> open;
  by_id_.visit([&](kept_record* record) { open.push_back(record); });
  std::sort(open.begin(), open.end(), [](const kept_record* one, const kept_record* other) {
    return one->begin != other->begin ? one->begin < other->begin : one->id < other->id;
  });
  return open;
}

}  // namespace tc::observe
