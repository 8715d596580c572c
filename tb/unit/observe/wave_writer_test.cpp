// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <scratch_folder.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <systemc>

#include <gtest/gtest.h>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/recorder.hpp>
#include <tc/observe/vcd_text.hpp>
#include <tc/observe/wave_writer.hpp>

#include "vcd_reader.hpp"

namespace tc::observe::wave_writer_test {
namespace {

using fabric::attribute_kind;
using namespace std::string_literals;
using namespace std::string_view_literals;

constexpr std::array<std::string_view, 5> causes{"dependence", "barrier", "queue", "bank", "other"};
constexpr fabric::record_type read_type{
    "read", "Registers read", {{{"warp", attribute_kind::number, 6}, {"address", attribute_kind::address, 64}}}, 4};
constexpr fabric::record_type stall_type{"stall", "A warp waits", {{{"cause", attribute_kind::choice, 32, causes.data(), causes.size()}}}};
constexpr fabric::record_type instruction_type{
    "instruction",
    "Issue to result",
    {{{"opcode", attribute_kind::text, 64}, {"producer", attribute_kind::record}, {"line", attribute_kind::number, 0}}},
    8};

constexpr const char* bank = "gpu.sm_0.bank_3.read.";
constexpr const char* stalls = "gpu.sm_0.warp_0.stall.";
constexpr const char* warp = "gpu.sm_0.warp_0.instruction.";

class wave_writer_test : public testing::Test {
 protected:
  fabric::clock_domain clock{"clock", 1, sc_core::SC_NS};
  fabric::recorder recorder{"recorder", clock};
  const fabric::record_stream& reads = recorder.add_stream("gpu.sm_0.bank_3", read_type);
  const fabric::record_stream& waits = recorder.add_stream("gpu.sm_0.warp_0", stall_type);
  const fabric::record_stream& instructions = recorder.add_stream("gpu.sm_0.warp_0", instruction_type);
  scratch_folder folder;
  std::string path = folder.path() / "waves.vcd";

  std::uint64_t read(fabric::cycle_t begins, fabric::cycle_t ends, std::uint64_t slot, std::uint64_t address = 0) {
    return recorder.span(reads, begins, ends, {slot, address});
  }
  std::uint64_t instruction(fabric::cycle_t begins, std::string_view opcode) {
    return recorder.begin(instructions, begins, {opcode, std::uint64_t{0}, std::uint64_t{7}});
  }
  static void run_to(int cycle) { sc_core::sc_start(sc_core::sc_time(cycle, sc_core::SC_NS) - sc_core::sc_time_stamp()); }
};

TEST_F(wave_writer_test, declares_the_signals_of_each_stream) {
  wave_writer writer(path, recorder, clock, {{}, {}, "1.2"});
  recorder.records.bind(writer);
  run_to(3);
  ASSERT_TRUE(writer.finish());
  const vcd_reader waves(path);
  std::string found;
  for (const auto& [name, signal] : waves.signals()) found += name + ' ' + std::to_string(signal.bits) + '\n';
  EXPECT_EQ(found,
            "cycle 64\n"
            "gpu.sm_0.bank_3.read.address 64\n"
            "gpu.sm_0.bank_3.read.count 64\n"
            "gpu.sm_0.bank_3.read.open 4\n"
            "gpu.sm_0.bank_3.read.warp 6\n"
            "gpu.sm_0.warp_0.instruction.count 64\n"
            "gpu.sm_0.warp_0.instruction.opcode 64\n"
            "gpu.sm_0.warp_0.instruction.open 8\n"
            "gpu.sm_0.warp_0.stall.active 1\n"
            "gpu.sm_0.warp_0.stall.cause 3\n"
            "gpu.sm_0.warp_0.stall.count 64\n");
  EXPECT_EQ(waves.comments(),
            (std::vector<std::string>{"one cycle is 1 ns", "read.address: address",
                                      "stall.cause: 0 dependence, 1 barrier, 2 queue, 3 bank, 4 other", "instruction.opcode: text"}));
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}).substr(0, 50), "$version tcsim 1.2 $end\n$timescale 1 ns $end\n$comm");
}

/// The values of a signal from one cycle to before another: numbers, z, or the text.
std::string history(const vcd_reader& waves, const std::string& name, std::uint64_t from, std::uint64_t to) {
  std::string values;
  for (std::uint64_t t = from; t < to; ++t) {
    const bool is_text = name.find("opcode") != std::string::npos;
    const bool is_undriven = waves.at(name, t).find_first_not_of('z') == std::string::npos;
    values += values.empty() ? "" : " ";
    values += is_undriven ? "z" : is_text ? waves.text(name, t) : std::to_string(waves.number(name, t));
  }
  return values;
}

