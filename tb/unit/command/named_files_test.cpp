// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "command_process.hpp"

// What the command finds by name in whatever folder it runs, and without any folder beside it.

namespace tcsim::test::named_files_test {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

using named_files = command_test;

TEST_F(named_files, are_example_traces) {
  const outcome by_folder = tcsim({"run", "sm_75.tiled_f16_f32", "--config", "turing"});
  EXPECT_EQ(by_folder.status, 0) << by_folder.err;
  EXPECT_TRUE(contains(by_folder.out, "exact: 16384 bytes")) << by_folder.out;
  const outcome by_path = tcsim({"run", "traces/sm_75.tiled_f16_f32/kernel.trace", "--config", "turing"});
  EXPECT_EQ(by_path.out, by_folder.out);
  EXPECT_EQ(tcsim({"trace", "check", "sm_90.mma_sync_m16n8k16_f32_f16"}).status, 0) << "a compressed one";
  EXPECT_EQ(tcsim({"trace", "pack", "sm_90.mma_sync_m16n8k16_f32_f16", "-o", "mma.tct"}).status, 0);
}

TEST_F(named_files, stand_behind_files_of_the_folder) {
  file("sm_75.tiled_f16_f32", one_warp("sm_75", "", "/*0000*/ NOP\n"));
  const outcome ran = tcsim({"run", "sm_75.tiled_f16_f32", "--config", "turing"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_FALSE(contains(ran.out, "exact: 16384 bytes")) << ran.out;
}

TEST_F(named_files, are_sweeps_and_the_configurations_of_sweeps) {
  const outcome plan = tcsim({"sweep", "turing_buffers", "--dry-run"});
  EXPECT_EQ(plan.status, 0) << plan.err;
  EXPECT_TRUE(contains(plan.out, "turing_buffers")) << plan.out;
  EXPECT_EQ(tcsim({"sweep", "sweeps/turing_buffers.json", "--dry-run"}).out, plan.out);
}

TEST_F(named_files, are_examples_in_a_sweep_of_a_folder_of_its_own) {
  file("mine.json", R"({"base": "turing", "workloads": [{"name": "tiled", "trace": {"files": ["sm_75.tiled_f16_f32"]}}],
                        "axes": [{"path": "sm.sub_core.issue.patience_cycles", "values": [10, 52]}]})");
  const outcome swept = tcsim({"sweep", "mine.json"});
  EXPECT_EQ(swept.status, 0) << swept.err;
  EXPECT_TRUE(fs::exists(folder() / "mine.sqlite"));
}

TEST_F(named_files, that_are_not_there_are_refused_with_those_that_are) {
  expect_refusal({"sweep", "turing_bufers"}, {"turing_bufers", "no such file", "did you mean \"turing_buffers\"", "register_banks"});
  expect_refusal({"sweep", "studies/turing_buffers.json"}, {"studies/turing_buffers.json", "no such file"});
  expect_refusal({"sweep", "energy_45nm"}, {"energy_45nm", "no such file"});
  expect_refusal({"run", "sm_75.tiled", "--config", "turing"}, {"sm_75.tiled"});
  expect_refusal({"run", "sm_75.tiled_f16_f32", "--config", "energy_45nm"}, {"energy_45nm", "built in: ada"});
}

TEST_F(named_files, are_not_hidden_by_folders) {
  for (const char* const name : {"turing", "turing_buffers", "turing.json", "sm_75.tiled_f16_f32"}) fs::create_directory(folder() / name);
  EXPECT_EQ(tcsim({"demo"}).status, 0);
  EXPECT_EQ(tcsim({"sweep", "turing_buffers", "--dry-run"}).status, 0);
  file("mine.json", R"({"include": "turing.json"})");
  EXPECT_EQ(tcsim({"config", "check", "mine.json"}).status, 0);
}

TEST_F(named_files, are_included_by_a_file_of_the_same_name) {
  file("turing.json", R"({"include": "turing.json", "sms": 1})");
  EXPECT_EQ(tcsim({"config", "check", "turing.json"}).status, 0);
}

TEST_F(named_files, that_cannot_be_looked_at_are_refused_with_the_reason) {
  fs::create_symlink("loop", folder() / "loop");
  const std::string reason = "Too many levels of symbolic links";
  expect_refusal({"config", "check", "loop"}, {"loop", reason});
  expect_refusal({"run", "loop", "--config", "turing"}, {"loop", reason});
  expect_refusal({"sweep", "loop"}, {"loop", reason});
  expect_refusal({"report", "loop", "-o", "page.html"}, {"loop", reason});
  expect_refusal({"config", "check", std::string(5000, 'x')}, {"File name too long"});
}

TEST_F(named_files, are_run_by_the_demo) {
  const outcome demo = tcsim({"demo", "--stats", "demo.json"});
  EXPECT_EQ(demo.status, 0) << demo.err;
  for (const char* const part :
       {"$ tcsim run sm_75.tiled_f16_f32 --config turing --stats demo.json\n", "exact: 16384 bytes", "What to try next"})
    EXPECT_TRUE(contains(demo.out, part)) << part << "\n" << demo.out;
  EXPECT_TRUE(fs::exists(folder() / "demo.json"));
}

/// A copy of the command that lies where nothing is beside it.
class moved_command : public command_test {
 protected:
  std::string call(const std::string& arguments) const {
    fs::create_directories(folder() / "a/bin");
    fs::copy_file(TC_COMMAND, folder() / "a/bin/tcsim", fs::copy_options::overwrite_existing);
    const std::string text = "cd " + folder().string() + " && a/bin/tcsim " + arguments + " >out 2>err; echo $? >status";
    EXPECT_EQ(std::system(text.c_str()), 0);
    return content_of(folder() / "status") + content_of(folder() / "err");
  }
};

TEST_F(moved_command, says_what_is_missing) {
  EXPECT_EQ(call("demo"),
            "2\ntcsim: demo: the example traces are missing; they lie in share/tcsim beside the folder of an installed command\n");
}

TEST_F(moved_command, finds_traces_beside_its_folder) {
  fs::create_directories(folder() / "a/share/tcsim");
  fs::create_directory_symlink(fs::path(TC_SOURCE_DIR) / "traces", folder() / "a/share/tcsim/traces");
  EXPECT_EQ(call("demo"), "0\n");
}

TEST_F(moved_command, has_configurations_and_sweeps_in_it) {
  EXPECT_EQ(call("config check turing turing_45nm"), "0\n");
  EXPECT_EQ(call("sweep turing_buffers --dry-run"), "0\n");
}

}  // namespace
}  // namespace tcsim::test::named_files_test
