// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "command_process.hpp"
#include "shared_recordings.hpp"

namespace recorded_kernels_test {

// Compiled kernels with outputs that an H200 computed: those of the folder traces, and all of the shared recordings where these are
// present.

using namespace tcsim::test;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> recorded_traces() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(fs::path(TC_SOURCE_DIR) / "traces"))
    if (fs::exists(entry.path() / "kernel.trace")) files.push_back((entry.path() / "kernel.trace").string());
  if (fs::exists(tc::test::shared_recordings() / "traces")) {
    for (const auto& entry : fs::directory_iterator(tc::test::shared_recordings() / "traces"))
      if (entry.path().extension() == ".trace") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The configuration for the architecture that the trace is named after.
std::string configuration_of(const std::string& file) {
  if (file.find("sm_90") != std::string::npos) return "hopper";
  if (file.find("sm_70") != std::string::npos) return "volta";
  return file.find("sm_80") != std::string::npos ? "ampere" : "turing";
}

}  // namespace

class recorded_kernel : public command_test, public testing::WithParamInterface<std::string> {};

TEST_P(recorded_kernel, is_exact_and_without_warnings) {
  const auto result = tcsim({"run", GetParam(), "--config", configuration_of(GetParam()), "--strict"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("exact: "), std::string::npos) << result.out;
}

TEST_P(recorded_kernel, is_exact_on_a_slower_machine) {
  const auto result = tcsim({"run", GetParam(), "--config", configuration_of(GetParam()), "--strict", "--set",
                             "sm.sub_core.tensor_core.dot_product_units=1", "--set", "sm.sub_core.pipes.integer.latency_cycles=11", "--set",
                             "sm.sub_core.tensor_core.result_stages=9"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
}

TEST_P(recorded_kernel, is_correct_for_trace_check) {
  const auto result = tcsim({"trace", "check", GetParam()});
  EXPECT_EQ(result.status, 0) << result.err;
}

INSTANTIATE_TEST_SUITE_P(of, recorded_kernel, testing::ValuesIn(recorded_traces()), [](const auto& parameter) {
  const fs::path file(parameter.param);
  std::string name =
      file.filename() == "kernel.trace" ? "ours_" + file.parent_path().filename().string() : "shared_" + file.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.'; }, '_');
  return name;
});

TEST(recorded_kernels, say_which_there_are) {
  const auto shared = tc::test::shared_recordings() / "traces";
  std::cout << (fs::exists(shared) ? "the project's traces and the shared recordings\n"
                                   : "the project's traces alone: no shared recordings\n");
  EXPECT_GE(recorded_traces().size(), 5u);
}

}  // namespace recorded_kernels_test
