// SPDX-License-Identifier: Apache-2.0
#include "konata_writer.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace tc::observe {
namespace {

using fabric::attribute_kind;

constexpr std::string_view waiting_stage = "stl";  // the viewer shows it in the colour of stalls
constexpr std::string_view issue_stage = "Is";

/// Stages of an instruction by the types of their records; those of other types have the name of their type. The viewer takes a stage
/// with an X in its name for the execution, and draws dependences between the ends and begins of these.
struct stage_name {
  std::string_view type;
  std::string_view stage;
  bool is_main;
};
constexpr std::array stage_names{
    stage_name{"operand_fetch", "Op", true}, stage_name{"execute", "X", true},  stage_name{"write_back", "Wb", true},
    stage_name{"transaction", "Me", false},  stage_name{"queued", "Qu", false}, stage_name{"operand_transfer", "Tr", false},
    stage_name{"a_tile", "A", false},        stage_name{"b_tile", "B", false},  stage_name{"accumulator_tile", "C", false},
    stage_name{"dot_product", "Dp", false},
};

/// What is told of instructions and is no stage of them: too fine, or a state.
constexpr std::array<std::string_view, 8> no_stages{"issue",    "empty_slot",  "read",      "write",
                                                    "conflict", "accumulator", "reuse_hit", "dependence_counter"};

template <typename Table>
auto entry_of(const Table& table, std::string_view type) {
  return std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.type == type; });
}

}  // namespace

konata_writer::konata_writer(const std::filesystem::path& path, const fabric::clock_domain& clock, const record_window& window)
    : ordered_records(clock, window), log_(path), retired_(remembered_producers) {}

konata_writer::~konata_writer() = default;

bool konata_writer::takes(const fabric::record_stream& stream) {
  const fabric::record_type& type = stream.type();
  if (type.is_detail || std::find(no_stages.begin(), no_stages.end(), type.name) != no_stages.end()) return false;
  if (stream.number() >= views_.size()) views_.resize(stream.number() + 1);
  stream_view& view = views_[stream.number()];
  if (type.name == "dependence") {
    view.role = stream_role::dependence;
  } else if (type.name == "instruction" || type.name == "stall" || type.name == "resident") {
    view.role = type.name == "instruction" ? stream_role::instruction : type.name == "stall" ? stream_role::stall : stream_role::resident;
    const auto [number, is_new] = warp_numbers_.try_emplace(stream.path(), warps_.size());
    if (is_new) warps_.push_back({stream.path()});
    view.warp = number->second;
  } else {
    const auto* known = entry_of(stage_names, type.name);
    view.stage = known == stage_names.end() ? type.name : known->stage;
    view.is_main = known != stage_names.end() && known->is_main;
  }
  if (view.role == stream_role::stall) view.stage = waiting_stage;
  return true;
}

konata_writer::row*& konata_writer::row_of(const kept_record& record) {
  if (record.slot >= row_of_slot_.size()) row_of_slot_.resize(slots());
  return row_of_slot_[record.slot];
}

void konata_writer::turn_to(fabric::cycle_t cycle) {
  if (cycle == log_.cycle()) return;
  end_issues();
  if (!log_.is_shown() && cycle >= window().first()) show_rows();
  log_.turn_to(cycle);
}

void konata_writer::end_issues() {
  if (issued_.empty()) return;
  const fabric::cycle_t after = log_.cycle() + 1;
  for (row* where : issued_)
    for (const kept_record* record : where->late)
      if (record->end <= after) begin_stage(*record, *where, false);
  log_.turn_to(after);
  for (row* where : issued_) {
    log_.end_stage(where->line, 0, issue_stage);
    where->lanes[0] = false;
    for (const kept_record* record : where->late)
      if (record->end > after) begin_stage(*record, *where, true);
    where->late.clear();
  }
  issued_.clear();
}

void konata_writer::show_rows() {
  std::vector<konata_row*> shown;
  for (row& each : rows_) {
    if (!each.is_used) continue;
    each.line.is_left_out = each.instruction != nullptr && each.instruction->end <= window().first();
    if (!each.line.is_left_out) shown.push_back(&each.line);
  }
  log_.show(shown);
}

konata_writer::row& konata_writer::waiting_row(std::size_t number) {
  warp& waits = warps_[number];
  if (waits.waiting == nullptr) {
    if (free_rows_.empty()) free_rows_.push_back(&rows_.emplace_back());
    waits.waiting = free_rows_.back();
    free_rows_.pop_back();
    waits.waiting->is_used = true;
    log_.begin(waits.waiting->line, waits.rows, number);
  }
  return *waits.waiting;
}

void konata_writer::free(row& where) {
  if (where.has_instruction && row_of_slot_[where.instruction_slot] == &where) row_of_slot_[where.instruction_slot] = nullptr;
  where = row();
  free_rows_.push_back(&where);
}

void konata_writer::begins(kept_record& record) {
  turn_to(record.begin);
  const stream_view& view = view_of(record);
  row_of(record) = nullptr;
  switch (view.role) {
    case stream_role::instruction:
      begin_instruction(record);
      break;
    case stream_role::stall:
      begin_stage(record, waiting_row(view.warp), true);
      break;
    case stream_role::stage: {
      row* where = record.instruction != nullptr ? row_of(*record.instruction) : nullptr;
      if (where == nullptr) break;
      if (view.is_main && record.begin == where->issue) {
        where->late.push_back(&record);
        row_of(record) = where;
        ++where->open_stages;
      } else {
        begin_stage(record, *where, view.is_main);
      }
      break;
    }
    case stream_role::resident:
    case stream_role::dependence:
      break;
  }
}