TEST_F(wave_writer_test, shows_what_is_open_what_has_begun_and_the_last_one) {
  wave_writer writer(path, recorder, clock, {});
  recorder.records.bind(writer);
  run_to(1);
  const std::uint64_t mma = instruction(1, "HMMA.16816.F32"sv);
  read(2, 5, 3, 0xfedcba9876543210U);
  read(3, 4, 63, 1);
  recorder.span(waits, 4, 6, {std::uint64_t{4}});
  run_to(7);
  recorder.end(instructions, mma, 7);
  run_to(20);
  ASSERT_TRUE(writer.finish());

  const vcd_reader waves(path);
  EXPECT_EQ(waves.first(), 0U);
  EXPECT_EQ(waves.last(), 20U);
  EXPECT_EQ(history(waves, "cycle", 0, 8), "0 1 2 3 4 5 6 7");
  EXPECT_EQ(history(waves, bank + "open"s, 0, 7), "0 0 1 2 1 0 0");
  EXPECT_EQ(history(waves, bank + "count"s, 0, 7), "0 0 1 2 2 2 2");
  EXPECT_EQ(history(waves, bank + "warp"s, 0, 7), "z z 3 63 63 z z");
  EXPECT_EQ(waves.number(bank + "address"s, 2), 0xfedcba9876543210U);
  EXPECT_EQ(history(waves, stalls + "active"s, 0, 7), "0 0 0 0 1 1 0");
  EXPECT_EQ(history(waves, stalls + "cause"s, 0, 7), "z z z z 4 4 z");
  EXPECT_EQ(history(waves, warp + "opcode"s, 0, 8), "z HMMA.168 HMMA.168 HMMA.168 HMMA.168 HMMA.168 HMMA.168 z")
      << "as much as there is room for";
}

TEST_F(wave_writer_test, puts_what_was_told_ahead_where_it_belongs) {
  wave_writer writer(path, recorder, clock, {});
  recorder.records.bind(writer);
  read(5000, 5002, 2);
  read(2, 4, 1);
  run_to(3);
  read(3, 9, 3);
  read(4, 5, 4);
  run_to(4000);
  read(5001, 5003, 5);
  run_to(6000);
  ASSERT_TRUE(writer.finish());
  const vcd_reader waves(path);
  EXPECT_EQ(history(waves, bank + "open"s, 1, 6), "0 1 2 2 1");
  EXPECT_EQ(history(waves, bank + "warp"s, 1, 6), "z 1 3 4 4");
  EXPECT_EQ(history(waves, bank + "open"s, 4999, 5004), "0 1 2 1 0");
  EXPECT_EQ(history(waves, bank + "warp"s, 4999, 5004), "z 2 5 5 z");
}

TEST_F(wave_writer_test, writes_at_the_end_what_lies_ahead) {
  wave_writer writer(path, recorder, clock, {});
  recorder.records.bind(writer);
  read(20, 90, 1);
  run_to(10);
  ASSERT_TRUE(writer.finish());
  const vcd_reader waves(path);
  EXPECT_EQ(history(waves, bank + "open"s, 19, 21), "0 1");
  EXPECT_EQ(waves.last(), 90U);
}

TEST_F(wave_writer_test, counts_records_without_length_and_does_not_show_them) {
  wave_writer writer(path, recorder, clock, {});
  recorder.records.bind(writer);
  read(1, 5, 1);
  const std::uint64_t revised = recorder.begin(reads, 3, {std::uint64_t{9}, std::uint64_t{0}});
  read(3, 4, 2);
  recorder.end(reads, revised, 3);
  ASSERT_TRUE(writer.finish());
  const vcd_reader waves(path);
  EXPECT_EQ(history(waves, bank + "open"s, 1, 6), "1 1 2 1 0");
  EXPECT_EQ(history(waves, bank + "count"s, 1, 6), "1 1 3 3 3");
  EXPECT_EQ(history(waves, bank + "warp"s, 1, 6), "1 1 2 2 z");
}

TEST_F(wave_writer_test, tells_the_time_of_the_clock) {
  fabric::clock_domain fast("fast", 629, sc_core::SC_PS);
  wave_writer writer(path, recorder, fast, {});
  recorder.records.bind(writer);
  read(2, 5, 3);
  ASSERT_TRUE(writer.finish());
  const vcd_reader waves(path);
  EXPECT_EQ(waves.number("cycle", 2 * 629), 2U);
  EXPECT_EQ(waves.number(bank + "open"s, 2 * 629 - 1), 0U);
  EXPECT_EQ(waves.number(bank + "open"s, 2 * 629), 1U);
  EXPECT_EQ(waves.last(), 5U * 629);
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_NE(text.find("$timescale 1 ps $end\n$comment one cycle is 629 ps $end\n"), std::string::npos) << text.substr(0, 200);
}

