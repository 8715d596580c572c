// SPDX-License-Identifier: Apache-2.0
#include "recorder.hpp"

#include <utility>

namespace tc::fabric {

recorder::recorder(const sc_core::sc_module_name& module_name, const clock_domain& clock) : sc_module(module_name), clock_(clock) {}

recorder::~recorder() = default;

const record_stream& recorder::add_stream(std::string path, const record_type& type) {
  const record_stream& added = streams_.emplace_back(std::move(path), type, streams_.size());
  [[maybe_unused]] const bool is_new = known_.emplace(added.path(), &type).second;
  sc_assert(is_new);
  return added;
}

std::uint64_t recorder::begin(const record_stream& stream, cycle_t cycle, std::initializer_list<record_value> values,
                              std::uint64_t parent) {
  sc_assert(cycle >= clock_.cycle() && values.size() == stream.type().attribute_count());
  if (cycle >= stop_) return 0;
  record_event event;
  event.stream = &stream;
  event.id = ++last_id_;
  event.cycle = cycle;
  event.parent = parent;
  event.values = values.begin();
  records.write(event);
  return event.id;
}

void recorder::end(const record_stream& stream, std::uint64_t id, cycle_t cycle) {
  sc_assert(cycle >= clock_.cycle());
  if (id == 0) return;
  record_event event;
  event.what = record_event::edge::end;
  event.stream = &stream;
  event.id = id;
  event.cycle = cycle;
  records.write(event);
}

std::uint64_t recorder::span(const record_stream& stream, cycle_t begins, cycle_t ends, std::initializer_list<record_value> values,
                             std::uint64_t parent) {
  sc_assert(ends >= begins);
  const std::uint64_t id = begin(stream, begins, values, parent);
  end(stream, id, ends);
  return id;
}

}  // namespace tc::fabric
