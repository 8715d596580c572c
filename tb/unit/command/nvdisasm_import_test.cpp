// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "command_process.hpp"
#include "shared_recordings.hpp"

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

/// A listing that is written here.
class own_listing_command : public command_test {
 protected:
  /// The lines of the imported trace that begin so.
  std::string imported(const std::string& listing, const std::vector<std::string>& options, const std::string& begin) const {
    std::vector<std::string> all{"import", "nvdisasm", file("k.sass", listing), "-o", "k.trace"};
    all.insert(all.end(), options.begin(), options.end());
    const auto result = tcsim(all);
    EXPECT_EQ(result.status, 0) << result.err;
    said_ = result.out;
    std::istringstream trace(content_of(folder() / "k.trace"));
    std::string found;
    for (std::string line; std::getline(trace, line);)
      if (line.rfind(begin, 0) == 0) found += line + '\n';
    return found;
  }
  static std::string text(const std::string& target, const std::string& sections = "") {
    return "\t.target\t" + target + "\n" + sections +
           "\t.section\t.text.k,\"ax\",@progbits\n/*0000*/ EXIT ; /* 0x000000000000794d */\n/* 0x000fea0003800000 */\n";
  }
  /// The same with instructions in front of the EXIT.
  static std::string text_with(const std::string& target, const std::vector<std::string>& code, const std::string& sections = "") {
    std::string listing = "\t.target\t" + target + "\n" + sections + "\t.section\t.text.k,\"ax\",@progbits\n";
    unsigned pc = 0;
    for (const std::string& line : code) {
      listing += fmt::format("/*{:04x}*/ {} ; /* 0x0000000000000000 */\n/* 0x000fea0003800000 */\n", pc, line);
      pc += 16;
    }
    return listing + fmt::format("/*{:04x}*/ EXIT ; /* 0x000000000000794d */\n/* 0x000fea0003800000 */\n", pc);
  }
  mutable std::string said_;
};

TEST_F(own_listing_command, gives_variables_of_the_module_that_the_code_names) {
  const std::string sections =
      "\t.section\t.nv.constant4,\"a\",@progbits\n/*0000*/ \t.dword\ttable\n/*0008*/ \t.dword\tsums\n"
      "\t.section\t.nv.global,\"aw\",@nobits\nsums:\n\t.zero\t16\n"
      "\t.section\t.nv.global.init,\"aw\",@progbits\ntable:\n/*0000*/ .byte 0x05, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00\n"
      ".L_0:\nother:\n/*0008*/ .byte 0x01, 0x00, 0x00, 0x00\n";
  const std::string listing = text_with(
      "sm_80", {"LDC.64 R2, c[0x4][0x0]", "LDG.E R4, [R2.64+0x4]", "LDC.64 R6, c[0x4][0x8]", "STG.E [R6.64+0x4], R4", "LDG.E R5, [R4.U32]"},
      sections);
  const std::vector<std::string> memory{"--memory", "0x10000 16 zero"};
  EXPECT_EQ(imported(listing, memory, "memory"), "memory 0x10000 16 zero\nmemory 0x10200 16 zero\nmemory 0x10400 8 hex 0500000008000000\n");
  EXPECT_EQ(imported(listing, memory, "constant 4"), "constant 4 0x0 8 hex 0004010000000000\nconstant 4 0x8 8 hex 0002010000000000\n");
  EXPECT_NE(imported(listing, memory, "/*0040*/").find(" @ 0x8\n"), std::string::npos);
  EXPECT_EQ(imported(listing, {"--constant", "4 0x0 8 hex 0000020000000000", "--memory", "0x20000 8 hex 0000000010000000"}, "memory"),
            "memory 0x20000 8 hex 0000000010000000\nmemory 0x20200 16 zero\n")
      << "what the command line says comes first";
}

TEST_F(own_listing_command, gives_code_with_local_memory_the_top_of_its_stack) {
  const std::vector<std::string> code{"IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]", "MOV R2, 0x40", "STL [R1+-0x8], R2", "LDL R3, [R1+-0x8]",
                                      "LDG.E R4, [R3.U32]"};
  EXPECT_NE(imported(text_with("sm_80", code), {}, "/*0040*/").find(" @ 0x40\n"), std::string::npos);
  EXPECT_NE(imported(text_with("sm_80", code), {}, "/*0020*/").find(" @ 0xfffdb8\n"), std::string::npos);
  EXPECT_EQ(imported(text_with("sm_80", code), {}, "constant 0 0x28"), "constant 0 0x28 4 hex c0fdff00\n");
  EXPECT_EQ(imported(text("sm_80"), {}, "constant 0 0x28"), "");
}

TEST_F(own_listing_command, gives_block_and_grid_where_the_architecture_has_them) {
  const std::vector<std::string> launch{"--grid", "4,3", "--block", "64"};
  EXPECT_EQ(imported(text("sm_90a"), launch, "constant"), "constant 0 0x0 24 hex 400000000100000001000000040000000300000001000000\n");
  EXPECT_EQ(imported(text("sm_100"), launch, "constant"),
            "constant 0 0x360 12 hex 400000000100000001000000\nconstant 0 0x370 12 hex 040000000300000001000000\n");
}

