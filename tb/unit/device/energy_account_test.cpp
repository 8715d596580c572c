// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/accounting/energy_account.hpp>
#include <tc/accounting/statistic_sum.hpp>
#include <tc/accounting/statistics_document.hpp>
#include <tc/config/described_type.hpp>

#include "tensor_traces.hpp"
#include "test_machine.hpp"

namespace tc::device::test::energy_account_test {
namespace {

std::map<std::string, double> by_name(const std::vector<accounting::energy_account::share>& shares) {
  std::map<std::string, double> found;
  for (const accounting::energy_account::share& share : shares) found[share.name] = share.nanojoules;
  return found;
}

double sum_of(const std::vector<accounting::energy_account::share>& shares) {
  return std::accumulate(shares.begin(), shares.end(), 0.0, [](double sum, const auto& share) { return sum + share.nanojoules; });
}

void halve(double& picojoules) { picojoules /= 2; }
void halve(std::map<std::string, double>& picojoules_of) {
  for (auto& [type, picojoules] : picojoules_of) picojoules /= 2;
}

constexpr std::uint64_t matrix_instructions = 3;

/// Matrix instructions that read 4, 2 and 4 registers and write 4, and two FFMA of which the second finds an operand in the reuse cache.
std::string multiplying_kernel() {
  std::string text = kernel_header(1, 1, "registers 32\n", "sm_90") + cta_line(0) + warp_line(0);
  for (unsigned reg = 2; reg < 28; ++reg) text += fmt::format("reg R{} 0\n", reg);
  for (unsigned i = 0; i < matrix_instructions; ++i)
    text += fmt::format("/*00{0}0*/ [B------:R-:W-:-:S04] HMMA.16816.F32 R{1}, R4, R8, R{1}\n", i, 12 + 4 * i);
  return text +
         "/*0030*/ [B------:R-:W-:-:S05] FFMA R26, R2.reuse, R3, R4\n/*0040*/ [B------:R-:W-:-:S05] FFMA R27, R2, R3, R5\n"
         "/*0050*/ [B------:R-:W-:-:S05] EXIT\n";
}

class multiplications : public testing::TestWithParam<bool> {};

TEST_P(multiplications, cost_what_was_counted_times_what_each_costs) {
  config::machine machine =
      preset("hopper",
             {"sms=2",
              R"(energy={"instruction": 1, "register_read": 2, "register_write": 3, "reuse_hit": 4, "a_fill_byte": 0.5, "b_fill_byte": 0.25,
                            "accumulator_fill_byte": 0.125, "multiply_accumulate": {"f16": 0.75, "bf16": 1000}, "sm_cycle": 10})"});
  run_options options;
  options.data = GetParam();
  test_machine gpu(machine, {multiplying_kernel()}, options);
  const accounting::run_result result = gpu.run();
  ASSERT_EQ(result.status, accounting::run_status::finished);

  const accounting::energy_account account = accounting::account_energy(machine, result.cycles);
  constexpr auto n = static_cast<double>(matrix_instructions);
  const std::map<std::string, double> expected{{"instruction", (n + 3) * 1},
                                               {"register_read", (n * (4 + 2 + 4) + 3 + 2) * 2},
                                               {"register_write", (n * 4 + 2) * 3},
                                               {"reuse_hit", 4},
                                               {"a_fill_byte", n * 4 * 128 * 0.5},
                                               {"b_fill_byte", n * 2 * 128 * 0.25},
                                               {"accumulator_fill_byte", n * 4 * 128 * 0.125},
                                               {"multiply_accumulate", n * 16 * 8 * 16 * 0.75},
                                               {"sm_cycle", static_cast<double>(result.cycles) * 10}};
  double total = 0;
  for (const accounting::energy_account::share& event : account.events) {
    const auto picojoules = expected.find(event.name);
    EXPECT_DOUBLE_EQ(event.nanojoules * 1000, picojoules == expected.end() ? 0 : picojoules->second) << event.name;
    total += event.nanojoules;
  }
  EXPECT_DOUBLE_EQ(account.total_nanojoules, total);

  auto units = by_name(account.units);
  EXPECT_DOUBLE_EQ(units["gpu.sm_0.sub_core_0.scheduler"], (n + 3) / 1000);
  EXPECT_DOUBLE_EQ(units["gpu.sm_0.sub_core_0.tensor"], n * 2048 * 0.75 / 1000);
  EXPECT_DOUBLE_EQ(units["gpu.sm_0"], static_cast<double>(result.cycles) / 100) << "the other SM has no CTA";
  EXPECT_NEAR(sum_of(account.units), total, 1e-12 * total);

  const boost::json::object document = accounting::statistics_document(result, machine, {});
  const boost::json::object& energy = document.at("energy").as_object();
  EXPECT_EQ(energy.at("total_nj"), account.total_nanojoules);
  EXPECT_EQ(energy.at("by_event").at("reuse_hit"), 0.004);
  EXPECT_EQ(energy.at("units").as_object().size(), account.units.size());

  config::for_each_member<config::energy_parameters>([&](auto member) { halve(*machine.energy.*member.pointer); });
  EXPECT_DOUBLE_EQ(accounting::account_energy(machine, result.cycles).total_nanojoules, total / 2);
  machine.energy.reset();
  EXPECT_FALSE(accounting::statistics_document(result, machine, {}).contains("energy"));
}

// Stride of 8 bytes: two wavefronts and two lines, in 32 pieces of which a run without data sends one each.
TEST_P(multiplications, and_memories_cost_their_bytes) {
  const config::machine machine =
      preset("turing", {"sms=1", R"(energy={"shared_memory_byte": 1, "global_memory_byte": 10, "l2_byte": 1000, "dram_byte": 1000})"});
  const std::string text = kernel_header(1, 1, "shared 256\nmemory 0x10000 256 zero\n") + cta_line(0) + warp_line(0) +
                           "reg R2 0\nreg R3 0\nreg R4 0\n/*0000*/ STS [R2], R4 @ 0x0+8\n/*0010*/ LDS.U R4, [R2] @ 0x0+8\n"
                           "/*0020*/ STG.E [R2.64], R4 @ 0x10000+8\n/*0030*/ EXIT\n";
  run_options options;
  options.data = GetParam();
  test_machine gpu(machine, {text}, options);
  const accounting::run_result result = gpu.run();
  EXPECT_DOUBLE_EQ(accounting::account_energy(machine, result.cycles).total_nanojoules * 1000, 2 * 128 * 1 + 128 * 10);
}

INSTANTIATE_TEST_SUITE_P(of_a_run, multiplications, testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "with_data" : "without_data"; });

TEST(energy_account, of_caches_is_by_the_level_that_had_the_bytes) {
  const config::machine machine =
      preset("turing", {"sms=1", "global_memory.hierarchy.enabled=true",
                        R"(energy={"global_memory_byte": 1000, "l1_byte": 1, "l2_byte": 10, "dram_byte": 100})"});
  const std::string text = kernel_header(1, 1, "memory 0x10000 128 zero\n") + cta_line(0) + warp_line(0) +
                           "reg R2 0\nreg R3 0\nreg R4 0\n/*0000*/ [B------:R0:W-:-:S02] STG.E [R2.64], R4 @ 0x10000+4\n"
                           "/*0010*/ [B0-----:R-:W0:-:S02] LDG.E R5, [R2.64] @ 0x10000+4\n"
                           "/*0020*/ [B0-----:R-:W0:-:S02] LDG.E R6, [R2.64] @ 0x10000+4\n/*0030*/ [B0-----:R-:W-:-:S05] EXIT\n";
  test_machine gpu(machine, {text});
  const accounting::run_result result = gpu.run();
  auto events = by_name(accounting::account_energy(machine, result.cycles).events);
  EXPECT_DOUBLE_EQ(events["dram_byte"] * 1000, 128 * 100) << "written without being there";
  EXPECT_DOUBLE_EQ(events["l2_byte"] * 1000, 128 * 10);
  EXPECT_DOUBLE_EQ(events["l1_byte"] * 1000, 128 * 1);
  EXPECT_EQ(events["global_memory_byte"], 0);
}

/// Counters that no object of the running machine has, but those of units that are not in it. Types of products are there once there are
/// products.
std::vector<std::string> missing_counters(const std::vector<std::string>& absent_units) {
  std::vector<std::string> missing;
  for (const accounting::energy_counter& counter : accounting::energy_counters()) {
    const bool is_absent = std::any_of(absent_units.begin(), absent_units.end(),
                                       [&](const std::string& unit) { return counter.object.find(unit) != std::string_view::npos; });
    if (is_absent || counter.statistic.empty() || counter.statistic == "multiply_accumulates_of") continue;
    try {
      accounting::statistic_sum(counter.object, counter.statistic);
    } catch (const std::out_of_range& error) {
      missing.emplace_back(error.what());
    }
  }
  return missing;
}

TEST(energy_counters, are_statistics_of_a_machine_with_tensor_memory) {
  test_machine gpu(preset("blackwell", {"sms=2"}), {tensor::one_warp(tensor::allocate(32))});
  EXPECT_EQ(missing_counters({"warpgroup"}), std::vector<std::string>{});
}

TEST(energy_counters, are_statistics_of_a_machine_with_warpgroups) {
  test_machine gpu(preset("hopper", {"sms=1"}),
                   {kernel_header(1, 4, "", "sm_90") + cta_line(0) + warp_line(0) + "wgmma.fence.sync.aligned\n/*f000*/ EXIT\n"});
  EXPECT_EQ(missing_counters({"tensor_memory", "tensor_engine"}), std::vector<std::string>{});
}

TEST(energy_counters, are_in_the_documentation) {
  std::ifstream in(std::filesystem::path(TC_SOURCE_DIR) / "docs/energy.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  for (const accounting::energy_counter& counter : accounting::energy_counters()) {
    const auto has = [&](const std::string& line) {
      return line.find(fmt::format("`{}`", counter.event)) != std::string::npos &&
             (counter.statistic.empty() || line.find(fmt::format("`{}.{}`", counter.object, counter.statistic)) != std::string::npos);
    };
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), has)) << counter.event << " " << counter.object << " " << counter.statistic;
  }
  config::for_each_member<config::energy_parameters>([](auto member) {
    const auto& counters = accounting::energy_counters();
    EXPECT_TRUE(std::any_of(counters.begin(), counters.end(), [&](const accounting::energy_counter& counter) {
      return counter.event == member.name;
    })) << member.name;
  });
}

}  // namespace
}  // namespace tc::device::test::energy_account_test
