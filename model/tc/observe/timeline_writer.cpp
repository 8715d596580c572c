// SPDX-License-Identifier: Apache-2.0
#include "timeline_writer.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace tc::observe {
namespace {

using fabric::attribute_kind;

constexpr std::size_t flushed_size = std::size_t{1} << 12;

/// How the types are shown that are not shown like most: as slices on a track of place and type, and counted if several may be open.
struct type_look {
  std::string_view type;
  std::string_view track_suffix;
  bool has_slices;
  bool is_counted;
};
constexpr std::array looks{
    type_look{"instruction", " instructions", true, false},
    type_look{"stall", "", true, false},
    type_look{"resident", "", true, false},
    type_look{"issue", "", true, false},
    type_look{"empty_slot", "", true, false},
    type_look{"dependence", "", false, false},
    type_look{"dependence_counter", "", false, true},
    type_look{"read", " read", true, false},
    type_look{"write", " write", true, false},
    type_look{"accumulator", " accumulator", true, false},
    type_look{"write_back", "", true, false},
};

/// Reserved colours of the format, for the choices of an attribute "cause" in their order: "issued" first, in green.
constexpr std::array<std::string_view, 21> colours{
    "good",
    "grey",
    "thread_state_iowait",
    "rail_animation",
    "vsync_highlight_color",
    "detailed_memory_dump",
    "light_memory_dump",
    "background_memory_dump",
    "rail_response",
    "thread_state_runnable",
    "heap_dump_child_node_arrow",
    "terrible",
    "bad",
    "olive",
    "startup",
    "rail_load",
    "cq_build_passed",
    "thread_state_unknown",
    "thread_state_uninterruptible",
    "generic_work",
    "white",
};

/// What the first arguments of an instruction tell.
bool tells_instruction(std::string_view attribute) { return attribute == "opcode" || attribute == "text" || attribute == "pc"; }
/// What they need not tell again below it: its issue tells the warp.
bool is_told_above(std::string_view attribute) { return tells_instruction(attribute) || attribute == "warp"; }

std::string_view choice(const fabric::record_attribute& attribute, const fabric::record_value& value) {
  return value.number < attribute.choice_count ? attribute.choices[value.number] : "?";
}

void add_value(json_text& text, const fabric::record_attribute& attribute, const fabric::record_value& value) {
  switch (attribute.kind) {
    case attribute_kind::number:
    case attribute_kind::record:
      text.number(value.number);
      break;
    case attribute_kind::address:
      text.raw(R"("0x)").hexadecimal(value.number).raw(R"(")");
      break;
    case attribute_kind::choice:
      text.string(choice(attribute, value));
      break;
    case attribute_kind::text:
      text.string(value.text);
      break;
  }
}

/// The begin of an event of a counter, up to the value of "ts".
std::string counter_begin(std::size_t process, std::string_view name) {
  json_text text;
  text.raw(",\n{\"ph\":\"C\",\"pid\":").number(process).raw(R"(,"tid":0,"name":)").string(name).raw(R"(,"ts":)");
  return std::string(text.view());
}

}  // namespace

timeline_writer::timeline_writer(const std::filesystem::path& path, const fabric::clock_domain& clock, const record_window& window)
    : ordered_records(clock, window), file_(path), producers_(remembered_producers) {
  file_.write("{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"time\":\"a cycle is shown as 1 us\"},\n\"traceEvents\":[");
}

timeline_writer::~timeline_writer() = default;

