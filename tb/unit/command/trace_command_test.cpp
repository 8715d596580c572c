// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "command_process.hpp"

namespace trace_command_test {

// Packed traces, as users make and run them.

using namespace tcsim::test;
namespace fs = std::filesystem;

namespace {

const fs::path recorded_folder = fs::path(TC_SOURCE_DIR) / "traces/sm_75.tiled_f16_f32";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

/// Statistics up to what the host had to do with them.
std::string without_host(const std::string& statistics) { return statistics.substr(0, statistics.find("\"host\"")); }

}  // namespace

class trace_command : public command_test {
 protected:
  /// A recorded trace with its images.
  trace_command() { fs::copy(recorded_folder, folder(), fs::copy_options::recursive); }

  fs::path recorded = "kernel.trace";
};

TEST_F(trace_command, packs_a_trace_that_runs_the_same_in_a_tenth_of_the_bytes) {
  const auto pack = tcsim({"trace", "pack", recorded.string(), "-o", "kernel.tct"});
  EXPECT_EQ(pack.status, 0) << pack.err;
  EXPECT_LT(10 * fs::file_size(folder() / "kernel.tct"), fs::file_size(folder() / recorded));
  const auto text = tcsim({"run", recorded.string(), "--config", "turing", "--stats", "text.json"});
  const auto packed = tcsim({"run", "kernel.tct", "--config", "turing", "--stats", "packed.json"});
  EXPECT_EQ(packed.status, 0) << packed.err;
  EXPECT_EQ(replaced(packed.out, "kernel.tct", recorded.string()), text.out);
  EXPECT_EQ(without_host(replaced(content_of(folder() / "packed.json"), "kernel.tct", recorded.string())),
            without_host(content_of(folder() / "text.json")));
  const auto checked = tcsim({"trace", "check", "kernel.tct"});
  EXPECT_EQ(replaced(checked.out, "kernel.tct", recorded.string()), tcsim({"trace", "check", recorded.string()}).out);
}

TEST_F(trace_command, unpacks_what_it_has_packed) {
  const std::string text = one_warp("sm_75", "memory 0x0 4 hex 00112233\n", "# a comment\n/*0000*/ NOP\n  /*0010*/ NOP\n");
  file("short.trace", text);
  EXPECT_EQ(tcsim({"trace", "pack", "short.trace", "-o", "packed"}).status, 0);
  EXPECT_EQ(tcsim({"trace", "unpack", "packed", "-o", "again.trace"}).status, 0);
  EXPECT_EQ(content_of(folder() / "again.trace"), text);
  EXPECT_EQ(tcsim({"trace", "unpack", "packed", "-o", "again.trace.xz"}).status, 0);
  EXPECT_EQ(tcsim({"trace", "check", "again.trace.xz"}).status, 0);
}

TEST_F(trace_command, writes_nothing_for_what_is_wrong) {
  const std::string wrong = file("wrong.trace", one_warp("sm_75", "", "/*0000*/ FROBNICATE R0\n"));
  expect_refusal({"trace", "pack", wrong, "-o", "wrong.tct"}, {"wrong.trace:", "FROBNICATE"});
  expect_refusal({"trace", "pack", "missing.trace", "-o", "wrong.tct"}, {"missing.trace", "cannot be opened"});
  expect_refusal({"trace", "unpack", wrong, "-o", "right.trace"}, {"wrong.trace", "not a packed trace"});
  expect_refusal({"trace", "pack", wrong, "-o", "nowhere/wrong.tct"}, {"nowhere/wrong.tct", "cannot write"});
}

TEST_F(trace_command, packs_an_example_wherever_it_is_asked_to) {
  fs::create_directory(folder() / "elsewhere");
  EXPECT_EQ(tcsim({"trace", "pack", recorded.string(), "-o", "elsewhere/k.tct"}).status, 0);
  const auto run = tcsim({"run", "elsewhere/k.tct", "--config", "turing"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("exact: "), std::string::npos) << run.out;
}

TEST_F(trace_command, points_to_the_command_for_another_file) {
  const std::string listing = file("k", "\t.headerflags\t@\"EF_CUDA_SM80\"\n\t.section\t.text.k,\"ax\",@progbits\n");
  const std::string recorded_elsewhere = file("k.trace", "-kernel name = k\n-kernel id = 1\n");
  const std::string cubin = file("k.cubin", std::string("\x7f"
                                                        "ELF\2\1\1\0",
                                                        8));
  for (const std::vector<std::string>& command : {std::vector<std::string>{"run", "--config", "turing"}, {"trace", "check"}}) {
    const auto with = [&](const std::string& name) {
      std::vector<std::string> all = command;
      all.push_back(name);
      return all;
    };
    expect_refusal(with(listing), {"k:1:1: not a trace", "`tcsim import nvdisasm`"});
    expect_refusal(with(recorded_elsewhere), {"k.trace:1:1: not a trace", "`tcsim import accelsim`"});
    expect_refusal(with(cubin), {"k.cubin:1:1: not a trace", "ELF", "nvdisasm -hex"});
  }
  expect_refusal({"import", "nvdisasm", recorded.string(), "-o", "o.trace"}, {"kernel.trace:1:1: not a listing", "`tcsim run`"});
  expect_refusal({"import", "nvdisasm", cubin, "-o", "o.trace"}, {"k.cubin:1:1: not a listing", "nvdisasm -hex"});
  expect_refusal({"import", "accelsim", listing, "-o", "o.trace"}, {"k:1:1: not a trace of Accel-Sim", "`tcsim import nvdisasm`"});
}

TEST_F(trace_command, reads_no_image_outside_of_the_trace_s_folder) {
  fs::create_directory(folder() / "below");
  for (const std::string& path : {std::string("../a.bin"), (folder() / "a.bin").string(), std::string("/etc/hostname")}) {
    const std::string outside = file("below/outside.trace", one_warp("sm_75", "memory 0x1000 8192 file " + path + "\n", ""));
    expect_refusal({"trace", "check", outside}, {"outside.trace:6:25: the image file " + path, "lies outside of the trace's folder"});
    expect_refusal({"trace", "pack", outside, "-o", "k.tct"}, {"outside.trace:6:25: the image file " + path});
    expect_refusal({"run", outside, "--config", "turing"}, {"outside.trace:6:25: the image file " + path});
  }
}

TEST_F(trace_command, stops_a_run_at_damage_with_its_place) {
  ASSERT_EQ(tcsim({"trace", "pack", recorded.string(), "-o", "kernel.tct"}).status, 0);
  std::string bytes = content_of(folder() / "kernel.tct");
  bytes[100] = static_cast<char>(bytes[100] ^ 1);
  file("damaged.tct", bytes);
  expect_refusal({"run", "damaged.tct", "--config", "turing", "--stats", "run.json"}, {"damaged.tct: offset 0x10: ", "checksum"});
  expect_refusal({"trace", "check", "damaged.tct"}, {"damaged.tct: offset 0x10: ", "checksum"});
  file("cut.tct", bytes.substr(0, bytes.size() - 1));
  expect_refusal({"run", "cut.tct", "--config", "turing"}, {"cut.tct: offset ", "cut off"});
}

}  // namespace trace_command_test
