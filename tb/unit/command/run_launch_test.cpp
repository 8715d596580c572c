// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <gmock/gmock.h>
#include <iostream>
#include <regex>
#include <shared_recordings.hpp>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "command_process.hpp"

namespace run_launch_test {

// Launches that are executed while the machine runs them.

using namespace tcsim::test;
namespace fs = std::filesystem;

namespace {

std::string launch(const std::string& name) {
  const fs::path own = fs::path(TC_SOURCE_DIR) / "launches" / name, shared = tc::test::shared_recordings() / "launches" / name;
  return (fs::exists(own) ? own : shared).string();
}

std::string cycles_of(const outcome& run) {
  std::smatch found;
  return std::regex_search(run.out, found, std::regex("\ntime +([0-9]+) cycles")) ? found[1].str() : "none";
}

}  // namespace

class recorded_launch_in_time : public command_test, public testing::WithParamInterface<const char*> {};

/// The memory of the execution, that of the machine, whose units compute everything too, and what an H100 left are the same. Without data
/// the execution alone has values, and everything takes the same time.
TEST_P(recorded_launch_in_time, is_exact_three_times_and_takes_the_same_time_without_data) {
  const std::string folder = launch(GetParam());
  if (!fs::exists(folder)) GTEST_SKIP() << "the recording is not here";
  std::cout << "ran " << folder << '\n';
  const outcome with = tcsim({"run", folder, "--config", "hopper"}), without = tcsim({"run", folder, "--config", "hopper", "--no-data"});
  EXPECT_EQ(with.status, 0) << with.out << with.err;
  EXPECT_THAT(with.out, testing::HasSubstr("result        exact: "));
  EXPECT_THAT(with.out,
              testing::ContainsRegex("execution: exact: [0-9]+ bytes are as recorded; the machine's memory agrees in [0-9]+ bytes\n"));
  EXPECT_EQ(without.status, 0) << without.out << without.err;
  EXPECT_THAT(without.out, testing::ContainsRegex("execution: exact: [0-9]+ bytes are as recorded\n"));
  EXPECT_EQ(cycles_of(without), cycles_of(with));
}

INSTANTIATE_TEST_SUITE_P(all, recorded_launch_in_time,
                         testing::Values("bitonic_sort", "bits_and_votes", "divergent_loops", "flags", "function_pointers", "grid_barrier",
                                         "hash_table", "histogram", "integer_division", "integer_matrices", "local_arrays", "mma_async.128",
                                         "persistent_tiles", "producer_consumer", "recursion", "scan", "semaphore_split_k", "ticket_lock",
                                         "transposed_copy", "wmma_shared.128", "double_precision", "mma_async.512",
                                         "triton_attention_64_full", "triton_matmul_f16_64x64x32", "triton_softmax", "wmma_global.128"));

struct variant {
  const char *launch, *assignment;
};

/// What is computed does not depend on how long anything takes.
class varied_launch : public command_test, public testing::WithParamInterface<variant> {};

TEST_P(varied_launch, is_exact_on_another_machine) {
  const outcome run = tcsim({"run", launch(GetParam().launch), "--config", "hopper", "--set", GetParam().assignment});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, testing::HasSubstr("execution: exact: "));
}

INSTANTIATE_TEST_SUITE_P(
    all, varied_launch,
    testing::Values(variant{"flags", "sms=1"}, variant{"flags", "sms=2"}, variant{"histogram", "sms=1"}, variant{"grid_barrier", "sms=1"},
                    variant{"grid_barrier", "sms=2"}, variant{"persistent_tiles", "sms=1"}, variant{"persistent_tiles", "sms=2"},
                    variant{"producer_consumer", "sms=1"}, variant{"producer_consumer", "sms=2"}, variant{"semaphore_split_k", "sms=1"},
                    variant{"semaphore_split_k", "sms=2"}, variant{"ticket_lock", "sms=1"}, variant{"ticket_lock", "sms=2"},
                    variant{"mma_async.128", "sm.sub_core.register_file.banks=4"}, variant{"mma_async.128", "sm.shared_memory.banks=16"},
                    variant{"mma_async.128", "global_memory.latency_cycles=2000"},
                    variant{"scan", "sm.sub_core.load_store.queue_entries=1"}, variant{"wmma_shared.128", "sm.sub_cores=2"}));

class run_launch : public command_test {};

TEST_F(run_launch, says_which_assertion_failed_and_when) {
  const outcome run = tcsim({"run", launch("failed_assertion"), "--config", "hopper"});
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err,
              testing::ContainsRegex("/tc/kernel/execution: gpu.sm_1: cycle [0-9]+: .*lane 6 of warp 0 of CTA 1 0 0: the assertion "));
}

TEST_F(run_launch, names_the_instruction_that_the_machine_does_not_have) {
  expect_refusal({"run", launch("sparse_matrices"), "--config", "hopper"},
                 {"code.sass.xz:", "HMMA.SP.16832.F32 R16", "the machine has no such instruction"});
}

TEST_F(run_launch, is_a_workload_of_sweeps) {
  file("sweep.json", R"({"name": "s", "base": "hopper", "workloads": [{"trace": {"files": [")" + launch("scan") +
                         R"("]}}], "axes": [{"path": "sms", "values": [1, 2]}]})");
  const outcome sweep = tcsim({"sweep", "sweep.json"});
  EXPECT_EQ(sweep.status, 0) << sweep.out << sweep.err;
  const outcome results = tcsim({"results", "s.sqlite"});
  EXPECT_THAT(results.out, testing::HasSubstr("cycles")) << results.out;
}

TEST_F(run_launch, refuses_several_processes) {
  expect_refusal({"run", launch("scan"), "--config", "hopper", "--jobs", "2"}, {"--jobs: a launch is executed in one order"});
}

TEST_F(run_launch, compares_the_memory_of_the_execution_with_what_was_recorded) {
  fs::copy(launch("scan"), folder() / "scan");
  for (const auto& file : fs::directory_iterator(folder() / "scan"))
    if (file.path().filename().string().find(".post") != std::string::npos) {
      fs::resize_file(file.path(), 0);
      fs::rename(file.path(), fs::path(file.path()).replace_extension());
    }
  expect_refusal({"run", "scan", "--config", "hopper"}, {".post: "});
}

}  // namespace run_launch_test
