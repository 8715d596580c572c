// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "shared_recordings.hpp"
#include "test_machine.hpp"

namespace tc::device::test::recorded_run_test {
namespace {

namespace fs = std::filesystem;

fs::path shared_folder() { return tc::test::shared_recordings() / "traces"; }

bool has_shared_folder() { return fs::is_directory(shared_folder()); }

/// The recorded kernels that end with a check: the shared ones if they are there, those of the project otherwise.
std::vector<fs::path> recorded_kernels() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(has_shared_folder() ? shared_folder() : fs::path(TC_SOURCE_DIR) / "traces"))
    if (entry.is_regular_file() && entry.path().extension() == ".trace") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// One kernel of each generation, with several warps where there is one.
std::vector<fs::path> few_kernels() {
  std::vector<fs::path> few;
  for (const char* arch : {"sm_75", "sm_80", "sm_90"}) {
    const std::vector<fs::path> all = recorded_kernels();
    const auto of_arch = [&](const fs::path& path) { return path.string().find(arch) != std::string::npos; };
    const auto tiled = [&](const fs::path& path) { return of_arch(path) && path.string().find("tiled") != std::string::npos; };
    auto found = std::find_if(all.begin(), all.end(), tiled);
    if (found == all.end()) found = std::find_if(all.begin(), all.end(), of_arch);
    few.push_back(*found);
  }
  return few;
}

std::string identifier(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return text;
}

std::string name_of(const fs::path& path) {
  return identifier(path.stem() == "kernel" ? path.parent_path().filename().string() : path.stem().string());
}

config::machine machine_for(const fs::path& path, const std::vector<std::string>& assignments = {}) {
  return preset_of(trace::trace::open(path).header().arch, assignments);
}

/// Runs with a monitor on every base-protocol link: the monitors also find payloads that were never released.
/// Gives the cycles that it takes.
cycle_t expect_exact(const fs::path& path, const config::machine& parameters, run_options options = {}) {
  std::cout << (has_shared_folder() ? "shared recording " : "recording of the project ") << path.filename() << '\n';
  options.monitors = true;
  test_machine machine(path, parameters, options);
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  for (const std::string& line : result.waiting) ADD_FAILURE() << line;
  EXPECT_FALSE(result.kernels[0].expectations.empty());
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_TRUE(result.undefined_values.empty());
  EXPECT_GT(machine.device().monitors()->transactions(), result.instructions);
  expect_cycles_accounted(result);
  return result.cycles;
}

class recorded_kernel : public testing::TestWithParam<fs::path> {};

TEST_P(recorded_kernel, gives_the_recorded_bits_under_interlock) { expect_exact(GetParam(), machine_for(GetParam())); }

TEST_P(recorded_kernel, gives_the_recorded_bits_by_control_codes_alone) {
  run_options options;
  options.timing_of_preset = true;
  expect_exact(GetParam(), machine_for(GetParam()), options);
}

INSTANTIATE_TEST_SUITE_P(all, recorded_kernel, testing::ValuesIn(recorded_kernels()),
                         [](const auto& parameter) { return name_of(parameter.param); });

struct change {
  std::string assignment;  ///< as after `--set`
  bool is_felt = true;     ///< by the warps of sm_75.tiled_f16_f32; what they do not feel has tests of its own that do
};

void PrintTo(const change& change, std::ostream* out) { *out << change.assignment; }

class changed_machine : public testing::TestWithParam<std::tuple<fs::path, change>> {};

TEST_P(changed_machine, still_gives_the_recorded_bits) {
  const auto& [path, change] = GetParam();
  const cycle_t cycles = expect_exact(path, machine_for(path, {change.assignment}));
  constexpr cycle_t of_preset = 4553;
  if (name_of(path) == "sm_75_tiled_f16_f32") {
    EXPECT_EQ(cycles != of_preset, change.is_felt) << cycles << " cycles";
  }
}

std::vector<change> changes() {
  const std::string sub_core = "sm.sub_core.";
  return {{sub_core + "register_file.banks=1"},
          {sub_core + "register_file.banks=4", false},
          {sub_core + "register_file.banks=8", false},
          {sub_core + "register_file.mapping=register_plus_warp_modulo", false},
          {sub_core + "register_file.read_ports=2", false},
          {sub_core + "register_file.write_ports=2", false},
          {sub_core + "reuse_cache.enabled=false", false},
          {sub_core + "operand_fetch.collector_units=1"},
          {sub_core + "operand_fetch.collector_units=2"},
          {sub_core + "operand_fetch.collector_units=8"},
          {sub_core + "operand_fetch.read_window_cycles=1", false},
          {sub_core + "issue.policy=greedy_then_oldest", false},
          {sub_core + "issue.policy=loose_round_robin", false},
          {sub_core + "tensor_core.b_buffer.shared=false", false},
          {sub_core + "tensor_core.b_buffer.depth_tiles=1"},
          {sub_core + "tensor_core.dot_product_units=2"},
          {sub_core + "tensor_core.adder_stages=20"},
          {sub_core + "load_store.queue_entries=1"},
          {sub_core + "pipes.fp32.latency_cycles=40"},
          {"global_memory.latency_cycles=1"},
          {"global_memory.latency_cycles=5000"},
          {"global_memory.line_bytes=32", false},
          {"sm.shared_memory.banks=1"},
          {"sm.shared_memory.wavefront_cycles=9"},
          {"sm.sub_cores=1"},
          {"sm.sub_cores=2"},
          {"sm.sub_cores=8", false},
          {"sm.barrier.release_cycles=0"},
          {"sm.barrier.release_cycles=200"}};
}

INSTANTIATE_TEST_SUITE_P(few, changed_machine, testing::Combine(testing::ValuesIn(few_kernels()), testing::ValuesIn(changes())),
                         [](const auto& parameter) {
                           return name_of(std::get<0>(parameter.param)) + "_" + identifier(std::get<1>(parameter.param).assignment);
                         });

TEST(textbook_collectors, give_the_recorded_bits) {
  const fs::path path = few_kernels().front();
  expect_exact(path, preset("collectors"));
}

}  // namespace
}  // namespace tc::device::test::recorded_run_test
