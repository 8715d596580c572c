#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tc/device/statistics_document.hpp>
#include <tc/fabric/recorder.hpp>

#include "test_machine.hpp"

namespace tc::device::test {
namespace {

namespace json = boost::json;

/// A record with its ends; texts are copied.
struct kept_record {
  const fabric::record_stream* stream = nullptr;
  cycle_t begin = 0, end = 0;
  bool is_open = true;
  std::uint64_t parent = 0;
  std::vector<std::string> values;
};

class keeper final : public fabric::record_listener {
 public:
  explicit keeper(gpu& machine) : clock_(machine.clock()) { machine.recorder()->records.bind(*this); }

  void write(const fabric::record_event& event) override {
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
    begun = {event.stream, event.cycle, 0, true, event.parent, {}};
    const fabric::record_type& type = event.stream->type();
    for (std::size_t a = 0; a < type.attribute_count(); ++a) {
      const fabric::record_value& value = event.values[a];
      if (type.attributes[a].kind == fabric::attribute_kind::text)
        begun.values.emplace_back(value.text);
      else if (type.attributes[a].kind == fabric::attribute_kind::choice)
        begun.values.emplace_back(type.attributes[a].choices[value.number]);
      else
        begun.values.push_back(std::to_string(value.number));
    }
  }

  /// Records of a type, by id.
  std::vector<const kept_record*> of(std::string_view type) const {
    std::vector<const kept_record*> found;
    for (const auto& [id, record] : records)
      if (record.stream->type().name == type) found.push_back(&record);
    return found;
  }

  std::map<std::uint64_t, kept_record> records;

 private:
  fabric::clock_domain& clock_;
};

std::filesystem::path project_trace(const std::string& name) {
  return std::filesystem::path(TC_SOURCE_DIR) / "traces" / name / "kernel.trace";
}

run_options recording() {
  run_options options;
  options.record = true;
  options.timing_of_preset = true;
  return options;
}

std::uint64_t number(const json::value& value) { return value.to_number<std::uint64_t>(); }

/// A machine's preset, and a trace of the project.
class recording_of_kernel : public testing::TestWithParam<std::pair<std::string, std::string>> {};

/// Whatever is told adds up to what is counted.
TEST_P(recording_of_kernel, agrees_with_the_counters) {
  const auto& [machine_name, trace] = GetParam();
  const config::machine machine = preset(machine_name);
  test_machine bench(project_trace(trace), machine, recording());
  keeper kept(bench.device());
  const run_result result = bench.run();
  ASSERT_EQ(result.status, run_status::finished);
  EXPECT_EQ(result.mismatches(), 0U);

  EXPECT_EQ(kept.of("issue").size(), result.instructions);
  EXPECT_EQ(kept.of("instruction").size(), result.instructions);
  stall_cycles stalls{}, empty{};
  const auto add = [](stall_cycles& sums, const kept_record& wait) {
    sums[*subcore::find_stall_cause(wait.values[0])] += wait.end - wait.begin;
  };
  for (const kept_record* wait : kept.of("stall")) add(stalls, *wait);
  for (const kept_record* wait : kept.of("empty_slot"))
    if (!wait->is_open) add(empty, *wait);
  const json::object document = statistics_document(result, machine, {"", 0});
  for (const subcore::stall_cause_info& row : subcore::stall_cause_table) {
    EXPECT_EQ(stalls[row.cause], result.stalls[row.cause]) << row.key;
    if (row.cause == subcore::stall_cause::none) continue;
    std::uint64_t counted = 0;
    for (const auto& unit : document.at("units").as_object())
      if (const json::value* cycles = unit.value().as_object().if_contains("empty_" + std::string(row.key))) counted += number(*cycles);
    EXPECT_EQ(empty[row.cause], counted) << row.key;
  }
  const auto is_left_open = [](const auto& entry) { return entry.second.is_open && entry.second.stream->type().name != "empty_slot"; };
  EXPECT_EQ(std::count_if(kept.records.begin(), kept.records.end(), is_left_open), 0);
}

INSTANTIATE_TEST_SUITE_P(traces, recording_of_kernel,
                         testing::Values(std::pair{"turing", "sm_75.tiled_f16_f32"}, std::pair{"ampere", "sm_80.gemm_f16_f32_m16n16k16"},
                                         std::pair{"hopper", "sm_90.gemm_f16_f32_m16n16k16.rough"},
                                         std::pair{"volta", "sm_70.wmma_f16_f32_m16n16k16"}),
                         [](const auto& instance) { return instance.param.first; });

}  // namespace
}  // namespace tc::device::test