TEST_F(own_listing_command, gives_constants_and_shared_memory_that_it_has) {
  const std::string sections =
      "\t.section\t.nv.constant3,\"a\",@progbits\n/*0000*/ .word 0x1, 0x2, 0x3\n"
      "\t.section\t.nv.shared.k,\"aw\",@nobits\n\t.zero 1024\n";
  EXPECT_EQ(imported(text("sm_80", sections), {}, "constant 3"), "constant 3 0x0 12 hex 010000000200000003000000\n");
  EXPECT_EQ(imported(text("sm_80", sections), {}, "shared"), "shared 1024\n");
  EXPECT_EQ(imported(text("sm_80", sections), {"--shared", "2048"}, "shared"), "shared 2048\n");
  EXPECT_EQ(imported(text("sm_80", sections), {"--constant", "3 0x4 4 hex ffffffff"}, "constant 3"),
            "constant 3 0x4 4 hex ffffffff\nconstant 3 0x0 4 hex 01000000\nconstant 3 0x8 4 hex 03000000\n")
      << "what the command line says comes first";
}

TEST_F(own_listing_command, says_what_another_target_is_taken_for) {
  EXPECT_EQ(imported(text("sm_87"), {}, "arch"), "arch sm_86\n");
  EXPECT_NE(said_.find("k for sm_86 (the listing is for sm_87): 1 warp instruction"), std::string::npos) << said_;
  EXPECT_EQ(imported(text("sm_87"), {"--arch", "sm_80"}, "arch"), "arch sm_80\n");
  EXPECT_EQ(imported(text("sm_90a"), {}, "arch"), "arch sm_90\n");
  EXPECT_NE(said_.find("k for sm_90: "), std::string::npos) << said_;
  EXPECT_EQ(imported(text("sm_61"), {"--arch", "sm_90a"}, "arch"), "arch sm_90\n");
  expect_refusal({"import", "nvdisasm", "k.sass", "-o", "o.trace", "--arch", "sm_61"}, {"--arch sm_61", "sm_120"});
  expect_refusal({"import", "nvdisasm", "k.sass", "-o", "o.trace"}, {"k.sass:1:10: unknown target 'sm_61'", "--arch"});
}

/// Inputs that misled users, where they are beside the project.
TEST_F(own_listing_command, reads_the_shared_cases) {
  const fs::path cases = tc::test::shared_recordings() / "cases";
  if (!fs::exists(cases)) GTEST_SKIP() << "no shared cases";
  for (const char* const name : {"nvdisasm12_headerflags", "cuobjdump_sm100", "blockdim_sm100", "unreachable_unknown", "target_sm120",
                                 "constants_and_shared_of_listing", "plr", "crlf", "ldc_u8"}) {
    const auto result = tcsim({"import", "nvdisasm", (cases / (std::string(name) + ".sass")).string(), "-o", "o.trace", "--grid", "4",
                               "--arguments", "0x10000,0x20000,4"});
    EXPECT_EQ(result.status, 0) << name << ": " << result.err;
    EXPECT_EQ(tcsim({"trace", "check", "o.trace"}).status, 0) << name;
  }
  EXPECT_EQ(
      tcsim({"import", "nvdisasm", (cases / "integer_division.sass").string(), "-o", "o.trace", "--grid", "8", "--arguments", "0x10000,3"})
          .status,
      0);
  const std::string divided = content_of(folder() / "o.trace");
  EXPECT_EQ(std::count(divided.begin(), divided.end(), '@'), 8);
  for (const char* const quotient : {"@ 0x10000\n", "@ 0x10004\n", "@ 0x10008\n"})
    EXPECT_NE(divided.find(quotient), std::string::npos) << "4 x (cta / 3) behind 0x10000";
  const auto odd = tcsim(
      {"import", "nvdisasm", (cases / "ldgsts_desc_odd.sass").string(), "-o", "o.trace", "--address", "0000=0x0", "--shared", "4096"});
  EXPECT_EQ(odd.err.find("aligned"), std::string::npos) << odd.err;
  EXPECT_EQ(tcsim({"import", "accelsim", (cases / "version6.traceg").string(), "-o", "o.trace"}).status, 0);
  EXPECT_EQ(tcsim({"run", (cases / "crlf.trace").string(), "--config", "ampere"}).status, 0);
  EXPECT_EQ(tcsim({"run", (cases / "dmma_negated_a.trace").string(), "--config", "ampere"}).status, 0);
  EXPECT_EQ(tcsim({"run", (cases / "hmma_sign.trace").string(), "--config", "ampere"}).status, 2);
  EXPECT_EQ(tcsim({"run", (cases / "qmma_ada.trace").string(), "--config", "ada", "--set", "sm.sub_core.issue.hazards=interlock"}).status,
            0);
}

}  // namespace nvdisasm_import_test