bool timeline_writer::takes(const fabric::record_stream& stream) {
  const fabric::record_type& type = stream.type();
  if (type.is_detail) return false;
  if (stream.number() >= views_.size()) views_.resize(stream.number() + 1);
  stream_view& view = views_[stream.number()];
  const auto [process, place] = timeline_tracks::process_and_place(stream.path());
  view.process = tracks_.process(process, stream.number());
  const auto* look = std::find_if(looks.begin(), looks.end(), [&](const type_look& row) { return row.type == type.name; });
  const bool is_usual = look == looks.end();
  const bool says_type = place.size() >= type.name.size() && place.substr(place.size() - type.name.size()) == type.name;
  const std::string usual_name = says_type ? std::string(place) : fmt::format("{} {}", place, type.name);
  if (is_usual || look->has_slices)
    view.track = tracks_.track(view.process, is_usual ? usual_name : fmt::format("{}{}", place, look->track_suffix), stream.number());
  const bool is_instruction = type.name == "instruction";
  view.is_around = type.name == "resident";
  if (is_instruction) view.issue_track = tracks_.track(view.process, place, stream.number());
  if (is_usual ? type.open_bits > 1 : look->is_counted) {
    view.counter = counters_.size();
    counters_.push_back({view.process, counter_begin(view.process, usual_name)});
  }
  view.category = fmt::format(R"(,"cat":"{})", type.name);
  for (std::size_t a = 0; a < type.attribute_count(); ++a) {
    if (type.attributes[a].kind == attribute_kind::choice && view.name_attribute == none) {
      view.name_attribute = a;
      view.is_cause = type.attributes[a].name == "cause";
    }
    view.attributes.push_back({a, fmt::format(R"(,"{}":)", type.attributes[a].name)});
    if (!(is_instruction ? tells_instruction(type.attributes[a].name) : is_told_above(type.attributes[a].name)))
      view.own.push_back(view.attributes.back());
  }
  return true;
}

timeline_writer::slice& timeline_writer::slice_of(const kept_record& record) {
  if (record.instruction == nullptr || record.instruction == &record) return slices_[record.slot];
  std::vector<slice>& stages = instruction_of(record).stages;
  const std::size_t stream = record.stream->number();
  const auto found = std::find_if(stages.begin(), stages.end(), [&](const slice& stage) { return stage.stream == stream; });
  if (found != stages.end()) return *found;
  stages.push_back({stream});
  return stages.back();
}

/// The warp of a slot has what it waits for and issues below it.
std::size_t timeline_writer::take_lane(const kept_record& record) {
  const stream_view& view = view_of(record);
  return view.is_around ? tracks_.take(view.track, record.begin, record.begin) : tracks_.take(view.track, record.begin);
}

void timeline_writer::begin_slice(const kept_record& record) {
  slice& begun = slice_of(record);
  if (record.instruction == nullptr || record.instruction == &record || begun.open == 0)
    begun = {record.stream->number(), take_lane(record), record.begin, 0, 0};
  ++begun.open;
  ++begun.records;
}

void timeline_writer::begins(kept_record& record) {
  if (record.slot >= slices_.size()) {
    slices_.resize(slots());
    instructions_.resize(slots());
  }
  const stream_view& view = view_of(record);
  if (view.issue_track != none) {
    if (record.in_window) begin_instruction(record, view);
  } else if (view.track != none) {
    begin_slice(record);
  }
  if (view.counter != none) count(view.counter, true, record.begin);
}

void timeline_writer::begin_instruction(kept_record& record, const stream_view& view) {
  begin_slice(record);
  instruction_view& shown = instruction_of(record);
  shown.stages.clear();
  shown.issue = {};
  describe_instruction(record, shown);
  if (!window().contains(record.begin)) return;
  const std::size_t lane = tracks_.take(view.issue_track, record.begin, record.begin + 1);
  shown.issue = tracks_.thread(view.issue_track, lane);
  tracks_.introduce(view.issue_track, lane, text_);
  add_extent(view.issue_track, lane, record.begin, record.begin + 1);
  text_.raw(R"(,"cat":"issue",)").raw(shown.description).raw(shown.details).raw("}}");
  flush();
  count_issue(view.process, record.begin);
}

void timeline_writer::describe_instruction(const kept_record& record, instruction_view& shown) {
  const fabric::record_type& type = record.stream->type();
  const auto find_attribute = [&](std::string_view name) {
    std::size_t a = 0;
    while (a < record.values.size() && type.attributes[a].name != name) ++a;
    return a;
  };
  json_text& text = scratch_;
  text.clear();
  text.raw(R"("name":)");
  const std::size_t opcode = find_attribute("opcode");
  if (opcode < record.values.size())
    add_value(text, type.attributes[opcode], record.values[opcode]);
  else
    text.string(type.name);
  text.raw(R"(,"args":{"instruction":)").number(record.id);
  for (const std::string_view name : {"text", "pc"}) {
    const std::size_t a = find_attribute(name);
    if (a == record.values.size()) continue;
    text.raw(view_of(record).attributes[a].key);
    add_value(text, type.attributes[a], record.values[a]);
  }
  shown.description = text.view();
  text.clear();
  add_attributes(text, record, view_of(record).own);
  shown.details = text.view();
}

