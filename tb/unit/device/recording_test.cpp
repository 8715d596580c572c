// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tc/accounting/statistics_document.hpp>
#include <tc/fabric/recorder.hpp>

#include "record_keeper.hpp"
#include "test_machine.hpp"

namespace tc::device::test::recording_test {
namespace {

namespace json = boost::json;

std::filesystem::path project_trace(const std::string& name) {
  return std::filesystem::path(TC_SOURCE_DIR) / "traces" / name / "kernel.trace";
}

std::uint64_t number(const json::value& value) { return value.to_number<std::uint64_t>(); }

/// A machine's preset, and a trace of the project.
class recording_of_kernel : public testing::TestWithParam<std::pair<std::string, std::string>> {};

/// Whatever is told adds up to what is counted.
TEST_P(recording_of_kernel, agrees_with_the_counters) {
  const auto& [machine_name, trace] = GetParam();
  const config::machine machine = preset(machine_name);
  test_machine bench(project_trace(trace), machine, recording_options());
  record_keeper kept(bench.device());
  const accounting::run_result result = bench.run();
  ASSERT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0U);

  expect_records_agree(kept, result, machine);
  accounting::stall_cycles stalls{}, empty{};
  const auto add = [](accounting::stall_cycles& sums, const kept_record& wait) {
    sums[*links::find_stall_cause(wait.values.at("cause"))] += wait.end - wait.begin;
  };
  for (const kept_record* wait : kept.of("stall")) add(stalls, *wait);
  for (const kept_record* wait : kept.of("empty_slot"))
    if (!wait->is_open) add(empty, *wait);
  const json::object document = accounting::statistics_document(result, machine, {"", 0});
  for (const links::stall_cause_info& row : links::stall_cause_table) {
    EXPECT_EQ(stalls[row.cause], result.stalls[row.cause]) << row.key;
    if (row.cause == links::stall_cause::none) continue;
    std::uint64_t counted = 0;
    for (const auto& unit : document.at("units").as_object())
      if (const json::value* cycles = unit.value().as_object().if_contains("empty_" + std::string(row.key))) counted += number(*cycles);
    EXPECT_EQ(empty[row.cause], counted) << row.key;
  }
}

INSTANTIATE_TEST_SUITE_P(traces, recording_of_kernel,
                         testing::Values(std::pair{"turing", "sm_75.tiled_f16_f32"}, std::pair{"collectors", "sm_75.tiled_f16_f32"},
                                         std::pair{"ampere", "sm_80.gemm_f16_f32_m16n16k16"},
                                         std::pair{"hopper", "sm_90.gemm_f16_f32_m16n16k16.rough"},
                                         std::pair{"volta", "sm_70.wmma_f16_f32_m16n16k16"}),
                         [](const auto& instance) { return instance.param.first; });

}  // namespace
}  // namespace tc::device::test::recording_test
