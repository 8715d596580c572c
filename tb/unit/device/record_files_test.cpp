// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <tc/fabric/recorder.hpp>
#include <tc/observe/konata_writer.hpp>
#include <tc/observe/timeline_writer.hpp>

#include "konata_reader.hpp"
#include "scratch_folder.hpp"
#include "test_machine.hpp"
#include "trace_event_rules.hpp"

namespace tc::device::test::record_files_test {
namespace {

namespace json = boost::json;

/// How many records of a type belong to an instruction: by the type and the instruction.
using stage_counts = std::map<std::pair<std::string, std::uint64_t>, std::size_t>;

/// Counts the records that take time, without what the writers share.
class stage_counter final : public fabric::record_listener {
 public:
  void write(const fabric::record_event& event) override {
    if (event.what == fabric::record_event::edge::begin) {
      const bool is_instruction = event.stream->type().name == "instruction";
      open_[event.id] = {event.cycle, is_instruction ? event.id : instruction_of_[event.parent]};
      instruction_of_[event.id] = open_[event.id].second;
      return;
    }
    const auto [begin, instruction] = open_[event.id];
    open_.erase(event.id);
    if (instruction != 0 && event.cycle > begin && !event.stream->type().is_detail)
      ++counts[{std::string(event.stream->type().name), instruction}];
  }

  stage_counts counts;

 private:
  std::map<std::uint64_t, std::pair<cycle_t, std::uint64_t>> open_;
  std::map<std::uint64_t, std::uint64_t> instruction_of_;
};

using warp_key = std::pair<std::uint64_t, std::uint64_t>;  // CTA, warp
using issue_range = std::pair<cycle_t, cycle_t>;           // first, last

/// A kernel whose run is written as a timeline and as a Konata log.
class record_files : public testing::TestWithParam<std::pair<std::string, std::string>> {
 protected:
  static run_options recording() {
    run_options options;
    options.record = true;
    return options;
  }

  record_files()
      : bench_(std::filesystem::path(TC_SOURCE_DIR) / "traces" / GetParam().second / "kernel.trace", preset(GetParam().first), recording()),
        timeline_(folder_.path() / "timeline.json", bench_.device().clock()),
        konata_(folder_.path() / "konata.log", bench_.device().clock()) {
    auto& records = bench_.device().recorder()->records;
    records.bind(counted_);
    records.bind(timeline_);
    records.bind(konata_);
    result_ = bench_.run();
    for (const accounting::warp_result& warp : result_.warps) issues_[{warp.cta, warp.warp}] = {warp.first_issue, warp.last_issue};
  }

  scratch_folder folder_;
  test_machine bench_;
  stage_counter counted_;
  observe::timeline_writer timeline_;
  observe::konata_writer konata_;
  accounting::run_result result_;
  std::map<warp_key, issue_range> issues_;
};

void widen(std::map<warp_key, issue_range>& ranges, const warp_key& warp, cycle_t issue) {
  issue_range& range = ranges.try_emplace(warp, issue, issue).first->second;
  range = {std::min(range.first, issue), std::max(range.second, issue)};
}

TEST_P(record_files, timeline_shows_each_stage_once_in_its_cycles) {
  ASSERT_TRUE(timeline_.finish()) << timeline_.file().error();
  std::stringstream content;
  content << std::ifstream(folder_.path() / "timeline.json").rdbuf();
  const json::value document = json::parse(content.str());
  for (const std::string& complaint : broken_trace_event_rules(document)) ADD_FAILURE() << complaint;

  stage_counts shown;
  std::map<warp_key, issue_range> issues;
  std::set<std::uint64_t> issued;
  std::size_t arrows = 0;
  for (const json::value& event : document.at("traceEvents").as_array()) {
    if (event.at("ph") == "f") ++arrows;
    if (event.at("ph") != "X") continue;
    const json::object& args = event.at("args").as_object();
    const auto* instruction = args.if_contains("instruction");
    if (instruction == nullptr) continue;
    const std::string category(event.at("cat").as_string());
    const auto* records = args.if_contains("records");
    shown[{category, instruction->to_number<std::uint64_t>()}] += records != nullptr ? records->to_number<std::size_t>() : 1;
    if (category != "issue" || !args.contains("cta")) continue;
    issued.insert(instruction->to_number<std::uint64_t>());
    widen(issues, {args.at("cta").to_number<std::uint64_t>(), args.at("warp").to_number<std::uint64_t>()},
          event.at("ts").to_number<cycle_t>());
  }
  EXPECT_EQ(issued.size(), result_.instructions);
  EXPECT_EQ(issues, issues_);
  EXPECT_GT(arrows, 0U);
  // An issue is on the threads of the warp and of the scheduler; the counters of dependences are no slices.
  for (auto& [stage, count] : counted_.counts)
    if (stage.first == "issue") ++count;
  for (auto stage = counted_.counts.begin(); stage != counted_.counts.end();)
    stage = stage->first.first == "dependence_counter" ? counted_.counts.erase(stage) : std::next(stage);
  EXPECT_EQ(shown, counted_.counts);
}

TEST_P(record_files, konata_log_shows_each_stage_once_in_its_cycles) {
  ASSERT_TRUE(konata_.finish()) << konata_.file().error();
  const std::vector<konata_instruction> rows = read_konata_log(folder_.path() / "konata.log");
  std::map<std::string, std::size_t> shown, expected;
  std::map<warp_key, issue_range> issues;
  for (const konata_instruction& row : rows) {
    if (row.is_flushed) continue;
    EXPECT_NE(row.end, konata_instruction::open) << row.label;
    ++shown["rows"];
    const auto after = [&](const std::string& name) {
      return std::stoull(row.details.substr(row.details.find(", " + name + " ") + 3 + name.size()));
    };
    for (const konata_instruction::stage& stage : row.stages) {
      ++shown[stage.name];
      if (stage.name == "Is") widen(issues, {after("cta"), after("warp")}, stage.begin);
    }
  }
  const std::map<std::string, std::string> names{{"instruction", "rows"}, {"issue", "Is"}, {"operand_fetch", "Op"}, {"execute", "X"},
                                                 {"write_back", "Wb"},    {"a_tile", "A"}, {"dot_product", "Dp"}};
  for (const auto& [stage, count] : counted_.counts)
    if (const auto name = names.find(stage.first); name != names.end()) expected[name->second] += count;
  for (const auto& [name, count] : expected) EXPECT_EQ(shown[name], count) << name;
  EXPECT_EQ(shown["rows"], result_.instructions);
  EXPECT_EQ(issues, issues_);
}

INSTANTIATE_TEST_SUITE_P(traces, record_files,
                         testing::Values(std::pair{"turing", "sm_75.tiled_f16_f32"},
                                         std::pair{"hopper", "sm_90.gemm_f16_f32_m16n16k16.rough"}),
                         [](const auto& instance) { return instance.param.first; });

}  // namespace
}  // namespace tc::device::test::record_files_test
