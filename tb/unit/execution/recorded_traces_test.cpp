// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <scratch_folder.hpp>
#include <shared_recordings.hpp>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/config/machine_loader.hpp>
#include <tc/config/make_dot_product.hpp>
#include <tc/execution/grid_execution.hpp>
#include <tc/execution/memory_comparison.hpp>
#include <tc/launches/launch_reader.hpp>

namespace tc::recorded_traces_test {

// Recorded traces that have the listing of their kernel beside them are launches too: the header of a trace has nearly the lines of one.

namespace fs = std::filesystem;

bool begins_with(const std::string& text, const std::string& begin) { return text.rfind(begin, 0) == 0; }

/// The launch of a trace in a folder, written to another.
void write_launch(const fs::path& trace, const std::string& kernel, const fs::path& folder) {
  for (const char* file : {"a.bin", "b.bin"}) fs::copy_file(trace / file, folder / file);
  fs::copy_file(trace / "kernel.hex.sass.xz", folder / "code.sass.xz");
  std::ofstream out(folder / "launch.txt");
  out << "launch 2\nkernel " << kernel << '\n';
  std::ifstream in(trace / "kernel.trace");
  for (std::string line; std::getline(in, line) && !begins_with(line, "cta");) {
    for (const char* taken : {"grid", "block", "memory", "constant"})
      if (begins_with(line, taken)) out << line << '\n';
    if (begins_with(line, "shared ")) out << "shared dynamic 0 static " << line.substr(7) << '\n';
    if (begins_with(line, "expect 0x30000")) fs::copy_file(trace / "d.bin", folder / "30000.post");
  }
}

struct recorded_trace {
  const char *folder, *machine;
};

class recorded_traces : public testing::TestWithParam<recorded_trace> {};

TEST_P(recorded_traces, are_launches_that_leave_the_bytes_of_silicon) {
  const fs::path trace = fs::path(TC_SOURCE_DIR) / "traces" / GetParam().folder;
  const listings::sass_kernel kernel = listings::read_sass(trace / "kernel.hex.sass.xz");
  const scratch_folder folder;
  write_launch(trace, kernel.name, folder.path());
  const launches::launch launch = launches::read_launch(folder.path());
  const config::machine machine = config::load_machine(fmt::format("{}/configs/{}.json", TC_SOURCE_DIR, GetParam().machine));
  const execution::memory_comparison compared = execution::compare(launch, execution::execute(launch, kernel, machine).memory);
  EXPECT_TRUE(compared.is_exact()) << compared.differing << " words differ";
  EXPECT_GT(compared.bytes, 0U);
}

INSTANTIATE_TEST_SUITE_P(all, recorded_traces,
                         testing::Values(recorded_trace{"sm_75.micro_f16_f16_m16n16k16", "turing"},
                                         recorded_trace{"sm_75.micro_s8_s32_m16n16k16", "turing"},
                                         recorded_trace{"sm_75.tiled_f16_f32", "turing"},
                                         recorded_trace{"sm_80.gemm_f16_f32_m16n16k16", "ampere"},
                                         recorded_trace{"sm_90.gemm_f16_f32_m16n16k16.rough", "hopper"}),
                         [](const auto& test) {
                           std::string name = test.param.folder;
                           for (char& c : name) c = c == '.' ? '_' : c;
                           return name;
                         });

/// The code of sm_80 on the memory of a launch of sm_90: with K of 128 the sums of both generations are the same here.
TEST(code_of_another_architecture, leaves_the_same_bytes) {
  const fs::path shared = test::shared_recordings() / "launches";
  if (!fs::exists(shared / "sm_80")) GTEST_SKIP() << "the recording is not here";
  std::cout << "ran " << (shared / "sm_80").string() << '\n';
  launches::launch launch = launches::read_launch(fs::path(TC_SOURCE_DIR) / "launches/mma_async.128");
  launch.registers = 0;
  const listings::sass_kernel kernel = listings::read_sass(shared / "sm_80/own_gemm.sm_80.sass.xz", launch.kernel);
  const config::machine ampere = config::load_machine(std::string(TC_SOURCE_DIR) + "/configs/ampere.json");
  EXPECT_TRUE(execution::compare(launch, execution::execute(launch, kernel, ampere).memory).is_exact());
}

/// Larger sums differ between the generations. Those of elements that are drawn at random are computed step by step of the kernel, 16 of K
/// each, with the dot products of the machine.
TEST(code_of_another_architecture, adds_as_its_own_machine_does) {
  const fs::path shared = test::shared_recordings() / "launches";
  if (!fs::exists(shared / "sm_80")) GTEST_SKIP() << "the recording is not here";
  std::cout << "ran " << (shared / "mma_async.512").string() << '\n';
  launches::launch launch = launches::read_launch(shared / "mma_async.512");
  launch.registers = 0;
  const listings::sass_kernel kernel = listings::read_sass(shared / "sm_80/own_gemm.sm_80.sass.xz", launch.kernel);
  const config::machine ampere = config::load_machine(std::string(TC_SOURCE_DIR) + "/configs/ampere.json");
  const execution::execution_result result = execution::execute(launch, kernel, ampere);
  constexpr unsigned extent = 512, step = 16, words_of_line = extent / 2;
  std::vector<std::vector<std::uint32_t>> matrices;
  for (const auto& range : result.memory.ranges()) {
    matrices.emplace_back(range.bytes / 4);
    std::memcpy(matrices.back().data(), range.content.data(), range.bytes);
  }
  const numerics::dot_product unit = config::make_dot_product(
      {numerics::f16, numerics::f16, numerics::f32, numerics::dot_product_operation::float_sum}, ampere.sm.sub_core.tensor_core.arithmetic);
  std::mt19937 random(1);
  for (unsigned i = 0; i < 4000; ++i) {
    const unsigned row = random() % extent, column = random() % extent;
    std::uint64_t sum = 0;
    for (unsigned k = 0; k < words_of_line; k += step / 2)
      sum = unit(&matrices[0][row * words_of_line + k], &matrices[1][column * words_of_line + k], step, sum);
    ASSERT_EQ(matrices[2][row * extent + column], sum) << row << ", " << column;
  }
}

}  // namespace tc::recorded_traces_test