void konata_writer::begin_instruction(kept_record& record) {
  const std::size_t number = view_of(record).warp;
  if (!record.in_window) {
    end_waiting(number, true);
    ++warps_[number].rows;
    return;
  }
  row& where = waiting_row(number);
  warps_[number].waiting = nullptr;
  ++warps_[number].rows;
  where.has_instruction = true;
  where.instruction = &record;
  where.instruction_slot = record.slot;
  where.issue = record.begin;
  row_of(record) = &where;
  describe(where, record);
  if (where.lanes.empty()) where.lanes.resize(1);
  where.lanes[0] = true;
  log_.begin_stage(where.line, 0, issue_stage);
  issued_.push_back(&where);
}

void konata_writer::describe(row& where, const kept_record& record) {
  const fabric::record_type& type = record.stream->type();
  std::string label, details = record.stream->path();
  for (std::size_t a = 0; a < record.values.size(); ++a) {
    const fabric::record_attribute& attribute = type.attributes[a];
    const fabric::record_value& value = record.values[a];
    if (attribute.name == "pc")
      label = fmt::format("{:04x} {}", value.number, label);
    else if (attribute.name == "text")
      label += value.text;
    else if (attribute.kind == attribute_kind::address)
      details += fmt::format(", {} 0x{:x}", attribute.name, value.number);
    else if (attribute.kind == attribute_kind::number)
      details += fmt::format(", {} {}", attribute.name, value.number);
  }
  log_.label(where.line, label);
  log_.detail(where.line, details + "\n");
}

void konata_writer::begin_stage(const kept_record& record, row& where, bool in_main_lane) {
  row*& place = row_of(record);
  if (place == nullptr) ++where.open_stages;
  place = &where;
  const std::size_t stream = record.stream->number();
  const auto open = std::find_if(where.stages.begin(), where.stages.end(), [&](const stage& each) { return each.stream == stream; });
  if (open != where.stages.end()) {
    ++open->open;
    return;
  }
  std::size_t lane = in_main_lane ? 0 : 1;
  while (lane < where.lanes.size() && where.lanes[lane]) ++lane;
  if (lane >= where.lanes.size()) where.lanes.resize(lane + 1);
  where.lanes[lane] = true;
  where.stages.push_back({stream, lane, 1});
  log_.begin_stage(where.line, lane, view_of(record).stage);
}

void konata_writer::ends(kept_record& record) {
  const stream_view& view = view_of(record);
  if (view.role == stream_role::resident) {
    const bool is_behind_window = record.end >= window().last();
    if (!is_behind_window) turn_to(record.end);
    end_waiting(view.warp, is_behind_window);
    return;
  }
  turn_to(record.end);
  row* where = row_of(record);
  if (where == nullptr || view.role == stream_role::dependence) return;
  if (view.role == stream_role::instruction) {
    where->instruction = nullptr;
    if (where->line.number != konata_row::not_written) retired_.add(record.id, where->line.number);
  } else {
    end_stage(record);
    if (view.role == stream_role::stall) end_wait(record);
  }
  ending_.push_back(where);
}

void konata_writer::end_stage(const kept_record& record) {
  row& where = *row_of(record);
  --where.open_stages;
  const std::size_t stream = record.stream->number();
  const auto open = std::find_if(where.stages.begin(), where.stages.end(), [&](const stage& each) { return each.stream == stream; });
  if (--open->open != 0) return;
  log_.end_stage(where.line, open->lane, view_of(record).stage);
  where.lanes[open->lane] = false;
  where.stages.erase(open);
}

void konata_writer::end_wait(const kept_record& record) {
  const auto& attributes = record.stream->type().attributes;
  for (std::size_t a = 0; a < record.values.size(); ++a)
    if (attributes[a].kind == attribute_kind::choice && record.values[a].number < attributes[a].choice_count)
      log_.detail(row_of(record)->line,
                  fmt::format("{}: cycles {}..{}\n", attributes[a].choices[record.values[a].number], record.begin, record.end));
}

void konata_writer::end_waiting(std::size_t number, bool is_behind_window) {
  row* where = warps_[number].waiting;
  if (where == nullptr) return;
  warps_[number].waiting = nullptr;
  log_.label(where->line, is_behind_window ? "(behind the window)" : "(no instruction)");
  log_.end(where->line, false);
  free(*where);
}

void konata_writer::passes(kept_record& record) {
  if (view_of(record).role != stream_role::dependence || record.instruction == nullptr) return;
  const row* consumer = row_of(*record.instruction);
  if (consumer == nullptr) return;
  const auto& attributes = record.stream->type().attributes;
  for (std::size_t a = 0; a < record.values.size(); ++a) {
    if (attributes[a].kind != attribute_kind::record) continue;
    const kept_record* open = find(record.values[a].number);
    const row* producer = open != nullptr ? row_of(*open) : nullptr;
    const std::uint64_t* ended = open == nullptr ? retired_.find(record.values[a].number) : nullptr;
    if (producer != nullptr && producer->line.number != konata_row::not_written)
      log_.depend(consumer->line, producer->line.number);
    else if (ended != nullptr)
      log_.depend(consumer->line, *ended);
  }
}

void konata_writer::cycle_is_over(fabric::cycle_t) {
  for (row* where : ending_) {
    if (!where->has_instruction || where->instruction != nullptr || where->open_stages != 0 || !where->late.empty()) continue;
    log_.end(where->line, true);
    free(*where);
  }
  ending_.clear();
}

bool konata_writer::finish() {
  hear_all();
  end_issues();
  for (std::size_t number = 0; number < warps_.size(); ++number) end_waiting(number, now() >= window().last());
  return log_.finish();
}

}  // namespace tc::observe
