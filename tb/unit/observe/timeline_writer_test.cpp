// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <tc/observe/timeline_writer.hpp>

#include "hand_made_records.hpp"
#include "scratch_folder.hpp"
#include "trace_event_rules.hpp"

namespace tc::observe::timeline_writer_test {
namespace {

namespace json = boost::json;

constexpr std::uint64_t scoreboard = 2;

/// A timeline that is being written, and then read.
struct timeline {
  explicit timeline(const hand_made_records& machine, const std::string& window = "0..")
      : writer(folder.path() / "timeline.json", machine.clock, record_window::parse(window)) {}

  json::array read() {
    EXPECT_TRUE(writer.finish()) << writer.file().error();
    std::stringstream content;
    content << std::ifstream(folder.path() / "timeline.json").rdbuf();
    document = json::parse(content.str());
    for (const std::string& complaint : broken_trace_event_rules(document)) ADD_FAILURE() << complaint;
    return document.as_object().at("traceEvents").as_array();
  }

  scratch_folder folder;
  timeline_writer writer;
  json::value document;
};

/// "thread: name begin+duration" of each slice, in alphabetical order.
std::vector<std::string> slices(const json::array& events) {
  const auto thread_name = [&](const json::object& slice) {
    for (const json::value& event : events)
      if (event.at("name") == "thread_name" && event.at("tid") == slice.at("tid"))
        return std::string(event.at("args").at("name").as_string());
    return std::string("?");
  };
  std::vector<std::string> lines;
  for (const json::value& event : events) {
    if (event.at("ph") != "X") continue;
    const json::object& slice = event.as_object();
    lines.push_back(thread_name(slice) + ": " + slice.at("name").as_string().c_str() + " " + json::serialize(slice.at("ts")) + "+" +
                    json::serialize(slice.at("dur")));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

json::object slice_of(const json::array& events, std::string_view category) {
  for (const json::value& event : events)
    if (event.at("ph") == "X" && event.at("cat").as_string() == category) return event.as_object();
  ADD_FAILURE() << "no slice of " << category;
  return {};
}

using lines = std::vector<std::string>;

TEST(timeline_writer, shows_an_instruction_on_its_warp_and_in_each_unit) {
  hand_made_records machine;
  timeline shown(machine);
  machine.recorder.records.bind(shown.writer);
  machine.run_to(5);
  machine.stall(5, 9, scoreboard);
  machine.run_to(9);
  const std::uint64_t id = machine.begin_instruction(9, "FADD", "FADD R4, R8, R9", 0x120);
  machine.stage(machine.reads, 10, 11, id);
  machine.stage(machine.executions, 11, 13, id);
  machine.stage(machine.executions, 12, 15, id);
  machine.recorder.span(machine.passes, 12, 13, {}, id);
  machine.run_to(12);
  machine.recorder.end(machine.instructions, id, 16);
  const json::array events = shown.read();
  EXPECT_EQ(slices(events), (lines{"bank_0 read: FADD 10+1", "fp32 execute: FADD 11+4", "warp_3 instructions: FADD 9+7", "warp_3: FADD 9+1",
                                   "warp_3: scoreboard 5+4"}));
  EXPECT_EQ(slice_of(events, "issue").at("args"),
            (json::object{{"instruction", id}, {"text", "FADD R4, R8, R9"}, {"pc", "0x120"}, {"warp", 3}}));
  EXPECT_EQ(slice_of(events, "execute").at("args"),
            (json::object{{"instruction", id}, {"text", "FADD R4, R8, R9"}, {"pc", "0x120"}, {"records", 2}}));
  EXPECT_EQ(slice_of(events, "stall,scoreboard").at("cname"), "thread_state_iowait");
  EXPECT_EQ(shown.document.at("otherData").at("time"), "a cycle is shown as 1 us");
}

TEST(timeline_writer, gives_records_that_overlap_lanes_of_their_own) {
  hand_made_records machine;
  timeline shown(machine);
  machine.recorder.records.bind(shown.writer);
  const std::uint64_t first = machine.instruction(0, 5000, "FFMA");
  const std::uint64_t second = machine.instruction(1, 6, "FADD");
  machine.stage(machine.executions, 4, 6, second);  // told before those that begin earlier
  machine.stage(machine.executions, 2, 4, first);
  machine.stage(machine.executions, 3, 5, first);
  machine.instruction(6, 8, "FMUL");
  EXPECT_EQ(slices(shown.read()), (lines{"fp32 execute 2: FADD 4+2", "fp32 execute: FFMA 2+3", "warp_3 instructions 2: FADD 1+5",
                                         "warp_3 instructions 2: FMUL 6+2", "warp_3 instructions: FFMA 0+5000", "warp_3: FADD 1+1",
                                         "warp_3: FFMA 0+1", "warp_3: FMUL 6+1"}));
}

TEST(timeline_writer, draws_arrows_from_producers_to_consumers) {
  hand_made_records machine;
  timeline shown(machine);
  machine.recorder.records.bind(shown.writer);
  const std::uint64_t ended = machine.instruction(0, 4, "FFMA");
  const std::uint64_t forwarding = machine.instruction(1, 30, "FADD");
  machine.run_to(10);
  const std::uint64_t consumer = machine.instruction(10, 14, "FMUL");
  machine.depend(10, consumer, ended);
  machine.depend(10, consumer, forwarding);
  machine.run_to(40);
  std::vector<std::string> arrows;
  for (const json::value& event : shown.read())
    if (event.at("ph") == "s" || event.at("ph") == "f")
      arrows.push_back(std::string(event.at("ph").as_string()) + json::serialize(event.at("id")) + " " + json::serialize(event.at("ts")));
  EXPECT_EQ(arrows, (lines{"s1 3", "f1 10", "s2 10", "f2 10"}));
}

TEST(timeline_writer, counts_what_is_open_and_what_issues) {
  hand_made_records machine;
  timeline shown(machine);
  machine.recorder.records.bind(shown.writer);
  const std::uint64_t id = machine.instruction(0, 9, "FFMA");
  machine.stage(machine.fetches, 1, 4, id);
  machine.stage(machine.fetches, 1, 2, id);
  machine.stage(machine.fetches, 2, 3, id);
  machine.run_to(40);
  machine.instruction(40, 42, "FADD");
  machine.run_to(50);
  std::vector<std::string> values;
  for (const json::value& event : shown.read())
    if (event.at("ph") == "C")
      values.push_back(std::string(event.at("name").as_string()) + " " + json::serialize(event.at("ts")) + ": " +
                       json::serialize(event.at("args").as_object().begin()->value()));
  EXPECT_EQ(values, (lines{"operand_fetch 1: 2", "operand_fetch 3: 1", "operand_fetch 4: 0", "issued 0: 3.125E-2", "issued 32: 3.125E-2",
                           "issued 64: 0"}));
}

TEST(timeline_writer, leaves_out_a_wait_that_was_revised_and_keeps_what_is_open_at_the_end) {
  hand_made_records machine;
  timeline shown(machine);
  machine.recorder.records.bind(shown.writer);
  machine.stall(3, 3, scoreboard);
  machine.begin_instruction(2, "BRA");
  machine.run_to(12);
  machine.instruction(12, 13, "EXIT");
  machine.run_to(20);
  const json::array events = shown.read();
  EXPECT_EQ(slices(events),
            (lines{"warp_3 instructions 2: EXIT 12+1", "warp_3 instructions: BRA 2+18", "warp_3: BRA 2+1", "warp_3: EXIT 12+1"}));
  const auto is_open = [](const json::value& event) { return event.at("ph") == "X" && event.at("args").as_object().contains("open"); };
  EXPECT_EQ(std::count_if(events.begin(), events.end(), is_open), 1);
}

TEST(timeline_writer, escapes_text) {
  hand_made_records machine;
  timeline shown(machine);
  machine.recorder.records.bind(shown.writer);
  machine.instruction(0, 2, "A\"B\\C", "tab\there");
  const json::object issue = slice_of(shown.read(), "issue");
  EXPECT_EQ(issue.at("name"), "A\"B\\C");
  EXPECT_EQ(issue.at("args").at("text"), "tab\there");
}

/// Four instructions of a stage and a stall before each: instruction i is there in cycles 10 i + 4 to 10 i + 8.
std::vector<std::string> slices_of_four(const std::string& window) {
  hand_made_records machine;
  timeline shown(machine, window);
  machine.recorder.records.bind(shown.writer);
  std::uint64_t before = 0;
  for (const std::string_view opcode : {"I0", "I1", "I2", "I3"}) {
    machine.run_to(before * 10);
    machine.stall(before * 10, before * 10 + 4, scoreboard);
    const std::uint64_t id = machine.instruction(before * 10 + 4, before * 10 + 8, opcode);
    machine.stage(machine.executions, before * 10 + 5, before * 10 + 7, id);
    ++before;
  }
  machine.run_to(50);
  return slices(shown.read());
}

TEST(timeline_writer, cuts_what_overlaps_a_window_of_cycles) {
  EXPECT_EQ(slices_of_four("15..22"), (lines{"fp32 execute: I1 15+2", "warp_3 instructions: I1 15+3", "warp_3: scoreboard 20+2"}));
}

TEST(timeline_writer, tells_the_cycles_of_what_it_cuts) {
  hand_made_records machine;
  timeline shown(machine, "5..8");
  machine.recorder.records.bind(shown.writer);
  machine.stall(3, 12, scoreboard);
  machine.run_to(20);
  const json::object stall = slice_of(shown.read(), "stall,scoreboard");
  EXPECT_EQ(stall.at("args").at("begins"), 3);
  EXPECT_EQ(stall.at("args").at("ends"), 12);
}

TEST(timeline_writer, shows_counters_as_they_are_when_the_window_begins) {
  hand_made_records machine;
  timeline shown(machine, "20..30");
  machine.recorder.records.bind(shown.writer);
  const std::uint64_t id = machine.instruction(4, 60, "I0");
  machine.stage(machine.executions, 5, 50, id);
  machine.run_to(70);
  std::vector<std::pair<json::value, json::value>> counted;
  for (const json::value& each : shown.read())
    if (each.at("ph") == "C") counted.emplace_back(each.at("ts"), each.at("args").at("open"));
  EXPECT_EQ(counted, (std::vector<std::pair<json::value, json::value>>{{20, 1}}));
}

TEST(timeline_writer, records_instructions_of_a_window_and_what_happens_meanwhile) {
  EXPECT_EQ(slices_of_four("instructions:1..3"),
            (lines{"fp32 execute: I1 15+2", "fp32 execute: I2 25+2", "warp_3 instructions: I1 14+4", "warp_3 instructions: I2 24+4",
                   "warp_3: I1 14+1", "warp_3: I2 24+1", "warp_3: scoreboard 20+4"}));
}

TEST(timeline_writer, says_that_the_disk_is_full) {
  hand_made_records machine;
  timeline_writer writer("/dev/full", machine.clock);
  machine.recorder.records.bind(writer);
  machine.instruction(0, 2, "FADD");
  EXPECT_FALSE(writer.finish());
  EXPECT_NE(writer.file().error().find("/dev/full"), std::string::npos);
}

}  // namespace
}  // namespace tc::observe::timeline_writer_test
