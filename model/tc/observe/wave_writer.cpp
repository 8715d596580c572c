// SPDX-License-Identifier: Apache-2.0
#include "wave_writer.hpp"

#include <algorithm>

#include <tc/observe/record_filter.hpp>
#include <tc/observe/vcd_text.hpp>

namespace tc::observe {

namespace {

constexpr std::size_t cycle_signal = 0;
constexpr std::size_t open_signal = 0, count_signal = 1, first_attribute = 2;  // among those of a stream

}  // namespace

wave_writer::wave_writer(const std::filesystem::path& path, const fabric::recorder& recorder, const fabric::clock_domain& clock,
                         const wave_options& options)
    : clock_(clock),
      timescale_(timescale_of(clock.period())),
      file_(path),
      window_(options.window),
      chosen_(recorder.streams().size(), none) {
  const std::vector<bool> in_scopes = streams_in_scopes(recorder.streams(), options.scopes);
  signals_.push_back({vcd_identifier(cycle_signal), 64, false});
  std::vector<const fabric::record_stream*> sources;
  for (const fabric::record_stream& source : recorder.streams()) {
    if (!in_scopes[source.number()]) continue;
    chosen_[source.number()] = streams_.size();
    sources.push_back(&source);
    add_stream(source);
  }
  file_.write(vcd_header(sources, timescale_, options.version));
}

wave_writer::~wave_writer() = default;

void wave_writer::add_stream(const fabric::record_stream& source) {
  stream added{signals_.size(), {}};
  for (const wave_signal& each : wave_signals(source.type())) {
    signal& made = signals_.emplace_back(signal{vcd_identifier(signals_.size()), each.bits, each.is_text});
    if (each.what != wave_signal::source::attribute) continue;
    made.now.driven = false;
    added.attributes.push_back(each.attribute);
  }
  streams_.push_back(std::move(added));
}

void wave_writer::write(const fabric::record_event& event) {
  if (file_.failed()) return;
  if (const fabric::cycle_t now = clock_.cycle(); now > shown_) {
    calendar_.take_until(now, [this](fabric::cycle_t cycle, const cycle_events& events) { show(cycle, events); });
    shown_ = now;
  }
  if (shown_ > window_.last()) return;
  if (window_.of_instructions()) follow_window(event);
  const std::size_t number = chosen_[event.stream->number()];
  if (number == none) return;
  if (event.what == fabric::record_event::edge::begin)
    tell_begin(number, event);
  else
    tell_end(number, event);
}

void wave_writer::follow_window(const fabric::record_event& event) {
  if (event.stream->type().name != "instruction") return;
  if (event.what == fabric::record_event::edge::begin) {
    if (window_.instruction_begins(event.cycle)) window_instructions_.insert(event.id);
  } else if (window_instructions_.erase(event.id) != 0) {
    window_.instruction_ended(event.cycle);
  }
}

void wave_writer::tell_begin(std::size_t number, const fabric::record_event& event) {
  stream& told = streams_[number];
  cycle_events& events = calendar_.at(event.cycle);
  told.told_open.push_back({event.id, event.cycle, events.entries.size()});
  events.entries.push_back({number, events.values.size(), true, true});
  for (const std::size_t attribute : told.attributes) events.values.push_back(event.values[attribute]);
}

void wave_writer::tell_end(std::size_t number, const fabric::record_event& event) {
  std::vector<open_record>& open = streams_[number].told_open;
  const auto ended = std::find_if(open.begin(), open.end(), [&](const open_record& each) { return each.id == event.id; });
  sc_assert(ended != open.end());
  cycle_events& events = calendar_.at(event.cycle);
  if (ended->begin == event.cycle)
    events.entries[ended->entry].has_length = false;
  else
    events.entries.push_back({number, 0, false, true});
  open.erase(ended);
}

void wave_writer::show(fabric::cycle_t cycle, const cycle_events& events) {
  if (!dumped_ && cycle > window_.first()) dump(window_.first());
  for (const entry& each : events.entries) apply(each, events);
  if (!dumped_ && cycle == window_.first()) {
    dump(cycle);
  } else if (window_.contains(cycle)) {
    write_time(cycle);
    for (const std::size_t number : changed_) write_values(streams_[number], false);
    store();
  }
  for (const std::size_t number : changed_) streams_[number].changed = false;
  changed_.clear();
}

void wave_writer::apply(const entry& what, const cycle_events& events) {
  stream& told = streams_[what.stream];
  if (!told.changed) changed_.push_back(what.stream);
  told.changed = true;
  signal* const signals = &signals_[told.first_signal];
  if (!what.begins) {
    --signals[open_signal].now.number;
    return;
  }
  ++signals[count_signal].now.number;
  if (!what.has_length) return;
  ++signals[open_signal].now.number;
  for (std::size_t a = 0; a < told.attributes.size(); ++a) {
    value& now = signals[first_attribute + a].now;
    now.number = events.values[what.first_value + a].number;
    now.text = events.values[what.first_value + a].text;
  }
}

void wave_writer::dump(fabric::cycle_t cycle) {
  dumped_ = true;
  write_time(cycle);
  text_.keyword("$dumpvars");
  for (const stream& each : streams_) write_values(each, true);
  text_.keyword("$end");
  store();
}

void wave_writer::write_time(fabric::cycle_t cycle) {
  last_time_ = cycle;
  text_.time(cycle * timescale_.of_cycle);
  text_.number(cycle, signals_[cycle_signal].bits, signals_[cycle_signal].identifier);
}

void wave_writer::write_values(const stream& each, bool all) {
  signal* const signals = &signals_[each.first_signal];
  const bool driven = signals[open_signal].now.number != 0;
  for (std::size_t s = 0; s < first_attribute + each.attributes.size(); ++s) {
    if (s >= first_attribute) signals[s].now.driven = driven;
    if (!all && signals[s].now == signals[s].written) continue;
    write_value(signals[s]);
    signals[s].written = signals[s].now;
  }
}

void wave_writer::write_value(const signal& each) {
  if (!each.now.driven)
    text_.undriven(each.bits, each.identifier);
  else if (each.is_text)
    text_.text(each.now.text, each.bits, each.identifier);
  else
    text_.number(each.now.number, each.bits, each.identifier);
}

void wave_writer::store() {
  file_.write(text_.written());
  text_.clear();
}

bool wave_writer::finish() {
  calendar_.take_all([this](fabric::cycle_t cycle, const cycle_events& events) { show(cycle, events); });
  const fabric::cycle_t end = std::min(clock_.cycle(), window_.last());
  if (!dumped_ && window_.first() <= end) dump(window_.first());
  if (dumped_ && end > last_time_) write_time(end);
  store();
  return file_.close();
}

}  // namespace tc::observe