void timeline_writer::add_attributes(json_text& text, const kept_record& record, const std::vector<attribute_view>& attributes) {
  for (const attribute_view& attribute : attributes) {
    text.raw(attribute.key);
    add_value(text, record.stream->type().attributes[attribute.number], record.values[attribute.number]);
  }
}

void timeline_writer::ends(kept_record& record) {
  const stream_view& view = view_of(record);
  if (view.counter != none) count(view.counter, false, record.end);
  if (view.track == none || (view.issue_track != none && !record.in_window)) return;
  slice& ended = slice_of(record);
  if (--ended.open != 0) return;
  if (!view.is_around) tracks_.free(view.track, ended.lane);
  if (!is_inside(record, ended.begin)) return;
  draw(record, ended, record.end, true);
  if (view.issue_track != none) producers_.add(record.id, {tracks_.thread(view.track, ended.lane), record.begin, record.end});
}

void timeline_writer::draw(const kept_record& record, const slice& what, fabric::cycle_t end, bool has_ended) {
  const std::size_t track = view_of(record).track;
  const extent shown = in_window(record, {what.begin, end});
  tracks_.introduce(track, what.lane, text_);
  add_extent(track, what.lane, shown.begin, shown.end);
  add_description(record, what.records);
  if (shown.begin != what.begin) text_.raw(R"(,"begins":)").number(what.begin);
  if (shown.end != end) text_.raw(R"(,"ends":)").number(end);
  text_.raw(has_ended ? "}}" : R"(,"open":true}})");
  flush();
}

timeline_writer::extent timeline_writer::in_window(const kept_record& record, extent whole) const {
  if (window().of_instructions() && record.instruction != nullptr) return whole;
  return {std::max(whole.begin, window().first()), std::min(whole.end, window().last())};
}

void timeline_writer::add_extent(std::size_t track, std::size_t lane, fabric::cycle_t begin, fabric::cycle_t end) {
  text_.raw(tracks_.slice_begin(track, lane)).number(begin).raw(R"(,"dur":)").number(end - begin);
}

void timeline_writer::add_description(const kept_record& record, std::size_t records) {
  const stream_view& view = view_of(record);
  const fabric::record_type& type = record.stream->type();
  text_.raw(view.category);
  std::string_view name = type.name;
  if (view.name_attribute != none) name = choice(type.attributes[view.name_attribute], record.values[view.name_attribute]);
  if (view.is_cause)
    text_.raw(",").raw(name).raw(R"(","cname":")").raw(colours[record.values[view.name_attribute].number % colours.size()]);
  text_.raw(R"(",)");
  if (record.instruction == nullptr) {
    text_.raw(R"("name":)").string(name).raw(R"(,"args":{"record":)").number(record.id);
    add_attributes(text_, record, view.attributes);
    return;
  }
  text_.raw(instruction_of(record).description);
  if (records > 1)
    text_.raw(R"(,"records":)").number(records);
  else if (record.instruction != &record)
    add_attributes(text_, record, view.own);
}

void timeline_writer::passes(kept_record& record) {
  if (record.stream->type().name != "dependence" || record.instruction == nullptr) return;
  const auto& attributes = record.stream->type().attributes;
  for (std::size_t a = 0; a < record.values.size(); ++a) {
    if (attributes[a].kind != attribute_kind::record) continue;
    const std::uint64_t id = record.values[a].number;
    if (const kept_record* open = find(id)) {
      if (open->instruction == open && open->in_window && open->begin <= record.begin)
        draw_arrow({tracks_.thread(view_of(*open).track, slices_[open->slot].lane), open->begin, kept_record::not_yet},
                   *record.instruction);
    } else if (const producer* ended = producers_.find(id)) {
      draw_arrow(*ended, *record.instruction);
    }
  }
}

