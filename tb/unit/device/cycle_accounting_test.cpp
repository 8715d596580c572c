// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/accounting/statistics_document.hpp>

#include "shared_recordings.hpp"
#include "test_machine.hpp"

// Nothing is left out of the accounts: each cycle of each warp, each issue slot and each cycle of each unit has exactly one state, in all
// traces there are.

namespace tc::device::test::cycle_accounting_test {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

/// Folders with traces: the project's, and those that stand beside the project where they are there.
std::vector<fs::path> trace_folders() {
  const fs::path shared = tc::test::shared_recordings();
  std::vector<fs::path> folders{fs::path(TC_SOURCE_DIR) / "traces"};
  for (const char* const name : {"traces", "timing"})
    if (fs::is_directory(shared / name)) folders.push_back(shared / name);
  return folders;
}

bool is_trace(const fs::path& path) {
  return path.extension() == ".trace" || (path.extension() == ".xz" && path.stem().extension() == ".trace");
}

/// The traces whose folder or name begins with an architecture, e.g. "sm_75"; the timing recordings are of an H200.
std::vector<fs::path> traces_of(const std::string& arch) {
  std::vector<fs::path> paths;
  for (const fs::path& folder : trace_folders()) {
    const bool all = folder.filename() == "timing" && arch == "sm_90";
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && is_trace(entry.path()) && (all || entry.path().string().find(arch) != std::string::npos))
        paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::uint64_t number(const json::value& value) { return value.to_number<std::uint64_t>(); }

/// Sum of all members of an object but `left_out`.
std::uint64_t sum_of(const json::object& object, std::string_view left_out = {}) {
  std::uint64_t sum = 0;
  for (const auto& member : object)
    if (std::string_view(member.key()) != left_out) sum += number(member.value());
  return sum;
}

void expect_warps_accounted(const json::object& document) {
  std::uint64_t instructions = 0, stalls = 0;
  for (const json::value& value : document.at("warps").as_array()) {
    const json::object& warp = value.as_object();
    const std::uint64_t stalled = sum_of(warp.at("stalls").as_object());
    ASSERT_EQ(number(warp.at("started")) + number(warp.at("instructions")) + stalled, number(warp.at("last_issue")) + 1) << warp;
    instructions += number(warp.at("instructions"));
    stalls += stalled;
  }
  EXPECT_EQ(instructions, number(document.at("instructions")));
  EXPECT_EQ(stalls, sum_of(document.at("stalls").as_object()));
}

/// Slots that a scheduler counted: those of `issued` and of every cause.
std::uint64_t slots_counted(const json::object& scheduler) {
  std::uint64_t slots = number(scheduler.at("issued"));
  for (const auto& counter : scheduler)
    if (std::string_view(counter.key()).substr(0, 6) == "empty_") slots += number(counter.value());
  return slots;
}

/// A scheduler counts from its first launch to its last exit.
void expect_schedulers_count_every_cycle(const json::object& document) {
  std::uint64_t last_exit = 0, counted = 0;
  for (const json::value& warp : document.at("warps").as_array()) last_exit = std::max(last_exit, number(warp.at("last_issue")) + 1);
  for (const auto& unit : document.at("units").as_object())
    if (unit.value().as_object().contains("empty_no_warp")) counted = std::max(counted, slots_counted(unit.value().as_object()));
  EXPECT_EQ(counted, last_exit);
}

void expect_issue_slots_accounted(const json::object& document) {
  const json::object& slots = document.at("issue_slots").as_object();
  const std::uint64_t all = number(slots.at("slots")), cycles = number(document.at("cycles"));
  EXPECT_EQ(all, sum_of(slots, "slots"));
  EXPECT_EQ(number(slots.at("issued")), number(document.at("instructions")));
  EXPECT_EQ(all % cycles, 0U) << "a slot for each cycle and scheduler";
  EXPECT_LE(number(slots.at("no_warp")), all);
  expect_schedulers_count_every_cycle(document);
}

/// A unit may still hold its input when the run ends, and what it holds then is not of the run's cycles.
constexpr std::uint64_t held_behind_the_end = 64;

void expect_units_accounted(const json::object& document) {
  const json::object& units = document.at("utilisation").as_object();
  EXPECT_GE(units.size(), 10U);
  unsigned with_causes = 0;
  for (const auto& unit : units) {
    const std::uint64_t busy = number(unit.value().at("busy_cycles")), idle = number(unit.value().at("idle_cycles"));
    EXPECT_EQ(busy + idle, number(document.at("cycles"))) << unit.key();
    const std::uint64_t counted = number(document.at("units").at(unit.key()).at("busy_cycles"));
    EXPECT_LE(counted, busy + held_behind_the_end) << unit.key() << ": idle cycles that were busy";
    if (const auto* const idle_by_cause = unit.value().as_object().if_contains("idle")) {
      EXPECT_EQ(sum_of(idle_by_cause->as_object()), idle) << unit.key();
      ++with_causes;
    }
    EXPECT_NEAR(unit.value().at("utilisation").to_number<double>(), static_cast<double>(busy) / static_cast<double>(busy + idle), 1e-12);
  }
  const bool has_warpgroups = number(document.at("config").at("sm").at("warpgroup").at("operand_tiles")) != 0;
  EXPECT_EQ(with_causes % (has_warpgroups ? 11U : 10U), 0U)
      << "tensor unit, load-store unit, warpgroup unit and eight others of each sub-core";
  EXPECT_GE(with_causes, 10U);
}

/// Registers are counted though no values are read.
void expect_reads_counted(const json::object& document) {
  std::uint64_t registers = 0;
  for (const auto& unit : document.at("units").as_object())
    if (const auto* const read = unit.value().as_object().if_contains("registers_read")) registers += number(*read);
  EXPECT_GT(registers, 0U);
}

/// Runs a trace and looks at what `--stats` would hold.
void expect_accounted(const fs::path& path, const config::machine& parameters, bool timing_of_preset) {
  SCOPED_TRACE(path.string());
  run_options options;
  options.data = false;
  options.timing_of_preset = timing_of_preset;
  test_machine machine(path, parameters, options);
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  const json::object document = accounting::statistics_document(result, parameters, {"x", 0});
  expect_warps_accounted(document);
  expect_issue_slots_accounted(document);
  expect_units_accounted(document);
  expect_reads_counted(document);
}

/// A machine, and which of the traces it runs: each `parts`th from `part` on, so that no test takes long.
struct machine_case {
  std::string preset;
  std::string arch;
  std::string assignment{};  ///< as after `--set`
  std::size_t part = 0, parts = 1;
};

class cycle_accounting : public testing::TestWithParam<machine_case> {};

// A SystemC process elaborates once, so each trace runs in a child.
TEST_P(cycle_accounting, adds_up_in_every_trace) {
  const machine_case& machine = GetParam();
  const std::vector<std::string> assignments(machine.assignment.empty() ? 0 : 1, machine.assignment);
  const config::machine parameters = preset(machine.preset, assignments);
  const std::vector<fs::path> paths = traces_of(machine.arch);
  std::cout << paths.size() << " traces of " << machine.arch << " in " << trace_folders().size() << " folders\n";
  for (std::size_t i = machine.part; i < paths.size(); i += machine.parts) {
    EXPECT_EXIT(
        {
          expect_accounted(paths[i], parameters, assignments.empty());
          std::_Exit(HasFailure() ? 1 : 0);
        },
        testing::ExitedWithCode(0), "");
  }
}

std::vector<machine_case> machines() {
  std::vector<machine_case> all{{"volta", "sm_70"},
                                {"turing", "sm_75"},
                                {"ampere", "sm_80"},
                                {"collectors", "sm_75"},
                                {"ampere", "sm_80", "sm.sub_core.tensor_core.b_buffer.depth_tiles=1"}};
  constexpr std::size_t hopper_parts = 8;
  for (std::size_t part = 0; part < hopper_parts; ++part) all.push_back({"hopper", "sm_90", "", part, hopper_parts});
  return all;
}

std::string name_of(const machine_case& machine) {
  std::string name = machine.preset;
  if (!machine.assignment.empty()) name += "_" + machine.assignment.substr(machine.assignment.rfind('.') + 1);
  if (machine.parts > 1) name += "_" + std::to_string(machine.part);
  std::replace(name.begin(), name.end(), '=', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(all, cycle_accounting, testing::ValuesIn(machines()),
                         [](const auto& parameter) { return name_of(parameter.param); });

}  // namespace
}  // namespace tc::device::test::cycle_accounting_test
