// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <tc/config/described_type.hpp>
#include <tc/config/machine.hpp>
#include <tc/config/parameter_loader.hpp>

namespace tc::config::tensor_memory_parameters_test {
namespace {

/// What is wrong with a tensor memory that differs from the default in this assignment; empty if nothing is.
std::string complaint(const std::string& assignment) {
  try {
    make_parameters<sm_parameters>({json_document::parse("{}", "sm.json")}, {"tensor_memory." + assignment});
    return {};
  } catch (const config_error& error) {
    return error.what();
  }
}

TEST(tensor_memory_parameters, are_of_an_sm_without_it) {
  const sm_parameters defaults;
  EXPECT_FALSE(defaults.tensor_memory.is_there());
}

TEST(tensor_memory_parameters, take_what_a_machine_can_have) {
  for (const char* const assignment : {"columns=0", "columns=512", "columns=96", "banks=banks_8x64", "banks=banks_4x128",
                                       "bytes_per_cycle=128", "engine_bytes_per_cycle=1024", "latency_cycles=0", "shift.interval_cycles=0",
                                       "shift.completion_cycles=0", "allocation.contended_cycles=253"})
    EXPECT_EQ(complaint(assignment), "") << assignment;
}

TEST(tensor_memory_parameters, refuse_what_no_machine_has) {
  const std::pair<const char*, const char*> cases[] = {
      {"columns=40", "columns: must be a multiple of 32 of at most 512"},
      {"columns=544", "columns: must be a multiple of 32 of at most 512"},
      {"bytes_per_cycle=0", "bytes_per_cycle: must be a multiple of 128 from 128 to 1024"},
      {"bytes_per_cycle=192", "bytes_per_cycle: must be a multiple of 128 from 128 to 1024"},
      {"engine_bytes_per_cycle=1152", "engine_bytes_per_cycle: must be a multiple of 128 from 128 to 1024"},
      {"latency_cycles=1001", "latency_cycles: must be at most 1000, is 1001"},
      {"admission.instructions=0", "admission.instructions: must be from 1 to 16"},
      {"admission.cycles=1001", "admission.cycles: must be from 1 to 1000"},
      {"shift.interval_cycles=1001", "shift.interval_cycles: must be at most 1000, is 1001"},
      {"shift.completion_cycles=10001", "shift.completion_cycles: must be at most 10000, is 10001"},
      {"allocation.cycles=0", "allocation.cycles: must be positive"},
      {"allocation.contended_cycles=252", "allocation.contended_cycles: must be from the cycles of an allocation without contention"},
  };
  for (const auto& [assignment, expected] : cases)
    EXPECT_NE(complaint(assignment).find(std::string("tensor_memory.") + expected), std::string::npos) << complaint(assignment);
}

}  // namespace
}  // namespace tc::config::tensor_memory_parameters_test