void timeline_writer::draw_arrow(const producer& from, const kept_record& consumer) {
  const timeline_thread& to = instruction_of(consumer).issue;
  if (to.thread == 0) return;
  ++arrows_;
  // The last cycle in which the slice of the producer is there: where an arrow begins is looked up in the slices.
  draw_arrow_end('s', from.life, std::min(from.end - 1, consumer.begin));
  draw_arrow_end('f', to, consumer.begin);
  flush();
}

void timeline_writer::draw_arrow_end(char phase, const timeline_thread& where, fabric::cycle_t cycle) {
  text_.raw(",\n{\"ph\":\"").raw(std::string_view(&phase, 1)).raw(phase == 'f' ? R"(","bp":"e","id":)" : R"(","id":)").number(arrows_);
  text_.raw(R"(,"pid":)").number(where.process).raw(R"(,"tid":)").number(where.thread).raw(R"(,"ts":)").number(cycle);
  text_.raw(R"(,"name":"dependence","cat":"dependence"})");
}

void timeline_writer::count(std::size_t number, bool is_more, fabric::cycle_t cycle) {
  open_window(cycle);
  counter& changed = counters_[number];
  changed.open += is_more ? 1 : ~std::uint64_t{0};
  if (changed.has_changed) return;
  changed.has_changed = true;
  changed_.push_back(number);
}

/// Before something changes in a cycle behind the first one of the window, or at the end.
void timeline_writer::open_window(fabric::cycle_t cycle) {
  if (is_opened_ || cycle <= window().first()) return;
  is_opened_ = true;
  show_counters(window().first());
}

void timeline_writer::cycle_is_over(fabric::cycle_t cycle) {
  if (!window().contains(cycle)) return;
  show_counters(cycle);
  flush();
}

void timeline_writer::show_counters(fabric::cycle_t cycle) {
  for (const std::size_t number : changed_) {
    counter& changed = counters_[number];
    changed.has_changed = false;
    if (changed.open == changed.shown) continue;
    changed.shown = changed.open;
    tracks_.introduce_process(changed.process, text_);
    text_.raw(changed.event_begin).number(cycle).raw(R"(,"args":{"open":)").number(changed.open).raw("}}");
  }
  changed_.clear();
}

void timeline_writer::count_issue(std::size_t process, fabric::cycle_t cycle) {
  if (process >= rates_.size()) rates_.resize(process + 1);
  issue_rate& rate = rates_[process];
  if (rate.bin != cycle / issue_bin) {
    write_rate(process, rate, cycle / issue_bin);
    rate = {cycle / issue_bin, 0};
  }
  ++rate.issued;
}

void timeline_writer::write_rate(std::size_t process, const issue_rate& rate, fabric::cycle_t next_bin) {
  if (rate.issued == 0) return;
  tracks_.introduce_process(process, text_);
  const auto write = [&](fabric::cycle_t bin, std::uint64_t issued) {
    const fabric::cycle_t begin = std::max(bin * issue_bin, window().first()), end = std::min((bin + 1) * issue_bin, window().last());
    if (begin >= end) return;
    const double mean = static_cast<double>(issued) / static_cast<double>(end - begin);
    text_.raw(counter_begin(process, "issued")).number(begin).raw(fmt::format(R"(,"args":{{"instructions_per_cycle":{:.4g}}}}})", mean));
  };
  write(rate.bin, rate.issued);
  if (next_bin != rate.bin + 1) write(rate.bin + 1, 0);
}

void timeline_writer::flush() {
  if (text_.view().size() >= flushed_size) store();
}

void timeline_writer::store() {
  // Every event comes with a comma before it, which the first one does without.
  std::string_view events = text_.view();
  if (is_first_ && !events.empty()) {
    events.remove_prefix(1);
    is_first_ = false;
  }
  file_.write(events);
  text_.clear();
}

bool timeline_writer::finish() {
  hear_all();
  open_window(now());
  for (const kept_record* record : left_open()) {
    if (view_of(*record).track == none || !record->in_window) continue;
    slice& open = slice_of(*record);
    if (open.open != 0 && now() > open.begin && window().covers(open.begin, now())) draw(*record, open, now(), false);
    open.open = 0;
  }
  for (std::size_t process = 1; process < rates_.size(); ++process) write_rate(process, rates_[process], 0);
  store();
  file_.write("\n]}\n");
  return file_.close();
}

}  // namespace tc::observe
