// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <gtest/gtest.h>

#include "command_process.hpp"

namespace nvdisasm_import_test {

// Traces of kernels that nvdisasm lists.

using namespace tcsim::test;
namespace fs = std::filesystem;

namespace {

const fs::path recorded = fs::path(TC_SOURCE_DIR) / "traces/sm_75.tiled_f16_f32";

}  // namespace

class nvdisasm_import_command : public command_test {
 protected:
  std::vector<std::string> import_to(const std::string& trace, const std::vector<std::string>& more) const {
    std::vector<std::string> all{"import", "nvdisasm", (recorded / "kernel.hex.sass.xz").string(), "-o", trace};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// Of an image that lies where the trace is written.
  std::string image(const char* base, const char* bytes, const char* file) const {
    fs::copy(recorded / file, folder() / file, fs::copy_options::overwrite_existing);
    return std::string(base) + " " + bytes + " file " + file;
  }

  const std::vector<std::string> launch{"--block",     "128",
                                        "--shared",    "4096",
                                        "--arguments", "0x10000,0x20000,0x30000,64:4",
                                        "--memory",    image("0x10000", "8192", "a.bin"),
                                        "--memory",    image("0x20000", "8192", "b.bin"),
                                        "--memory",    "0x30000 16384 zero",
                                        "--expect",    image("0x30000", "16384", "d.bin")};
};

TEST_F(nvdisasm_import_command, makes_a_trace_that_runs_like_the_recorded_one) {
  const auto imported = tcsim(import_to("tiled.trace.xz", launch));
  EXPECT_EQ(imported.err, "");
  EXPECT_NE(imported.out.find("tiled_f16_f32 for sm_75: 1644 warp instructions imported, nothing left out"), std::string::npos)
      << imported.out;
  const auto run = tcsim({"run", "tiled.trace.xz", "--config", "turing"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("exact: 16384 bytes"), std::string::npos) << run.out;
  const auto cycles = [](const outcome& result) { return result.out.substr(result.out.find("time"), 40); };
  EXPECT_EQ(cycles(run), cycles(tcsim({"run", (recorded / "kernel.trace").string(), "--config", "turing"})));
}

TEST_F(nvdisasm_import_command, writes_nothing_if_anything_is_unknown) {
  const auto result = tcsim(import_to(
      "tiled.trace", {"--block", "128", "--shared", "4096", "--arguments", "0x10000,0x20000", "--constant", "0 0x178 4 hex 40000000"}));
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  for (const char* const part : {"would lack instructions", "c[0x0][0x170] is not given", "STG.E.64.SYS"})
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  EXPECT_FALSE(fs::exists(folder() / "tiled.trace"));
}

TEST_F(nvdisasm_import_command, refuses_wrong_options) {
  const auto expect = [&](const std::vector<std::string>& options, const std::vector<std::string>& words) {
    expect_refusal(import_to("wrong.trace", options), words);
  };
  expect({"--kernel", "other"}, {"no kernel 'other'", "tiled_f16_f32"});
  expect({"--grid", "2,0"}, {"--grid", "'grid 2 0 1'"});
  expect({"--block", "2048"}, {"--block", "1024"});
  expect({"--arguments", "0x10000:3"}, {"--arguments", "1, 2, 4 or 8 bytes"});
  expect({"--arguments", "300:1"}, {"--arguments", "255"});
  expect({"--memory", "0x10000 16 zer"}, {"--memory", "unknown content 'zer'"});
  expect({"--memory", "0x10000 16 file nowhere.bin"}, {"--memory", "nowhere.bin", "cannot be read"});
  const std::string outside = (recorded / "a.bin").string();
  expect({"--memory", "0x10000 8192 file " + outside}, {outside, "lies outside of ", "where the trace is to be written"});
  expect({"--registers", "12"}, {"kernel.hex.sass.xz:18:40:", "R59", "the kernel has 12 registers"});
  expect({"--address", "zz=0x0"}, {"--address", "zz=0x0", "PC=ADDRESSES"});
  expect({"--address", "0010=0x0"}, {"kernel.hex.sass.xz:18:36:", "S2R R59, SR_TID.X", "accesses no memory"});
}

}  // namespace nvdisasm_import_test
