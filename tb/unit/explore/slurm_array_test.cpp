// SPDX-License-Identifier: Apache-2.0
#include "slurm_array.hpp"

#include <environment_variable.hpp>
#include <fstream>
#include <iterator>
#include <scratch_folder.hpp>

#include <gtest/gtest.h>

#include "exit_status.hpp"
#include "small_plan.hpp"

namespace tcsim::slurm_array_test {
namespace {

namespace fs = std::filesystem;
using test::done_in;
using test::small_plan;

/// Programs of Slurm that only look like it: scontrol tells how long a job array may be, sbatch prints an id and keeps its arguments.
class slurm_array_test : public testing::Test {
 protected:
  slurm_array_test() {
    fs::create_directory(programs());
    program("scontrol", "echo 'MaxArraySize            = 4'");
    program("sbatch", "echo \"$@\" > " + (folder_.path() / "sbatch.txt").string() + "; echo '17;cluster'");
  }

  void program(const std::string& name, const std::string& script) const {
    std::ofstream(programs() / name) << "#!/bin/sh\n" << script << '\n';
    fs::permissions(programs() / name, fs::perms::owner_all);
  }

  std::string sbatch_arguments() const {
    std::ifstream in(folder_.path() / "sbatch.txt");
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::string refusal(const slurm_options& options) const {
    try {
      submit_array(result_store::open(results(), result_store::access::read), results(), options);
    } catch (const usage_error& error) {
      return error.what();
    }
    return {};
  }

  /// Does the runs of a task as if their numbers were their cycles.
  static void work(const slurm_array& array, std::size_t task, std::size_t chunk) {
    slurm_task work(array.folder, task, chunk);
    for (const std::int64_t id : work.shard().unfinished_runs()) work.shard().save(id, done_in(100));
  }

  fs::path programs() const { return folder_.path() / "programs"; }
  fs::path results() const { return folder_.path() / "results.sqlite"; }

  scratch_folder folder_;

 private:
  ::environment_variable path_{"PATH", programs().string()};
};

TEST_F(slurm_array_test, spreads_the_runs_that_are_left) {
  auto store = result_store::create(results(), small_plan(8));
  store.save(2, done_in(7));
  const slurm_array array = submit_array(store, results(), {0, {"--partition=long runs"}, false});
  EXPECT_EQ(array.job, "17");
  EXPECT_EQ(array.runs, 7U);
  EXPECT_EQ(array.tasks, 4U);
  EXPECT_NE(sbatch_arguments().find("--array=0-3 "), std::string::npos) << sbatch_arguments();
  EXPECT_NE(sbatch_arguments().find("--partition=long runs "), std::string::npos) << sbatch_arguments();
  for (const std::size_t task : {0U, 1U, 2U, 3U}) work(array, task, 2);
  EXPECT_EQ(slurm_task(array.folder, 3, 2).shard().run_count(), 1U) << "7 runs in chunks of 2";
  EXPECT_EQ(collect_shards(store, results()).runs, 7U);
  EXPECT_TRUE(store.unfinished_runs().empty());
  EXPECT_EQ(collect_shards(store, results()).runs, 0U) << "the second time";
}

TEST_F(slurm_array_test, a_lost_task_is_submitted_again) {
  auto store = result_store::create(results(), small_plan(4));
  const slurm_array first = submit_array(store, results(), {2, {}, false});
  work(first, 0, 2);
  EXPECT_EQ(collect_shards(store, results()).runs, 2U);
  const slurm_array second = submit_array(store, results(), {2, {}, false});
  EXPECT_NE(second.folder, first.folder);
  EXPECT_EQ(second.runs, 2U);
  work(second, 0, 2);
  EXPECT_EQ(collect_shards(store, results()).runs, 2U);
  EXPECT_TRUE(store.unfinished_runs().empty());
}

TEST_F(slurm_array_test, a_task_goes_on_where_an_earlier_attempt_ended) {
  const auto store = result_store::create(results(), small_plan(3));
  const slurm_array array = submit_array(store, results(), {3, {}, false});
  {
    slurm_task killed(array.folder, 0, 3);
    killed.shard().save(1, done_in(5));
  }
  EXPECT_EQ(slurm_task(array.folder, 0, 3).shard().unfinished_runs(), (std::vector<std::int64_t>{0, 2}));
}

TEST_F(slurm_array_test, says_why_nothing_is_submitted_and_leaves_nothing) {
  auto store = result_store::create(results(), small_plan(8));
  EXPECT_EQ(refusal({1, {}, false}),
            "--chunk 1: 8 runs in so small chunks are more tasks than the 4 that Slurm allows in a job array; at least 2");
  program("sbatch", "echo 'sbatch: error: invalid partition' >&2; exit 1");
  EXPECT_EQ(refusal({}), "sbatch refuses the job: sbatch: error: invalid partition");
  program("scontrol", "echo 'Unable to contact slurm controller' >&2; exit 1");
  EXPECT_EQ(refusal({}), "Slurm does not answer: Unable to contact slurm controller");
  fs::remove(programs() / "scontrol");
  EXPECT_EQ(refusal({}), "cannot run scontrol: No such file or directory");
  EXPECT_FALSE(fs::exists(slurm_folder(results())));
  EXPECT_THROW(collect_shards(store, results()), usage_error);
}

TEST_F(slurm_array_test, says_which_tasks_there_are) {
  const auto store = result_store::create(results(), small_plan(5));
  const slurm_array array = submit_array(store, results(), {2, {}, false});
  try {
    slurm_task(array.folder, 3, 2);
    FAIL();
  } catch (const usage_error& error) {
    EXPECT_STREQ(error.what(), "--task 3: 5 runs in chunks of 2 make the tasks 0 to 2");
  }
}

}  // namespace
}  // namespace tcsim::slurm_array_test