TEST(vcd_timescale, is_the_coarsest_that_a_period_is_a_whole_number_of) {
  const auto of = [](double value, sc_core::sc_time_unit unit) { return timescale_of(sc_core::sc_time(value, unit)); };
  EXPECT_EQ(of(2, sc_core::SC_NS).unit, "ns");
  EXPECT_EQ(of(2, sc_core::SC_NS).of_cycle, 2U);
  EXPECT_EQ(of(1500, sc_core::SC_PS).unit, "ps");
  EXPECT_EQ(of(1500, sc_core::SC_PS).of_cycle, 1500U);
}

TEST_F(wave_writer_test, keeps_to_its_window_and_knows_what_was_before) {
  wave_options options;
  options.window = record_window::parse("10..12");
  wave_writer writer(path, recorder, clock, options);
  recorder.records.bind(writer);
  read(2, 30, 1);
  read(3, 5, 2);
  read(11, 40, 3);
  read(12, 40, 4);
  run_to(50);
  ASSERT_TRUE(writer.finish());
  EXPECT_TRUE(writer.reached_window());
  const vcd_reader waves(path);
  EXPECT_EQ(waves.first(), 10U);
  EXPECT_EQ(waves.last(), 12U);
  EXPECT_EQ(history(waves, bank + "open"s, 10, 13), "1 2 2");
  EXPECT_EQ(history(waves, bank + "count"s, 10, 13), "2 3 3");
  EXPECT_EQ(history(waves, bank + "warp"s, 10, 13), "2 3 3");
}

TEST_F(wave_writer_test, a_window_of_instructions_lasts_from_the_first_issue_to_the_last_result) {
  wave_options options;
  options.window = record_window::parse("instructions:1..3");
  options.scopes = {"sm0.bank3"};
  wave_writer writer(path, recorder, clock, options);
  recorder.records.bind(writer);
  for (int i = 0; i < 5; ++i) {
    run_to(10 * (i + 1));
    const fabric::cycle_t now = clock.cycle();
    recorder.end(instructions, instruction(now, "FADD"sv), now + (i == 1 ? 25 : 5));
    read(now + 1, now + 2, 1);
  }
  ASSERT_TRUE(writer.finish());
  const vcd_reader waves(path);
  EXPECT_EQ(waves.first(), 20U);
  EXPECT_EQ(waves.last(), 45U);
  EXPECT_EQ(waves.number(bank + "count"s, 20), 1U);
  EXPECT_EQ(waves.number(bank + "count"s, 45), 4U);
}

TEST_F(wave_writer_test, tells_when_the_run_did_not_come_to_the_window) {
  wave_options options;
  options.window = record_window::parse("100..");
  wave_writer writer(path, recorder, clock, options);
  recorder.records.bind(writer);
  read(2, 30, 1);
  run_to(50);
  EXPECT_TRUE(writer.finish());
  EXPECT_FALSE(writer.reached_window());
}

TEST_F(wave_writer_test, has_only_what_is_in_scope) {
  wave_options options;
  options.scopes = {"sm0.warp0.stall"};
  wave_writer writer(path, recorder, clock, options);
  recorder.records.bind(writer);
  read(1, 2, 1);
  recorder.span(waits, 3, 6, {std::uint64_t{2}});
  ASSERT_TRUE(writer.finish());
  const vcd_reader waves(path);
  EXPECT_EQ(waves.signals().size(), 4U);
  EXPECT_EQ(history(waves, stalls + "cause"s, 2, 4), "z 2");
}

TEST_F(wave_writer_test, rejects_a_scope_without_records_and_leaves_no_file) {
  wave_options options;
  options.scopes = {"sm7"};
  EXPECT_THROW(wave_writer(path, recorder, clock, options), std::invalid_argument);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(wave_writer_test, a_full_disk_does_not_stop_the_run) {
  wave_writer writer("/dev/full", recorder, clock, {});
  recorder.records.bind(writer);
  for (int c = 0; c < 100000; ++c) {
    read(clock.cycle() + 1, clock.cycle() + 2, 1);
    run_to(c + 1);
  }
  EXPECT_TRUE(writer.file().failed()) << "soon, not only at the end";
  EXPECT_FALSE(writer.finish());
  EXPECT_EQ(writer.file().error(), "/dev/full: cannot write this file: No space left on device");
}

TEST(vcd_header, identifiers_are_short_and_all_different) {
  std::set<std::string> seen;
  for (std::size_t number = 0; number < 20000; ++number) {
    const std::string code = vcd_identifier(number);
    EXPECT_TRUE(seen.insert(code).second) << number;
    EXPECT_EQ(code.size(), number < 94 ? 1U : number < 94 + 94 * 94 ? 2U : 3U) << number;
    for (const char c : code) EXPECT_TRUE(c > ' ' && c <= '~');
  }
}

}  // namespace
}  // namespace tc::observe::wave_writer_test
