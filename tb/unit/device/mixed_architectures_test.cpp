// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "test_machine.hpp"

// Code of one architecture on the machine of another (docs/architectures-that-do-not-exist.md).

namespace tc::device::test::mixed_architectures_test {
namespace {

std::filesystem::path kernel(const std::string& name) { return std::filesystem::path(TC_SOURCE_DIR) / "traces" / name / "kernel.trace"; }

accounting::run_result run_of(const std::string& name, const std::string& machine, const std::string& architectures) {
  run_options options;
  options.timing_of_preset = true;
  test_machine gpu(kernel(name), preset(machine, {"architectures=" + architectures}), options);
  return gpu.run();
}

struct mixture {
  std::string kernel, machine, architectures;
};

class mixed_architectures : public testing::TestWithParam<mixture> {};

/// Its control codes separate dependent instructions by the latencies of other units. A warning of a hazard would fail the test.
TEST_P(mixed_architectures, wait_for_results_by_an_interlock) {
  const accounting::run_result result = run_of(GetParam().kernel, GetParam().machine, GetParam().architectures);
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0u);
  EXPECT_GT(result.stalls[links::stall_cause::scoreboard], 0u);
}

INSTANTIATE_TEST_SUITE_P(of, mixed_architectures,
                         testing::Values(mixture{"sm_80.gemm_f16_f32_m16n16k16", "turing", R"(["sm_80"])"},
                                         mixture{"sm_80.gemm_f16_f32_m16n16k16", "turing", R"(["sm_75", "sm_80"])"}),
                         [](const auto& test) { return test.param.machine + std::to_string(test.index); });

TEST(an_architecture_of_the_machine, needs_no_interlock_beside_others) {
  const accounting::run_result result = run_of("sm_75.tiled_f16_f32", "turing", R"(["sm_80", "sm_75"])");
  EXPECT_EQ(result.mismatches(), 0u);
  EXPECT_EQ(result.stalls[links::stall_cause::scoreboard], 0u);
}

}  // namespace
}  // namespace tc::device::test::mixed_architectures_test
