// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <gmock/gmock.h>
#include <iostream>
#include <shared_recordings.hpp>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/machine_loader.hpp>
#include <tc/execution/grid_execution.hpp>
#include <tc/execution/kernel_fault.hpp>
#include <tc/execution/memory_comparison.hpp>
#include <tc/launches/launch_code.hpp>
#include <tc/launches/launch_reader.hpp>

namespace tc::recorded_launches_test {

namespace fs = std::filesystem;

struct outcome {
  execution::memory_comparison compared;
  execution::execution_counts counts;
};

/// Executes a launch, with the code that it names or with another file of its folder.
outcome outcome_of(const fs::path& folder, const std::string& code = {}) {
  launches::launch launch = launches::read_launch(folder);
  if (!code.empty()) launch.code = folder / code;
  const listings::sass_kernel kernel = launches::read_launch_code(launch).kernel;
  const config::machine hopper = config::load_machine(std::string(TC_SOURCE_DIR) + "/configs/hopper.json");
  const execution::execution_result result = execution::execute(launch, kernel, hopper);
  return {execution::compare(launch, result.memory), result.counts};
}

execution::memory_comparison executed(const fs::path& folder) { return outcome_of(folder).compared; }

class recorded_launches : public testing::TestWithParam<const char*> {};

TEST_P(recorded_launches, leave_the_bytes_that_an_h100_left) {
  const fs::path own = fs::path(TC_SOURCE_DIR) / "launches" / GetParam(), shared = test::shared_recordings() / "launches" / GetParam();
  const fs::path folder = fs::exists(own) ? own : shared;
  if (!fs::exists(folder)) GTEST_SKIP() << "the recording is not here";
  std::cout << "ran " << folder.string() << '\n';
  const execution::memory_comparison compared = executed(folder);
  EXPECT_TRUE(compared.is_exact());
  EXPECT_GT(compared.bytes, 0U);
}

INSTANTIATE_TEST_SUITE_P(all, recorded_launches,
                         testing::Values("wmma_shared.128", "mma_async.128", "wmma_global.128", "mma_async.512",
                                         "triton_matmul_f16_64x64x32",
                                         "triton_softmax",              // powers of two and reciprocals of the special function unit
                                         "triton_attention_64_full"));  // and those between matrix products

/// The programs of record/launches, and what each is there for besides its arithmetic.
class recorded_programs : public testing::TestWithParam<const char*> {
 protected:
  const fs::path folder_ = fs::path(TC_SOURCE_DIR) / "launches" / GetParam();
};

TEST_P(recorded_programs, leave_the_bytes_that_an_h100_left) {
  const execution::memory_comparison compared = executed(folder_);
  EXPECT_TRUE(compared.is_exact());
  EXPECT_GT(compared.bytes, 0U);
}

/// Words of machine code do the same as their text.
TEST_P(recorded_programs, do_the_same_as_a_cubin_and_as_a_listing) {
  const outcome listed = outcome_of(folder_), decoded = outcome_of(folder_, "code.cubin.xz");
  EXPECT_TRUE(decoded.compared.is_exact());
  EXPECT_EQ(decoded.counts.instructions, listed.counts.instructions);
  EXPECT_EQ(decoded.counts.lanes, listed.counts.lanes);
  EXPECT_EQ(decoded.counts.divergent_branches, listed.counts.divergent_branches);
}

INSTANTIATE_TEST_SUITE_P(all, recorded_programs,
                         testing::Values("bitonic_sort",       // exchanges between lanes
                                         "bits_and_votes",     // bytes in words, votes
                                         "divergent_loops",    // loops of which each lane takes another number of turns
                                         "double_precision",   // f64
                                         "flags",              // waits for what another CTA stores
                                         "function_pointers",  // lanes that call different functions
                                         "grid_barrier",       // CTAs that all wait for each other
                                         "half_precision",     // pairs of f16 and bf16, fp8
                                         "hash_table",         // CAS in shared memory
                                         "histogram",          // atomics in shared memory
                                         "integer_division",   // calls
                                         "integer_matrices",   // IMMA
                                         "local_arrays",       // the stack
                                         "persistent_tiles",   // a counter of tiles
                                         "producer_consumer",  // flags in global memory
                                         "recursion",          //
                                         "scan",               // shuffles and barriers
                                         "semaphore_split_k",  // CTAs that add in an order
                                         "sparse_matrices",    // HMMA.SP, IMMA.SP
                                         "ticket_lock",        // a lock
                                         "transposed_copy",    // bytes and halves, a constant variable
                                         "unoptimised"));      // -G: functions that are sections of their own

TEST(failed_assertion, is_told_with_its_text_and_its_place) {
  for (const char* code : {"code.sass.xz", "code.cubin.xz"}) try {
      outcome_of(fs::path(TC_SOURCE_DIR) / "launches/failed_assertion", code);
      ADD_FAILURE();
    } catch (const execution::kernel_fault& fault) {
      EXPECT_THAT(fault.what(), testing::HasSubstr("lane 6 of warp 0 of CTA 1 0 0: the assertion 'in[i] % 128 != 77' failed: "));
      EXPECT_THAT(fault.what(), testing::EndsWith("failed_assertion.cu:9"));
    }
}

/// The order of atomic additions decides last bits; the launch has a tolerance for it.
TEST(split_k, is_within_the_tolerance_of_the_launch) {
  const fs::path folder = test::shared_recordings() / "launches/triton_splitk";
  if (!fs::exists(folder)) GTEST_SKIP() << "the recording is not here";
  std::cout << "ran " << folder.string() << '\n';
  EXPECT_EQ(executed(folder).differing, 0U);
}

}  // namespace tc::recorded_launches_test
