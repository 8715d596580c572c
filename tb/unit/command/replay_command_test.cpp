// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iostream>

#include <gtest/gtest.h>

#include "command_process.hpp"
#include "progress_bar.hpp"
#include "shared_recordings.hpp"

namespace replay_command_test {

// Replay and recording as users run them.

using namespace tcsim::test;
namespace fs = std::filesystem;

namespace {

/// The vector files of the complete set, else of the subset that comes with the sources. Prints which.
std::vector<std::string> vector_files() {
  const fs::path complete = tc::test::shared_recordings() / "vectors";
  const bool is_there = fs::exists(complete);
  std::cout << (is_there ? "vectors: complete set\n" : "vectors: subset that comes with the sources\n");
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(is_there ? complete : fs::path(TC_SOURCE_DIR) / "tb/unit/study/data"))
    if (entry.path().extension() == ".xz") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

const std::string f16_operation = "m16n8k16.f32.f16.f16.f32";
const std::string alignment_key = "sm.sub_core.tensor_core.arithmetic.f16.alignment_fraction_bits";

}  // namespace

class replay_command : public command_test {
 protected:
  /// Records random vectors and returns the file's name.
  std::string recorded(const std::string& name, const std::string& operation, const std::string& configuration,
                       const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"replay", "--record", name, "--operation", operation, "--config", configuration, "--cases", "14"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = tcsim(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find(name + ": "), std::string::npos) << result.out;
    return name;
  }
  outcome replay(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all{"replay"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return tcsim(all);
  }
};

TEST_F(replay_command, reproduces_every_recorded_output) {
  const auto files = vector_files();
  ASSERT_FALSE(files.empty());
  const auto result = replay(files);
  EXPECT_EQ(result.status, 0) << result.out;
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("\n" + std::to_string(files.size()) + " files, "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find(", 0 mismatches\n"), std::string::npos) << result.out;
}

TEST_F(replay_command, what_it_records_replays_and_tells_configurations_apart) {
  for (const std::string name : {"a.bin", "a.bin.xz", "a.bin.gz", "a.dot", "a.dot.xz"}) {
    recorded(name, f16_operation, "hopper");
    const auto same = replay({name});
    EXPECT_EQ(same.status, 0) << same.out << same.err;
    EXPECT_EQ(same.err, "");
    EXPECT_NE(same.out.find("hopper"), std::string::npos) << "the configuration follows from the file";
    EXPECT_NE(same.out.find("1 file, "), std::string::npos);
    EXPECT_EQ(replay({name, "--config", "hopper"}).status, 0);
    const auto other = replay({name, "--config", "ampere"});
    EXPECT_EQ(other.status, 1) << name;
    EXPECT_NE(other.err.find("warning: " + name + ": is from"), std::string::npos) << other.err;
    EXPECT_NE(other.err.find("sm_90"), std::string::npos) << other.err;
  }
}

TEST_F(replay_command, changed_arithmetic_gives_mismatches) {
  recorded("a.bin", f16_operation, "hopper");
  const auto result = replay({"a.bin", "--config", "hopper", "--set", alignment_key + "=16"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "");
  for (const char* const part : {"a.bin: first mismatch", "case ", ", row ", ", column ", "expected  0x", "computed  0x",
                                 "16 alignment fraction bits", "A[15] x B[15]", "exact sum", " mismatches\n"})
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " in\n" << result.out;
  recorded("narrow.bin", f16_operation, "hopper", {"--set", alignment_key + "=16"});
  EXPECT_EQ(replay({"narrow.bin", "--set", alignment_key + "=16"}).status, 0) << "also without --config";
  EXPECT_EQ(replay({"narrow.bin"}).status, 1);
}

TEST_F(replay_command, shows_as_many_mismatches_as_asked_for) {
  recorded("a.bin", f16_operation, "hopper");
  const auto shown = [&](const std::string& count) {
    const auto out = replay({"a.bin", "--config", "volta", "--max-mismatches", count}).out;
    std::size_t found = 0;
    for (auto at = out.find("expected  0x"); at != std::string::npos; at = out.find("expected  0x", at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(shown("0"), 0u);
  EXPECT_EQ(shown("3"), 3u);
}

TEST_F(replay_command, records_other_outputs_for_the_same_inputs) {
  recorded("hopper.bin", f16_operation, "hopper");
  EXPECT_EQ(replay({"hopper.bin", "--config", "volta", "--record", "volta.bin.xz"}).status, 0);
  const auto result = replay({"volta.bin.xz"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("volta"), std::string::npos) << "the new file says where it is from";
  EXPECT_EQ(replay({"volta.bin.xz", "--config", "hopper"}).status, 1);
  EXPECT_EQ(replay({"volta.bin.xz", "--config", "hopper", "--record", "again.bin"}).status, 0);
  EXPECT_EQ(content_of(folder() / "again.bin"), content_of(folder() / "hopper.bin"));
}

TEST_F(replay_command, seeds_make_inputs) {
  recorded("a.bin", f16_operation, "hopper", {"--seed", "1"});
  recorded("b.bin", f16_operation, "hopper", {"--seed", "1"});
  recorded("c.bin", f16_operation, "hopper", {"--seed", "2"});
  EXPECT_EQ(content_of(folder() / "a.bin"), content_of(folder() / "b.bin"));
  EXPECT_NE(content_of(folder() / "a.bin"), content_of(folder() / "c.bin"));
}

TEST_F(replay_command, every_file_is_replayed_also_after_one_that_is_wrong) {
  recorded("a.bin", f16_operation, "hopper");
  file("wrong.bin", "nonsense\n");
  const auto result = replay({"wrong.bin", "missing.bin", "a.bin"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("wrong.bin: header: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("missing.bin: cannot be opened"), std::string::npos) << result.err;
  EXPECT_NE(result.out.find("1 file, "), std::string::npos) << result.out;
}

TEST_F(replay_command, refuses_damaged_files) {
  recorded("a.bin", f16_operation, "hopper");
  const std::string content = content_of(folder() / "a.bin");
  file("cut.bin", content.substr(0, content.size() - 7));
  file("long.bin", content + "x");
  file("empty.bin", "");
  expect_refusal({"replay", "cut.bin"}, {"cut.bin: is truncated: case 13 of 14"});
  expect_refusal({"replay", "long.bin"}, {"long.bin: goes on after the 14 cases"});
  expect_refusal({"replay", "empty.bin"}, {"empty.bin: is empty"});
}

TEST_F(replay_command, refuses_operations_that_the_machine_does_not_have) {
  recorded("bf16.bin", "m16n8k16.f32.bf16.bf16.f32", "hopper");
  expect_refusal({"replay", "bf16.bin", "--config", "volta"}, {"bf16.bin", "on volta", "bf16.group_length"});
}

TEST_F(replay_command, refuses_files_that_do_not_say_where_they_are_from) {
  file("a.dot", "dot cray m16n8k8.f32.f16.f16.f32 k=8 scales=0 a=f16 b=f16 c=f32 d=f32 s=- cases=0\n");
  expect_refusal({"replay", "a.dot"}, {"a.dot", "\"cray\"", "--config", "volta, turing"});
  EXPECT_EQ(replay({"a.dot", "--config", "hopper"}).status, 0);
}

TEST_F(replay_command, refuses_contradictory_options) {
  recorded("a.bin", f16_operation, "hopper");
  expect_refusal({"replay"}, {"which vectors?"});
  expect_refusal({"replay", "a.bin", "--operation", f16_operation, "--record", "b.bin"}, {"--operation", "takes no vector files"});
  expect_refusal({"replay", "--operation", f16_operation, "--config", "hopper"}, {"--record must name"});
  expect_refusal({"replay", "--operation", f16_operation, "--record", "b.bin"}, {"--config must say"});
  expect_refusal({"replay", "a.bin", "a.bin", "--record", "b.bin"}, {"one vector file, not of 2"});
  expect_refusal({"replay", "a.bin", "--record", "b.dot"}, {"b.dot", "named .bin"});
  expect_refusal({"replay", "a.bin", "--record", "b.txt"}, {"b.txt", ".bin for fragments or .dot for dot products"});
  expect_refusal({"replay", "a.bin", "--record", "none/b.bin"}, {"none/b.bin", "No such file"});
  expect_refusal({"replay", "a.bin", "--cases", "3"}, {"--operation"});
  expect_refusal({"replay", "a.bin", "--config", "hoper"}, {"hoper", "hopper"});
}

TEST_F(replay_command, refuses_operations_that_it_does_not_know) {
  const auto refuse = [&](const std::string& operation, const std::string& file, const std::string& why) {
    expect_refusal({"replay", "--operation", operation, "--record", file, "--config", "hopper"}, {"--operation: ", why});
  };
  refuse("m16n8k17.f32.f16.f16.f32", "a.bin", "m16n8k17");
  refuse("m16n8k16.f32.f12.f16.f32", "a.bin", "f12");
  refuse("m128n8k32.f32.e4m3.e4m3", "a.bin", "m128n8k32");
  refuse("m128n8k64.block16.f32.e2m1.e2m1", "a.dot", "block scales");
}

TEST(duration_text, has_hours_only_if_there_are_any) {
  using std::chrono::seconds;
  EXPECT_EQ(tcsim::duration_text(seconds(7)), "0:07");
  EXPECT_EQ(tcsim::duration_text(seconds(750)), "12:30");
  EXPECT_EQ(tcsim::duration_text(seconds(3723)), "1:02:03");
}

TEST(progress_text, grows_to_the_end) {
  EXPECT_EQ(tcsim::progress_text("x", 0, 10), "x [" + std::string(40, ' ') + "] 0 %");
  EXPECT_EQ(tcsim::progress_text("x", 5, 10), "x [" + std::string(20, '#') + std::string(20, ' ') + "] 50 %");
  EXPECT_EQ(tcsim::progress_text("x", 10, 10), "x [" + std::string(40, '#') + "] 100 %");
  EXPECT_EQ(tcsim::progress_text("x", 10, 10, "0:01 left"), "x [" + std::string(40, '#') + "] 100 %, 0:01 left");
  EXPECT_EQ(tcsim::progress_text("x", 0, 0), "x [" + std::string(40, ' ') + "] 0 %");
}

}  // namespace replay_command_test
