// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/accounting/run_limits.hpp>
#include <tc/config/config_error.hpp>

#include "test_machine.hpp"

// What the first line of a summary names. That it is a cause, tb/interventions finds out.

namespace tc::device::test::limiting_cause_test {
namespace {

using accounting::limit_info;
using accounting::limit_table;
using accounting::limits_of;
using accounting::run_limit;
using links::stall_cause;

/// Independent matrix instructions of eight warps, which the scoreboard keeps in order.
std::string stream_of_products(unsigned instructions) {
  std::string text = kernel_header(1, 8) + cta_line(0);
  for (unsigned warp = 0; warp < 8; ++warp) {
    text += warp_line(warp);
    for (unsigned i = 0; i < instructions; ++i) {
      const unsigned d = 32 + 4 * (i % 8);
      text += fmt::format("/*{:04x}*/ HMMA.1688.F32 R{}, R0, R8, R{}\n", 16 * i, d, d);
    }
    text += fmt::format("/*{:04x}*/ EXIT\n", 16 * instructions);
  }
  return text;
}

TEST(limiting_cause, of_a_stream_at_the_rate_of_the_tensor_cores_is_the_tensor_cores) {
  const config::machine machine = preset("turing");
  test_machine test(machine, {stream_of_products(64)});
  const accounting::run_result result = test.run();
  const std::vector<run_limit> limits = limits_of(result, machine);
  ASSERT_FALSE(limits.empty());
  EXPECT_EQ(limits.front().info->key, "tensor_cores");
  EXPECT_GT(limits.front().busy, 0.95);
  EXPECT_EQ(result.stalls[stall_cause::bank_conflict], 0U) << "read ports are free before the tensor cores are: more would save nothing";
}

TEST(limiting_cause, of_throttled_sums_is_the_tensor_cores_too) {
  const config::machine machine = preset("turing_geforce");
  test_machine test(machine, {stream_of_products(64)});
  const accounting::run_result result = test.run();
  const std::vector<run_limit> limits = limits_of(result, machine);
  ASSERT_FALSE(limits.empty());
  EXPECT_EQ(limits.front().info->key, "tensor_cores");
  EXPECT_GT(limits.front().busy, 0.95) << "at their rate they are busy in all cycles";
  EXPECT_EQ(result.stalls[stall_cause::buffer_full], 0U);
}

TEST(limiting_cause, of_a_chain_of_loads_is_global_memory) {
  const config::machine machine = preset("turing");
  const std::string chain = kernel_header(1, 1, "memory 0x1000 16 zero\n") + cta_line(0) + warp_line(0) +
                            "/*0000*/ LDG.E R4, [R2] @ 0x1000+0\n/*0010*/ IADD3 R4, R4, R4, RZ\n/*0020*/ EXIT\n";
  test_machine test(machine, {chain});
  const accounting::run_result result = test.run();
  const std::vector<run_limit> limits = limits_of(result, machine);
  ASSERT_FALSE(limits.empty());
  EXPECT_EQ(limits.front().info->key, "global_memory");
  EXPECT_GT(limits.front().saving(), 0.8);
}

/// So many warps of independent multiply-adds, of which two sources lie in one bank.
std::string stream_of_multiply_adds(unsigned warps) {
  std::string text = kernel_header(1, warps) + cta_line(0);
  for (unsigned warp = 0; warp < warps; ++warp) {
    text += warp_line(warp);
    for (unsigned i = 0; i < 100; ++i) text += fmt::format("/*{:04x}*/ [B------:R-:W-:-:S01] FFMA R{}, R2, R4, R5\n", 16 * i, 20 + i % 40);
    text += "/*0640*/ [B------:R-:W-:-:S05] EXIT\n";
  }
  return text;
}

// One bank is read in each cycle, the other in every second one: more lanes would save nothing.
TEST(limiting_cause, is_hidden_by_the_busiest_bank) {
  const config::machine machine = preset("turing");
  test_machine test(machine, {stream_of_multiply_adds(16)});
  const accounting::run_result result = test.run();
  const std::vector<run_limit> limits = limits_of(result, machine);
  const auto pipes = std::find_if(limits.begin(), limits.end(), [](const run_limit& limit) { return limit.info->key == "pipes"; });
  ASSERT_NE(pipes, limits.end());
  EXPECT_LT(pipes->saving(), 0.02);
}

TEST(limiting_cause, of_warps_that_are_all_ready_is_the_issue_slot) {
  const config::machine machine = preset("turing", {"sm.sub_core.register_file.read_ports=2", "sm.sub_core.pipes.fp32.lanes=32"});
  test_machine test(machine, {stream_of_multiply_adds(16)});
  const accounting::run_result result = test.run();
  const std::vector<run_limit> limits = limits_of(result, machine);
  ASSERT_FALSE(limits.empty());
  EXPECT_EQ(limits.front().info->key, "issue");
  EXPECT_GT(limits.front().busy, 0.95);
}

TEST(limiting_cause, names_the_unit_that_is_busy_and_no_more_digits_than_it_is_good_for) {
  const limit_info& row =
      *std::find_if(limit_table().begin(), limit_table().end(), [](const limit_info& each) { return each.key == "load_store"; });
  run_limit limit{&row, 0.2, 1, 0.934, "shared_memory", 0.5};
  EXPECT_EQ(text(limit),
            "load-store units and shared memory: shared_memory in use in 93.4 % of the cycles; faster ones would save about 10 %");
  limit.stalled = 0.01;
  EXPECT_NE(text(limit).find("would save less than 1 %"), std::string::npos);
}

TEST(limiting_cause, saves_nothing_that_another_unit_hides) {
  const limit_info& latency = limit_table().front();
  EXPECT_DOUBLE_EQ((run_limit{&latency, 0.4, 1, 0, "", 1.0}.saving()), 0);
  EXPECT_DOUBLE_EQ((run_limit{&latency, 0.4, 1, 0, "", 0.5}.saving()), 0.2);
  EXPECT_DOUBLE_EQ((run_limit{&latency, 0.4, 0.5, 0, "", 0.5}.saving()), 0.1) << "nor what no warp was there for";
}

TEST(limiting_cause, is_relaxed_by_parameters_that_there_are) {
  for (const limit_info& row : limit_table())
    for (const accounting::relaxation& each : row.relaxations) {
      SCOPED_TRACE(fmt::format("{}: {}={}", row.key, each.parameter, each.value));
      const std::string value = each.value.front() == 'x' ? "4" : std::string(each.value);
      try {
        preset("turing", {fmt::format("{}={}", each.parameter, value)});
      } catch (const config::config_error& error) {
        EXPECT_EQ(std::string(error.what()).find("unknown"), std::string::npos) << error.what();
      }
    }
}

// Collector units that hold loads for which the load-store unit has no place are full because of that.
TEST(limiting_cause, of_collectors_full_of_what_waits_for_a_unit_is_the_unit) {
  std::string text = kernel_header(1, 4, "shared 4096\n") + cta_line(0);
  for (unsigned warp = 0; warp < 4; ++warp) {
    text += warp_line(warp);
    for (unsigned i = 0; i < 32; ++i) text += fmt::format("/*{:04x}*/ LDS R{}, [R2] @ 0+128\n", 16 * i, 8 + i);
    text += "/*0200*/ EXIT\n";
  }
  test_machine test(preset("collectors"), {text});
  const accounting::run_result result = test.run();
  EXPECT_GT(result.stalls[stall_cause::memory_queue], 10 * result.stalls[stall_cause::collector_full]);
}

// Waits for other warps have no cause of their own: those warps wait for something.
TEST(limiting_cause, has_each_stall_that_something_can_relax) {
  std::set<stall_cause> of_rows{stall_cause::none, stall_cause::stall_count, stall_cause::wait_mask, stall_cause::scoreboard};
  const std::set<stall_cause> of_other_warps{stall_cause::cta_barrier, stall_cause::no_warp};
  for (const limit_info& row : limit_table()) of_rows.insert(row.causes.begin(), row.causes.end());
  for (const links::stall_cause_info& row : links::stall_cause_table)
    EXPECT_NE(of_rows.count(row.cause), of_other_warps.count(row.cause)) << row.key;
}

TEST(limiting_cause, is_in_the_documentation) {
  std::ifstream file(std::string(TC_SOURCE_DIR) + "/docs/causes.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const limit_info& row : limit_table())
    EXPECT_NE(page.find(fmt::format("| `{}` | {} |", row.key, row.text)), std::string::npos) << row.key;
}

const limit_info& row_of(std::string_view key) {
  return *std::find_if(limit_table().begin(), limit_table().end(), [key](const limit_info& row) { return row.key == key; });
}

TEST(limiting_cause, multiplies_or_sets_parameters_and_leaves_out_what_they_are) {
  const config::machine machine = preset("turing", {"sm.sub_core.register_file.read_ports=2"});
  EXPECT_EQ(relaxed_parameters(row_of("register_ports"), machine).at("sm.sub_core.register_file.read_ports"), 8);
  const boost::json::object relaxed = relaxed_parameters(row_of("tensor_cores"), machine);
  EXPECT_EQ(relaxed.at("sm.sub_core.tensor_core.dot_product_units"), 64);
  EXPECT_FALSE(relaxed.contains("sm.sub_core.tensor_core.f32_accumulate_divider")) << "it is 1";
  EXPECT_FALSE(relaxed.contains("sm.sub_core.tensor_core.f64_units")) << "there are none";
}

// What a reader copies from `limits[0].relaxed` is a machine.
TEST(limiting_cause, is_relaxed_by_what_the_machine_accepts) {
  for (const char* const name : {"volta", "turing", "collectors", "ampere", "hopper", "blackwell"})
    for (const limit_info& row : limit_table()) {
      SCOPED_TRACE(fmt::format("{} on {}", row.key, name));
      std::vector<std::string> assignments;
      for (const auto& [path, value] : relaxed_parameters(row, preset(name)))
        assignments.push_back(fmt::format("{}={}", std::string(path), boost::json::serialize(value)));
      EXPECT_NO_THROW(preset(name, assignments));
    }
}

}  // namespace
}  // namespace tc::device::test::limiting_cause_test
