// SPDX-License-Identifier: Apache-2.0
#include "record_keeper.hpp"

#include <algorithm>

#include <tc/accounting/statistics_document.hpp>

namespace tc::device::test {

namespace {

namespace json = boost::json;

std::uint64_t duration(const kept_record& record) { return record.cycles(); }
std::uint64_t one(const kept_record&) { return 1; }
std::function<std::uint64_t(const kept_record&)> value_of(const std::string& attribute) {
  return [attribute](const kept_record& record) { return record.number(attribute); };
}

/// A counter of a unit whose name ends in `unit`, and what records of the same place, or of `below` it, add up to.
struct agreement {
  std::string unit, counter, type;
  std::function<std::uint64_t(const kept_record&)> measure;
};

const std::vector<agreement>& agreements() {
  static const std::vector<agreement> all{
      {".scheduler", "issued", "issue", one},
      {".operand_fetch", "instructions", "operand_fetch", one},
      {".operand_fetch", "reuse_hits", "reuse_hit", value_of("registers")},
      {".tensor", "instructions", "execute", one},
      {".tensor", "instructions", "dot_product", one},
      {".tensor", "busy_cycles", "dot_product", duration},
      {".tensor", "bus_cycles", "operand_transfer", duration},
      {".fp32", "instructions", "execute", one},
      {".integer", "instructions", "execute", one},
      {".special_function", "instructions", "execute", one},
      {".load_store", "wavefronts", "shared_access", value_of("wavefronts")},
      {".load_store", "bank_conflicts", "shared_access", value_of("conflicts")},
      {".warpgroup", "busy_cycles", "dot_product", duration},
      {".write_back", "results", "write_back", one},
      {".write_back", "registers_written", "write_back", value_of("registers")},
      {".tensor_engine", "instructions", "execute", one},
  };
  return all;
}

/// A unit of the document.
struct unit_counters {
  std::string path;
  const json::object& counters;

  bool is_a(const std::string& end) const {
    return path.size() > end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0;
  }
  void expect(const std::string& counter, std::uint64_t recorded) const {
    const json::value* const counted = counters.if_contains(counter);
    EXPECT_EQ(recorded, counted == nullptr ? 0 : counted->to_number<std::uint64_t>()) << path << ": " << counter;
  }
};

/// Reads and writes of a bank, and those over its third port.
void expect_bank_agrees(const record_keeper& kept, const unit_counters& bank, bool queues_reads) {
  const auto accumulators = [&](const char* command) {
    return kept.sum("accumulator", bank.path,
                    [&](const kept_record& record) { return record.values.at("command") == command ? record.number("registers") : 0; });
  };
  bank.expect("rows_read", kept.sum("read", bank.path, value_of("registers")) + accumulators("read"));
  bank.expect("rows_written", kept.sum("write", bank.path, value_of("registers")) + accumulators("write"));
  bank.expect("busy_cycles", kept.sum("read", bank.path, duration));
  if (queues_reads) bank.expect("read_wait_cycles", kept.sum("conflict", bank.path, duration));
}

void expect_unit_agrees(const record_keeper& kept, const unit_counters& unit, bool queues_reads) {
  for (const agreement& each : agreements()) {
    if (unit.is_a(each.unit)) unit.expect(each.counter, kept.sum(each.type, unit.path, each.measure));
  }
  if (unit.counters.contains("rows_read")) expect_bank_agrees(kept, unit, queues_reads);
  if (unit.is_a(".tensor_core_0")) unit.expect("beats", kept.of("pass", unit.path.substr(0, unit.path.rfind('.'))).size());
  if (unit.is_a(".load_store"))
    unit.expect("transactions",
                kept.of("transaction", unit.path + ".shared").size() + kept.of("transaction", unit.path + ".global").size());
  if (unit.counters.contains("engine_bytes_read"))
    for (const std::string kind : {"read", "write"})
      unit.expect(kind + "s", kept.sum("access", unit.path, [&](const kept_record& record) {
        return record.values.at("kind") == kind && record.values.at("link").find("accesses.chunk") != std::string::npos ? 1 : 0;
      }));
  if (unit.counters.contains("shift_cycles"))
    unit.expect("shift_cycles", kept.sum("access", unit.path + ".chunk_0", [](const kept_record& record) {
      return record.values.at("kind") == "shift" ? record.cycles() : 0;
    }));
}

}  // namespace

record_keeper::record_keeper(gpu& machine) : clock_(machine.clock()) { machine.recorder()->records.bind(*this); }

void record_keeper::write(const fabric::record_event& event) {
  EXPECT_GE(event.cycle, clock_.cycle());
  if (event.what == fabric::record_event::edge::end) {
    ASSERT_TRUE(records.count(event.id) == 1 && records[event.id].is_open);
    kept_record& ended = records[event.id];
    EXPECT_GE(event.cycle, ended.begin);
    ended.end = event.cycle;
    ended.is_open = false;
    return;
  }
  kept_record& begun = records[event.id];
  begun = {event.stream, event.cycle, 0, true, event.parent};
  by_stream_[event.stream].push_back(&begun);
  const fabric::record_type& type = event.stream->type();
  for (std::size_t a = 0; a < type.attribute_count(); ++a) {
    const fabric::record_attribute& attribute = type.attributes[a];
    const fabric::record_value& value = event.values[a];
    std::string& kept = begun.values[std::string(attribute.name)];
    if (attribute.kind == fabric::attribute_kind::text) {
      kept = value.text;
    } else if (attribute.kind == fabric::attribute_kind::choice) {
      ASSERT_LT(value.number, attribute.choice_count);
      kept = attribute.choices[value.number];
    } else {
      kept = std::to_string(value.number);
    }
  }
}

std::vector<const kept_record*> record_keeper::of(std::string_view type, std::string_view path) const {
  std::vector<const kept_record*> found;
  for (const auto& [stream, of_stream] : by_stream_)
    if (stream->type().name == type && (path.empty() || stream->path() == path))
      found.insert(found.end(), of_stream.begin(), of_stream.end());
  return found;
}

std::uint64_t record_keeper::sum(std::string_view type, std::string_view path,
                                 const std::function<std::uint64_t(const kept_record&)>& measure) const {
  std::uint64_t total = 0;
  for (const kept_record* record : of(type, path)) total += measure(*record);
  return total;
}

run_options recording_options() {
  run_options options;
  options.record = true;
  options.timing_of_preset = true;
  return options;
}

void expect_records_agree(const record_keeper& kept, const accounting::run_result& result, const config::machine& machine) {
  const json::object document = accounting::statistics_document(result, machine, {"", 0});
  for (const auto& unit : document.at("units").as_object())
    expect_unit_agrees(kept, {unit.key(), unit.value().as_object()}, machine.sm.sub_core.operand_fetch.collector_units > 0);
  for (const char* type : {"issue", "instruction"}) EXPECT_EQ(kept.of(type).size(), result.instructions) << type;
  for (const auto& [id, record] : kept.records) {
    EXPECT_FALSE(record.is_open && record.stream->type().name != "empty_slot")
        << record.stream->path() << ": " << record.stream->type().name;
    if (record.parent == 0) continue;
    ASSERT_EQ(kept.records.count(record.parent), 1U);
    EXPECT_LE(kept.records.at(record.parent).begin, record.begin);
  }
}

}  // namespace tc::device::test
