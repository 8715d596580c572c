// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fstream>
#include <scratch_folder.hpp>
#include <sstream>
#include <string>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/accounting/run_summary.hpp>
#include <tc/accounting/statistics_document.hpp>
#include <tc/config/json_text.hpp>
#include <tc/config/parameter_writer.hpp>

#include "test_machine.hpp"

namespace tc::device::test::statistics_document_test {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

fs::path project_trace(const std::string& name) { return fs::path(TC_SOURCE_DIR) / "traces" / name / "kernel.trace"; }

TEST(statistics_document, has_its_keys) {
  const config::machine parameters = preset("turing");
  test_machine machine(project_trace("sm_75.micro_s8_s32_m16n16k16"), parameters);
  const accounting::run_result result = machine.run();
  const json::object document = accounting::statistics_document(result, parameters, {"1.2.3", 0.5});
  EXPECT_EQ(document.at("tcsim"), "1.2.3");
  EXPECT_EQ(document.at("config"), config::to_json(parameters));
  const json::object& trace = document.at("trace").as_object();
  EXPECT_EQ(trace.at("file"), "kernel.trace");
  EXPECT_EQ(trace.at("kernel"), "micro_s8_s32_m16n16k16");
  EXPECT_EQ(trace.at("arch"), "sm_75");
  EXPECT_EQ(trace.at("grid"), (json::array{1, 1, 1}));
  EXPECT_EQ(trace.at("block"), (json::array{32, 1, 1}));
  EXPECT_EQ(trace.at("ctas"), 1);
  EXPECT_EQ(trace.at("warps"), 1);
  EXPECT_EQ(trace.at("instructions"), 35);
  EXPECT_EQ(document.at("status"), "finished");
  EXPECT_EQ(document.at("cycles"), result.cycles);
  EXPECT_EQ(document.at("instructions"), 35);
  EXPECT_EQ(document.at("expect"), (json::array{json::object{{"base", "0x30000"}, {"bytes", 1024}, {"mismatches", 0}, {"undefined", 0}}}));
  EXPECT_DOUBLE_EQ(document.at("time_us").as_double(), static_cast<double>(result.cycles) / parameters.clock_mhz);
  EXPECT_FALSE(document.contains("kernels"));
  EXPECT_FALSE(document.contains("waiting"));

  const json::array& reads = document.at("clock_reads").as_array();
  ASSERT_EQ(reads.size(), 2U);
  const json::object& second = reads[1].as_object();
  EXPECT_EQ(second.at("index"), 1);
  EXPECT_EQ(second.at("cta"), 0);
  EXPECT_EQ(second.at("warp"), 0);
  EXPECT_EQ(second.at("pc").as_string().size(), 4U);
  EXPECT_EQ(second.at("cycle"), result.clock_reads[1].cycle);

  const json::object& warp = document.at("warps").as_array().at(0).as_object();
  EXPECT_EQ(warp.at("instructions"), 35);
  EXPECT_EQ(warp.at("first_issue"), 0);
  EXPECT_EQ(document.at("stalls").as_object().size(), links::stall_causes - 1);
  EXPECT_EQ(document.at("units").as_object().at("gpu.sm_0.sub_core_0.tensor").as_object().at("instructions"), 4);
  EXPECT_DOUBLE_EQ(document.at("host").as_object().at("instructions_per_second").as_double(), 70.0);
}

TEST(statistics_document, tells_kernels_apart_if_there_are_several) {
  const std::string text = kernel_header(1, 1, "memory 0x1000 16 zero\nexpect 0x1000 16 zero\n") + cta_line(0) + warp_line(0) +
                           "/*0000*/ CS2R R4, SR_CLOCKLO\n/*0010*/ EXIT\n";
  const config::machine parameters = preset("turing");
  test_machine machine(parameters, {text, text});
  const json::object document = accounting::statistics_document(machine.run(), parameters, {"x", 0});
  ASSERT_EQ(document.at("kernels").as_array().size(), 2U);
  EXPECT_EQ(document.at("kernels").as_array().at(1).as_object().at("file"), "kernel 1");
  for (const char* key : {"expect", "clock_reads", "warps"}) {
    ASSERT_EQ(document.at(key).as_array().size(), 2U) << key;
    EXPECT_EQ(document.at(key).as_array().at(1).as_object().at("kernel"), 1) << key;
  }
  EXPECT_EQ(document.at("instructions"), 4);
}

// Issue in cycles 0, 4 and 6; then the scheduler has no warp until the store is acknowledged. The units are idle but for what they do.
TEST(statistics_document, says_what_became_of_each_issue_slot) {
  const config::machine parameters = preset("turing");
  test_machine machine(parameters, {kernel_header(1, 1, "memory 0x1000 128 zero\n") + cta_line(0) + warp_line(0) +
                                    "reg R2 0\nreg R4 0\n/*0000*/ [B------:R-:W-:-:S04] MOV R6, R4\n"
                                    "/*0010*/ [B------:R-:W-:-:S02] STG.E.SYS [R2], R4 @ 0x1000+4\n/*0020*/ [B------:R-:W-:-:S05] EXIT\n"});
  const accounting::run_result result = machine.run();
  const json::object document = accounting::statistics_document(result, parameters, {"x", 0});
  EXPECT_GT(result.cycles, 200U);
  const json::object& slots = document.at("issue_slots").as_object();
  EXPECT_EQ(slots.at("slots"), result.cycles);
  EXPECT_EQ(slots.at("issued"), 3);
  EXPECT_EQ(slots.at("stall_count"), 4);
  EXPECT_EQ(slots.at("no_warp"), result.cycles - 7);
  const json::object& integer = document.at("utilisation").at("gpu.sm_0.sub_core_0.integer").as_object();
  EXPECT_EQ(integer.at("busy_cycles"), 2) << "32 lanes through 16, the first while EXIT issues";
  EXPECT_EQ(integer.at("idle"), (json::object{{"issued", 2}, {"stall_count", 4}, {"no_warp", result.cycles - 8}}));
}

TEST(run_summary, shares_of_warp_cycles_add_up) {
  const config::machine parameters = preset("turing");
  test_machine machine(project_trace("sm_75.tiled_f16_f32"), parameters);
  const accounting::run_result result = machine.run();
  const accounting::run_summary summary = accounting::summarize(result, parameters);
  EXPECT_EQ(summary.sub_cores_used, 4U);
  EXPECT_GT(summary.tensor_utilisation, 0.05);
  EXPECT_LT(summary.tensor_utilisation, 1.0);
  EXPECT_EQ(summary.warp_cycles.front().cause, links::stall_cause::none);
  for (const auto* shares : {&summary.warp_cycles, &summary.issue_slots}) {
    double percent = 0;
    for (const auto& share : *shares) {
      EXPECT_GT(share.cycles, 0U) << links::info(share.cause).key;
      percent += share.percent;
    }
    EXPECT_NEAR(percent, 100, 1e-9);
  }
}

TEST(run_summary, tells_how_busy_each_kind_of_unit_was) {
  const config::machine parameters = preset("turing");
  test_machine machine(project_trace("sm_75.tiled_f16_f32"), parameters);
  const accounting::run_result result = machine.run();
  const accounting::run_summary summary = accounting::summarize(result, parameters);
  const auto units_of = [&](std::string_view kind) {
    for (const accounting::unit_kind_use& use : summary.units)
      if (use.kind == kind) return use.units;
    return 0U;
  };
  EXPECT_EQ(units_of("tensor"), 4U);
  EXPECT_EQ(units_of("register_file.bank"), 8U);
  EXPECT_EQ(units_of("shared_memory"), 1U);
  EXPECT_EQ(units_of("fp64"), 0U) << "idle";
  for (std::size_t i = 1; i < summary.units.size(); ++i) EXPECT_GE(summary.units[i - 1].utilisation, summary.units[i].utilisation);
}

// The test runs itself twice in processes of their own, so that addresses differ, and compares what they write.
constexpr const char* output_variable = "TCSIM_TEST_STATISTICS";

void write_statistics(const fs::path& path) {
  const config::machine parameters = preset("turing", {"sm.sub_core.operand_fetch.collector_units=2"});
  test_machine machine(project_trace("sm_75.tiled_f16_f32"), parameters);
  json::object document = accounting::statistics_document(machine.run(), parameters, {"x", 1.0});
  document.erase("host");
  std::ofstream(path) << config::pretty_text(document);
}

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(statistics_document, is_the_same_byte_for_byte_in_every_run) {
  if (const char* output = std::getenv(output_variable)) {
    write_statistics(output);
    return;
  }
  const scratch_folder folder;
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  for (const char* run : {"first", "second"}) {
    const std::string command = fmt::format("{}={} {} --gtest_filter=statistics_document.is_the_same_byte_for_byte_in_every_run >{} 2>&1",
                                            output_variable, (folder.path() / run).string(), self, (folder.path() / "log").string());
    ASSERT_EQ(std::system(command.c_str()), 0) << content(folder.path() / "log");
  }
  const std::string first = content(folder.path() / "first");
  EXPECT_GT(first.size(), 1000U);
  EXPECT_EQ(first, content(folder.path() / "second"));
}

}  // namespace
}  // namespace tc::device::test::statistics_document_test
