// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "command_process.hpp"

namespace launch_command_test {

using namespace tcsim::test;
namespace fs = std::filesystem;

/// A folder with a recorded launch, or one that a test has written.
class launch_command : public command_test {
 protected:
  launch_command() { fs::copy(fs::path(TC_SOURCE_DIR) / "launches/wmma_shared.128", folder() / "recorded"); }

  /// A launch of a kernel that stores what R4 holds at 0x10000, after some instructions.
  std::string written(const std::vector<std::string>& instructions, const std::string& more = "memory 0x10000 4\n") const {
    fs::create_directory(folder() / "written");
    std::string code = "\t.target\tsm_90a\n\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n";
    char pc[16];
    unsigned number = 0;
    std::vector<std::string> all = instructions;
    all.insert(all.end(), {"MOV R2, 0x10000", "MOV R3, RZ", "STG.E [R2.64], R4", "EXIT"});
    for (const std::string& text : all) {
      std::snprintf(pc, sizeof pc, "%04x", 16 * number++);
      code += std::string("  /*") + pc + "*/ " + text + " ; /* 0x0000000000007918 */\n /* 0x000fc00000000000 */\n";
    }
    file("written/code.sass", code);
    file("written/launch.txt", "kernel k\ngrid 1 1 1\nblock 1 1 1\nregisters 8\n" + more);
    return "written";
  }
};

TEST_F(launch_command, says_that_memory_is_as_recorded_and_what_was_executed) {
  const auto result = tcsim({"execute", "recorded"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("recorded/launch.txt: exact: 65536 bytes are as recorded"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("10112 warp instructions of 16 warps in 4 CTAs"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("1024 matrix"), std::string::npos) << result.out;
}

TEST_F(launch_command, shows_the_first_places_that_differ) {
  const std::string name = written({"MOV R4, 0x12345678"});
  file("written/10000.post", "\x78\x56\x34\x13");
  const auto result = tcsim({"execute", name});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.out.find("differs: 1 element of 4 bytes are not as recorded; the first ones:"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("0x10000  12345678  13345678"), std::string::npos) << result.out;
}

TEST_F(launch_command, lets_numbers_differ_as_far_as_the_launch_says) {
  const std::string name = written({"MOV R4, 0x3f800003"}, "memory 0x10000 4\ntolerance 0x10000 f32 3\n");
  file("written/10000.post", std::string("\x00\x00\x80\x3f", 4));
  const auto near = tcsim({"execute", name});
  EXPECT_EQ(near.status, 0) << near.out;
  EXPECT_NE(near.out.find("within the tolerance"), std::string::npos) << near.out;
  file("written/launch.txt", "kernel k\ngrid 1 1 1\nblock 1 1 1\nregisters 8\nmemory 0x10000 4\ntolerance 0x10000 f32 2\n");
  EXPECT_EQ(tcsim({"execute", name}).status, 1);
}

TEST_F(launch_command, saves_what_warps_did_as_a_trace_that_runs) {
  const auto saved = tcsim({"execute", "recorded", "--save-trace", "saved.trace.xz"});
  EXPECT_EQ(saved.status, 0) << saved.err;
  const auto run = tcsim({"run", "saved.trace.xz", "--config", "hopper"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("4 CTAs, 16 warps"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("instructions  10112"), std::string::npos) << run.out;
  const auto failed = tcsim({"execute", written({"BRA 0x0"}), "--limit", "10000", "--save-trace", "none.trace"});
  EXPECT_EQ(failed.status, 3);
  EXPECT_FALSE(fs::exists(folder() / "none.trace"));
}

TEST_F(launch_command, saves_a_trace_with_values_from_which_the_machine_computes_what_was_recorded) {
  const auto saved = tcsim({"execute", "recorded", "--save-trace", "saved.trace.xz", "--values"});
  EXPECT_EQ(saved.status, 0) << saved.err;
  const auto run = tcsim({"run", "saved.trace.xz", "--config", "hopper"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("exact: 65536 bytes as expected, bit for bit"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find(" compared, 0 unknown"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("warning"), std::string::npos) << run.out;
  expect_refusal({"execute", "recorded", "--values"}, {"--save-trace"});
}

TEST_F(launch_command, saves_values_of_variables_constants_and_parameters_and_expects_what_no_tolerance_is_for) {
  const std::string name = written({"LDC R4, c[0x0][0x210]", "LDC R5, c[0x3][0x4]", "IADD3 R4, R4, R5, RZ"},
                                   "param 0 4 05000000\nconstant 3 4 4 hex 07000000\nmemory 0x10000 4 hex 01000000\n"
                                   "memory 0x20000 4 hex 01020304\ntolerance 0x20000 f32 1\n");
  file("written/launch.txt", "launch 2\n" + content_of(folder() / "written/launch.txt"));
  file("written/10000.post", std::string("\x0c\x00\x00\x00", 4));
  file("written/20000.post", std::string("\x00\x00\x80\x3f", 4));
  tcsim({"execute", name, "--save-trace", "saved.trace", "--values"});
  const std::string text = content_of(folder() / "saved.trace");
  EXPECT_NE(text.find("\nconstant 3 0x4 4 hex 07000000\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nmemory 0x20000 4 hex 01020304\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("expect 0x20000"), std::string::npos) << text;
  const auto run = tcsim({"run", "saved.trace", "--config", "hopper", "--set", "sm.sub_core.issue.hazards=interlock"});
  EXPECT_NE(run.out.find("exact: 4 bytes as expected, bit for bit"), std::string::npos) << run.out << run.err;
}

TEST_F(launch_command, says_that_nothing_was_recorded) {
  const auto result = tcsim({"execute", written({"MOV R4, 0x1"})});
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.out.find("memory after the launch was not recorded"), std::string::npos) << result.out;
}

TEST_F(launch_command, names_the_access_outside_of_all_memory) {
  const auto result = tcsim({"execute", written({"MOV R4, 0x1"}, "memory 0x20000 4\n")});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(
      result.err.find("'STG.E [R2.64], R4' at 0x0030, lane 0 of warp 0 of CTA 0 0 0: address 0x10000: it is outside of all allocations; "
                      "the nearest allocation is 0x20000 to 0x20004, 65536 bytes behind it"),
      std::string::npos)
      << result.err;
}

TEST_F(launch_command, ends_a_loop_at_the_limit) {
  const auto result = tcsim({"execute", written({"BRA 0x0"}), "--limit", "10000"});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("'BRA 0x0' at 0x0000"), std::string::npos) << result.err;
}

TEST_F(launch_command, refuses_what_does_not_fit_the_code_or_the_machine) {
  expect_refusal({"execute", written({"MOV R9, 0x1"})}, {"written/launch.txt:4:11: 8 registers; the code names R9"});
  expect_refusal({"execute", written({}, "shared dynamic 300000 static 0\n")}, {"written/launch.txt:5:7: ", "an SM of hopper has"});
  expect_refusal({"execute", "no_such"}, {"no_such:1:1: not a launch"});
  std::string text = content_of(folder() / "recorded/launch.txt");
  text.replace(text.find("param 32 4 80000000"), 19, "param 32 8 8000000000000000");
  file("recorded/launch.txt", text);
  expect_refusal({"execute", "recorded", "--save-trace", "none.trace"},
                 {"recorded/launch.txt:12:7: parameter 5 has 8 bytes here; in the code it has 4"});
  EXPECT_FALSE(fs::exists(folder() / "none.trace"));
}

TEST_F(launch_command, tells_what_the_kernel_does_wrong_with_its_place) {
  const auto said = [this](const std::vector<std::string>& instructions) {
    fs::remove_all(folder() / "written");
    const auto result = tcsim({"execute", written(instructions), "--save-trace", "none.trace"});
    EXPECT_EQ(result.status, 3);
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(fs::exists(folder() / "none.trace"));
    return result.err;
  };
  EXPECT_NE(
      said({"BRA 0x4000"}).find("'BRA 0x4000' at 0x0000, warp 0 of CTA 0 0 0: not executed: it goes to 0x4000, where the kernel has no"),
      std::string::npos);
  EXPECT_NE(said({"MOV R4, 0x8", "MOV R5, RZ", "CALL.ABS.NOINC R4"})
                .find("lane 0 of warp 0 of CTA 0 0 0: it goes to 0x8, where the kernel has no"),
            std::string::npos);
  EXPECT_NE(said({"LDS R4, [RZ+0x2000]"}).find("address 0x2000: it is outside of the 1024 bytes of shared memory that the launch has"),
            std::string::npos);
}

TEST_F(launch_command, makes_a_launch_of_a_listing_that_is_executed) {
  written({"LDC R4, c[0x0][0x214]"});
  const std::vector<std::string> made{"launch",  "new",      "written/code.sass",     "-o",          "made",
                                      "--block", "1",        "--parameter",           "pointer 0x0", "--parameter",
                                      "f32 1.5", "--memory", "0x10000 4 hex 00000000"};
  std::vector<std::string> shifted = made;
  shifted[8] = "u32 7";
  EXPECT_EQ(tcsim(shifted).status, 0);
  EXPECT_NE(content_of(folder() / "made/launch.txt").find("param 4 4 0000c03f"), std::string::npos);
  EXPECT_EQ(tcsim({"execute", "made"}).status, 0);
  expect_refusal(made, {"made"});
}

TEST_F(launch_command, makes_no_launch_whose_parameters_do_not_fit_the_code) {
  const std::string listing = "recorded/code.sass.xz", kernel = "_Z11wmma_sharedPK6__halfS1_Pfiii";
  std::vector<std::string> arguments{"launch", "new",     listing, "--kernel",    kernel,     "-o",
                                     "made",   "--block", "128",   "--parameter", "pointer 1"};
  expect_refusal(arguments, {"--parameter: 1 parameter given; the kernel takes 6, of these bytes: 8, 8, 8, 4, 4, 4"});
  for (const char* more : {"pointer 2", "pointer 3", "s32 -1", "f64 1", "s32 3"}) arguments.insert(arguments.end(), {"--parameter", more});
  expect_refusal(arguments, {"--parameter 'f64 1': it has 8 bytes; parameter 4 of the kernel has 4"});
  arguments[arguments.size() - 3] = "s32 4294967296";
  expect_refusal(arguments, {"--parameter 's32 4294967296': '4294967296' is no number of type s32"});
  arguments[arguments.size() - 3] = "s32 2";
  arguments.insert(arguments.end(), {"--memory", "0x10000 64 rand"});
  expect_refusal(arguments, {"--memory '0x10000 64 rand': unknown content 'rand'"});
  arguments.resize(arguments.size() - 2);
  EXPECT_EQ(tcsim(arguments).status, 0);
  EXPECT_EQ(tcsim({"launch", "check", "made"}).status, 0);
}

/// The steps of hash_table's launch, from its cubin alone.
TEST_F(launch_command, makes_a_launch_of_a_cubin_that_is_executed) {
  const std::string cubin = std::string(TC_SOURCE_DIR) + "/launches/scan/code.cubin.xz";
  const std::vector<std::string> made{"launch",
                                      "new",
                                      cubin,
                                      "-o",
                                      "made",
                                      "--grid",
                                      "3",
                                      "--block",
                                      "256",
                                      "--parameter",
                                      "pointer 0x10000",
                                      "--parameter",
                                      "pointer 0x20000",
                                      "--parameter",
                                      "pointer 0x30000",
                                      "--parameter",
                                      "s32 700",
                                      "--memory",
                                      "0x10000 2800 random s32 seed 1",
                                      "--memory",
                                      "0x20000 2800 zero",
                                      "--memory",
                                      "0x30000 12 zero"};
  const auto result = tcsim(made);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(fs::exists(folder() / "made/code.cubin.xz"));
  EXPECT_EQ(tcsim({"launch", "check", "made"}).status, 0);
  const auto executed = tcsim({"execute", "made"});
  EXPECT_EQ(executed.status, 0) << executed.err;
}

TEST_F(launch_command, takes_blocks_and_clusters_from_the_code_that_says_them) {
  const std::string cubin = std::string(TC_SOURCE_DIR) + "/tb/unit/machine_code/data/bounds.sm_90.cubin.xz";
  const std::vector<std::string> of_any{"launch", "new", cubin, "-o", "made", "--grid", "2", "--parameter", "pointer 0x10000", "--kernel"};
  std::vector<std::string> arguments = of_any;
  arguments.push_back("up_to_128");
  expect_refusal(arguments, {"--block is missing: the code does not say it"});
  arguments.insert(arguments.end(), {"--block", "129"});
  expect_refusal(arguments, {"blocks of 129 threads; the code is for at most 128"});
  arguments = of_any;
  arguments.push_back("blocks_of_128");
  EXPECT_EQ(tcsim(arguments).status, 0);
  const std::string made = content_of(folder() / "made/launch.txt");
  EXPECT_NE(made.find("block 64 2 1\ncluster 2 1 1\n"), std::string::npos) << made;
}

TEST_F(launch_command, shows_what_the_kernels_of_a_cubin_need) {
  const auto result = tcsim({"launch", "info", std::string(TC_SOURCE_DIR) + "/launches/transposed_copy/code.cubin.xz"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* line : {"a cubin for sm_90", "copy(unsigned char const*, unsigned char*, short*)",
                           "17 registers a thread, 8432 bytes of static shared memory", "parameter 2  8 bytes at 16: short*"})
    EXPECT_NE(result.out.find(line), std::string::npos) << result.out;
}

TEST_F(launch_command, keeps_files_of_the_same_name_apart) {
  written({"MOV R4, 0x1"});
  for (const char* name : {"a", "b"}) {
    fs::create_directory(folder() / name);
    file(std::string(name) + "/image.bin", std::string(4, name[0]));
  }
  EXPECT_EQ(tcsim({"launch", "new", "written/code.sass", "-o", "made", "--block", "1", "--memory", "0x10000 4 file a/image.bin", "--memory",
                   "0x20000 4 file b/image.bin", "--cooperative", "--carveout", "50", "--local", "512", "--tolerance", "0x10000 f32 2"})
                .status,
            0);
  EXPECT_EQ(content_of(folder() / "made/image.bin"), "aaaa");
  EXPECT_EQ(content_of(folder() / "made/image.2.bin"), "bbbb");
}

TEST_F(launch_command, packs_a_launch_into_a_file_that_is_read_like_a_folder) {
  EXPECT_EQ(tcsim({"launch", "pack", "recorded", "-o", "packed.tar.xz"}).status, 0);
  const auto executed = tcsim({"execute", "packed.tar.xz"});
  EXPECT_EQ(executed.status, 0) << executed.err;
  EXPECT_NE(executed.out.find("packed.tar.xz/launch.txt: exact"), std::string::npos) << executed.out;
  EXPECT_EQ(tcsim({"launch", "check", "packed.tar.xz"}).status, 0);
  EXPECT_EQ(tcsim({"launch", "info", "packed.tar.xz"}).status, 0);
  expect_refusal({"launch", "pack", "packed.tar.xz", "-o", "again.tar"}, {"packed.tar.xz: is packed already"});
  expect_refusal({"launch", "pack", "no_such", "-o", "again.tar"}, {"no_such:1:1: not a launch"});
  file("cut.tar.xz", content_of(folder() / "packed.tar.xz").substr(0, 40000));
  expect_refusal({"execute", "cut.tar.xz"}, {"cut.tar.xz: "});
}

TEST_F(launch_command, refuses_code_that_is_cut) {
  fs::copy(fs::path(TC_SOURCE_DIR) / "launches/scan", folder() / "scan");
  fs::remove(folder() / "scan/code.sass.xz");
  EXPECT_EQ(tcsim({"execute", "scan"}).status, 0);
  file("scan/code.cubin.xz", content_of(folder() / "scan/code.cubin.xz").substr(0, 1000));
  expect_refusal({"execute", "scan"}, {"scan/code.cubin.xz: the compressed data are damaged or cut off"});
}

TEST_F(launch_command, shows_what_a_launch_is) {
  const auto result = tcsim({"launch", "info", "recorded"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("_Z11wmma_sharedPK6__halfS1_Pfiii for sm_90"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("2 x 2 x 1 CTAs of 128 x 1 x 1 threads"), std::string::npos) << result.out;
}

TEST_F(launch_command, compares_a_launch_with_the_records_of_its_code) {
  EXPECT_EQ(tcsim({"launch", "check", "recorded"}).status, 0);
  std::string text = content_of(folder() / "recorded/launch.txt");
  text.replace(text.find("registers 72"), 12, "registers 80");
  file("recorded/launch.txt", text);
  const auto result = tcsim({"launch", "check", "recorded", "no_such"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("recorded/launch.txt:6:11: 80 registers; the code has 72"), std::string::npos) << result.err;
  EXPECT_EQ(tcsim({"launch", "check", "recorded"}).status, 1);
}

}  // namespace launch_command_test
