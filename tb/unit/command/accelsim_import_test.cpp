// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <sstream>

#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <gtest/gtest.h>

#include "command_process.hpp"

namespace accelsim_import_test {

// Traces of Accel-Sim become traces that run.

using namespace tcsim::test;
namespace fs = std::filesystem;

namespace {

/// A kernel that multiplies what it loads, with `product` in place of one instruction.
std::string recorded_kernel(const std::string& product = "0030 ffffffff 1 R16 HMMA.884.F32.F32.STEP0 3 R8 R10 R16 0 0 ") {
  return "-kernel name = multiply\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 40\n"
         "-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x00007f9310000000\n-nvbit version = 1.5.5\n"
         "-accelsim tracer version = 4\n-enable lineinfo = 0\n\n#traces format = [line_num] PC mask dest_num\n\n#BEGIN_TB\n\n"
         "thread block = 0,0,0\n\nwarp = 0\ninsts = 6\n0000 ffffffff 1 R2 S2R 0 0 0 \n0010 ffffffff 1 R4 IMAD.WIDE 2 R2 R6 0 4 \n"
         "0020 ffffffff 1 R8 LDG.E.128.SYS 1 R4 16 1 0x7f92d5700000 16 0 \n" +
         product + "\n0040 ffffffff 0 STG.E.64.SYS 2 R4 R16 8 1 0x7f92d5700000 8 0 \n0050 ffffffff 0 EXIT 0 0 0 \n\n#END_TB\n";
}

const std::string unknown = "0030 ffffffff 1 R16 FOO.BAR 1 R8 0 0 ";

std::string packed(const std::string& text) {
  std::ostringstream result;
  boost::iostreams::filtering_ostream filters;
  filters.push(boost::iostreams::lzma_compressor());
  filters.push(result);
  filters << text;
  filters.reset();
  return result.str();
}

class accelsim_import : public command_test {};

}  // namespace

TEST_F(accelsim_import, makes_a_trace_that_runs_without_data) {
  file("k.traceg.xz", packed(recorded_kernel()));
  const auto result = tcsim({"import", "accelsim", "k.traceg.xz", "-o", "k.trace.xz"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "6 warp instructions imported, nothing left out\n");
  EXPECT_EQ(content_of(folder() / "k.trace.xz").substr(1, 4), "7zXZ");

  const auto run = tcsim({"run", "k.trace.xz", "--config", "volta"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "") << "nothing is undefined where nothing is computed";
  EXPECT_NE(run.out.find("not compared"), std::string::npos) << run.out;
  EXPECT_EQ(run.out, tcsim({"run", "k.trace.xz", "--config", "volta", "--no-data"}).out);
  // The load, the product that waits for it and the store that waits for the product cannot be done sooner.
  const auto time = run.out.find("time ");
  ASSERT_NE(time, std::string::npos);
  const int cycles = std::stoi(run.out.substr(run.out.find_first_of("0123456789", time)));
  EXPECT_GT(cycles, 300);
  EXPECT_LT(cycles, 5000);
  EXPECT_NE(tcsim({"trace", "check", "k.trace.xz"}).out.find("no data"), std::string::npos);
}

TEST_F(accelsim_import, lists_what_is_left_out_and_with_strict_writes_nothing) {
  file("k.traceg", recorded_kernel(unknown));
  const auto result = tcsim({"import", "accelsim", "k.traceg", "-o", "k.trace"});
  EXPECT_EQ(result.status, 0);
  for (const char* const part : {"6 warp instructions imported; not imported:", "1  FOO.BAR: unknown opcode 'FOO'  NOP", "k.traceg:25"})
    EXPECT_NE(result.out.find(part), std::string::npos) << result.out;
  const auto strict = tcsim({"import", "accelsim", "k.traceg", "-o", "other.trace", "--strict"});
  EXPECT_EQ(strict.status, 1);
  EXPECT_FALSE(fs::exists(folder() / "other.trace"));
}

TEST_F(accelsim_import, imports_the_kernels_of_a_list_into_a_folder) {
  file("kernel-1.traceg", recorded_kernel());
  file("kernel-2.traceg.xz", packed(recorded_kernel()));
  file("kernelslist.g", "MemcpyHtoD,0x00007f92d5700000,4096\nkernel-1.traceg\nkernel-2.traceg.xz\n");
  const auto result = tcsim({"import", "accelsim", "kernelslist.g", "-o", "traces", "--strict"});
  EXPECT_EQ(result.status, 0) << result.err << "a copy of memory is no part of a kernel";
  EXPECT_NE(result.out.find("the command MemcpyHtoD"), std::string::npos) << result.out;
  const auto run = tcsim({"run", "traces/kernel-1.trace", "traces/kernel-2.trace.xz", "--config", "volta"});
  EXPECT_EQ(run.status, 0) << run.err;
  expect_refusal({"import", "accelsim", "kernelslist.g", "-o", "traces"}, {"traces", "something is there already"});
}

TEST_F(accelsim_import, refuses_what_is_wrong_and_leaves_nothing_behind) {
  file("bad.traceg", recorded_kernel("0030 ffffffff 1 R16 FADD 1 R8 zero"));
  expect_refusal({"import", "accelsim", "bad.traceg", "-o", "k.trace"},
                 {"bad.traceg:25:31: the width of the access in bytes must be a number"});
  file("kernelslist.g", "kernel-1.traceg\n");
  expect_refusal({"import", "accelsim", "kernelslist.g", "-o", "traces"}, {"kernelslist.g:1:1: kernel-1.traceg: there is no such file"});
  fs::create_directories(folder() / "kernels");
  file("kernel-0.traceg", recorded_kernel());
  fs::create_symlink("../kernel-0.traceg", folder() / "kernels/kernel-link.traceg");
  for (const char* const path : {"kernel/../../kernel-0.traceg", "kernel-link.traceg"}) {
    file("kernels/kernelslist.g", std::string(path) + "\n");
    expect_refusal({"import", "accelsim", "kernels/kernelslist.g", "-o", "traces"},
                   {std::string("kernelslist.g:1:1: ") + path + ": lies outside of the list's folder"});
  }
  file("kernel-1.traceg", recorded_kernel());
  file("kernel-2.traceg", "");
  file("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  expect_refusal({"import", "accelsim", "kernelslist.g", "-o", "traces"},
                 {"kernel-2.traceg:1:1: the trace ends before its first thread block"});
  expect_refusal({"import", "accelsim", "kernel-1.traceg", "-o", "k.trace", "--arch", "sm_61"}, {"--arch sm_61", "sm_70"});
  expect_refusal({"import", "accelsim", "nowhere.traceg", "-o", "k.trace"}, {"nowhere.traceg"});
}

}  // namespace accelsim_import_test
