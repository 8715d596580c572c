// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/observe/konata_writer.hpp>

#include "hand_made_records.hpp"
#include "konata_reader.hpp"
#include "scratch_folder.hpp"

namespace tc::observe::konata_writer_test {
namespace {

constexpr std::uint64_t stall_count = 1, scoreboard = 2;

/// A log that is being written, and then read.
struct log {
  explicit log(hand_made_records& machine, const std::string& window = "0..")
      : writer(folder.path() / "log", machine.clock, record_window::parse(window)) {
    machine.recorder.records.bind(writer);
  }

  std::vector<konata_instruction> read() {
    EXPECT_TRUE(writer.finish()) << writer.file().error();
    return read_konata_log(folder.path() / "log");
  }

  scratch_folder folder;
  konata_writer writer;
};

/// "begin-end label: stage(lane) begin-end ..." of a row.
std::string text(const konata_instruction& row) {
  const auto cycle = [](std::uint64_t at) { return at == konata_instruction::open ? std::string("?") : std::to_string(at); };
  std::string line = cycle(row.begin) + "-" + cycle(row.end) + (row.is_flushed ? " flushed " : " ") + row.label + ":";
  for (const auto& stage : row.stages)
    line += " " + stage.name + "(" + std::to_string(stage.lane) + ") " + cycle(stage.begin) + "-" + cycle(stage.end);
  return line;
}

std::vector<std::string> texts(const std::vector<konata_instruction>& rows) {
  std::vector<std::string> lines;
  std::transform(rows.begin(), rows.end(), std::back_inserter(lines), text);
  return lines;
}

using lines = std::vector<std::string>;

TEST(konata_writer, shows_an_instruction_from_its_wait_to_its_end) {
  hand_made_records machine;
  log shown(machine);
  machine.run_to(5);
  machine.stall(5, 7, stall_count);
  machine.stall(7, 9, scoreboard);
  machine.run_to(9);
  const std::uint64_t id = machine.begin_instruction(9, "FADD", "FADD R4,\tR8, R9", 0x120);
  machine.stage(machine.fetches, 9, 12, id);
  machine.stage(machine.reads, 10, 11, id);
  machine.stage(machine.executions, 12, 15, id);
  machine.recorder.end(machine.instructions, id, 14);
  machine.stage(machine.transactions, 12, 14, id);
  machine.stage(machine.transactions, 13, 15, id);
  const std::vector<konata_instruction> rows = shown.read();
  EXPECT_EQ(texts(rows), (lines{"5-15 0120 FADD R4, R8, R9: stl(0) 5-7 stl(0) 7-9 Is(0) 9-10 Op(0) 10-12 X(0) 12-15 Me(1) 12-15"}));
  EXPECT_EQ(rows.at(0).details, "stall_count: cycles 5..7\\nscoreboard: cycles 7..9\\ngpu.sm_0.sub_core_1.warp_3, warp 3\\n");
}

TEST(konata_writer, keeps_rows_in_the_order_in_which_the_warp_turned_to_them) {
  hand_made_records machine;
  log shown(machine);
  const std::uint64_t first = machine.instruction(0, 22, "LDG");
  machine.stage(machine.fetches, 0, 1, first);
  machine.run_to(1);
  machine.stall(1, 4, stall_count);
  machine.run_to(4);
  const std::uint64_t second = machine.instruction(4, 8, "IADD3");
  machine.depend(4, second, first);
  machine.run_to(12);
  const std::uint64_t third = machine.instruction(12, 13, "EXIT");
  machine.depend(12, third, second);
  machine.run_to(13);
  machine.stall(20, 25, scoreboard);
  machine.run_to(40);
  const std::vector<konata_instruction> rows = shown.read();
  EXPECT_EQ(texts(rows), (lines{"0-22 0010 text: Is(0) 0-1 Op(1) 0-1", "1-8 0010 text: stl(0) 1-4 Is(0) 4-5",
                                "12-13 0010 text: Is(0) 12-13", "20-25 flushed (no instruction): stl(0) 20-25"}));
  EXPECT_EQ(rows.at(1).producers, (std::vector<std::uint64_t>{0}));
  EXPECT_EQ(rows.at(2).producers, (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(rows.at(3).in_thread, 3U);
}

std::vector<std::string> rows_of_four(const std::string& window) {
  hand_made_records machine;
  log shown(machine, window);
  for (std::uint64_t i = 0; i < 4; ++i) {
    machine.run_to(i * 10);
    machine.stall(i * 10, i * 10 + 4, scoreboard);
    machine.instruction(i * 10 + 4, i * 10 + 12, "FADD", std::string_view("I0I1I2I3").substr(2 * i, 2));
  }
  machine.run_to(60);
  return texts(shown.read());
}

TEST(konata_writer, writes_the_rows_that_overlap_a_window_of_cycles) {
  EXPECT_EQ(rows_of_four("12..22"), (lines{"10-22 0010 I1: stl(0) 10-14 Is(0) 14-15", "20-24 flushed (behind the window): stl(0) 20-24"}));
}

TEST(konata_writer, writes_no_rows_of_a_run_that_ends_before_the_window) { EXPECT_EQ(rows_of_four("1000.."), lines{}); }

TEST(konata_writer, writes_the_instructions_of_a_window_and_what_waits_meanwhile) {
  EXPECT_EQ(rows_of_four("instructions:1..2"),
            (lines{"10-22 0010 I1: stl(0) 10-14 Is(0) 14-15", "20-24 flushed (behind the window): stl(0) 20-24"}));
}

TEST(konata_writer, says_that_the_disk_is_full) {
  hand_made_records machine;
  konata_writer writer("/dev/full", machine.clock);
  machine.recorder.records.bind(writer);
  machine.instruction(0, 2, "FADD");
  EXPECT_FALSE(writer.finish());
  EXPECT_NE(writer.file().error().find("/dev/full"), std::string::npos);
}

}  // namespace
}  // namespace tc::observe::konata_writer_test
