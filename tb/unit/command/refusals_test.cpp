// SPDX-License-Identifier: Apache-2.0
#include <environment_variable.hpp>

#include <gtest/gtest.h>

#include "command_process.hpp"

namespace refusals_test {

// What the command must refuse: exit status 2, one message that names the place, nothing written.

using namespace tcsim::test;

class refusal : public command_test {
 protected:
  /// A trace with a mistake must be refused with its place: by `trace check`, and by `run` without leaving statistics.
  void expect_trace_refused(const std::string& trace, const std::string& place, const std::string& word) const {
    file("kernel.trace", trace);
    expect_refusal({"trace", "check", "kernel.trace"}, {"kernel.trace:" + place + ": ", word});
    expect_refusal({"run", "kernel.trace", "--config", "turing", "--stats", "run.json"}, {"kernel.trace:" + place + ": ", word});
  }
  /// The same for one instruction, the only one before EXIT, in line 8.
  void expect_instruction_refused(const std::string& instruction, const std::string& column, const std::string& word) const {
    expect_trace_refused(one_warp("sm_75", "", "/*0000*/ " + instruction + "\n"), "8:" + column, word);
  }
  std::string correct_trace() const { return file("correct.trace", one_warp("sm_75", "", "/*0000*/ NOP\n")); }
};

using refused_trace = refusal;
using refused_configuration = refusal;
using refused_command_line = refusal;
using refused_results = refusal;

TEST_F(refused_trace, missing_file) { expect_refusal({"run", "none.trace", "--config", "turing"}, {"none.trace", "No such file"}); }

TEST_F(refused_trace, missing_image) {
  expect_trace_refused(one_warp("sm_75", "memory 0x1000 16 file none.bin\n", ""), "6:23", "none.bin");
}

TEST_F(refused_trace, image_of_the_wrong_size) {
  file("short.bin", "too short");
  expect_trace_refused(one_warp("sm_75", "memory 0x1000 16 file short.bin\n", ""), "6:23", "9");
}

TEST_F(refused_trace, cut_off) {
  auto trace = one_warp("sm_75", "", "/*0000*/ NOP\n");
  trace.resize(trace.size() - 3);
  expect_trace_refused(trace, "9:10", "EX");
}

TEST_F(refused_trace, without_its_last_exit) {
  expect_trace_refused("tcsim-trace 1\narch sm_75\nkernel k\ngrid 1 1 1\nblock 32 1 1\ncta 0 0 0\nwarp 0\n/*0000*/ NOP", "8:1", "cut off");
}

TEST_F(refused_trace, cut_off_at_the_end_of_a_line) {
  const std::string header = "tcsim-trace 1\narch sm_75\nkernel k\ngrid 1 1 1\nblock 64 1 1\ncta 0 0 0\nwarp 0\n";
  const std::string warp = "/*0000*/ NOP\n/*0010*/ EXIT\n";
  file("kernel.trace", header + "/*0000*/ NOP\n");
  expect_refusal({"trace", "check", "kernel.trace"}, {"kernel.trace:8:1: warp 0 ends here, but not with an EXIT", "cut off"});
  file("kernel.trace", header + warp);
  expect_refusal({"trace", "check", "kernel.trace"}, {"kernel.trace:9:1: CTA 0 0 0 ends here with 1 of its 2 warps"});
  file("kernel.trace", header + warp + "warp 1\n" + warp);
  EXPECT_EQ(tcsim({"trace", "check", "kernel.trace"}).status, 0);
}

TEST_F(refused_trace, unknown_opcode) { expect_instruction_refused("HMMB.1688.F32 R8, R4, R6, RZ", "10", "HMMB"); }

TEST_F(refused_trace, opcode_of_a_later_architecture) { expect_instruction_refused("HMMA.16816.F32 R8, R4, R12, R8", "15", "sm_80"); }

TEST_F(refused_trace, misaligned_register) { expect_instruction_refused("HMMA.1688.F32 R9, R4, R6, R8", "24", "R9"); }

TEST_F(refused_trace, register_out_of_range) { expect_instruction_refused("IADD3 R300, R4, R6, RZ", "16", "R300"); }

TEST_F(refused_trace, register_beyond_the_kernels) {
  expect_trace_refused(one_warp("sm_75", "registers 16\n", "/*0000*/ IADD3 R16, R4, R6, RZ\n"), "9:16", "R16");
}

TEST_F(refused_trace, wrong_number_of_addresses) {
  expect_instruction_refused("LDG.E.SYS R8, [R2] mask 00000003 @ {0x1000, 0x1004, 0x1008}", "45", "3");
}

TEST_F(refused_trace, malformed_mask) { expect_instruction_refused("MOV R8, 0x1 mask 123", "27", "mask"); }

TEST_F(refused_trace, for_another_architecture) {
  file("hopper.trace", one_warp("sm_90", "", "/*0000*/ NOP\n"));
  expect_refusal({"run", "hopper.trace", "--config", "turing", "--stats", "run.json"}, {"hopper.trace", "sm_90", "sm_75"});
}

TEST_F(refused_trace, address_outside_its_memory) {
  file("kernel.trace",
       one_warp("sm_75", "memory 0x1000 128 zero\n", "reg R2 0x1000\nreg R3 0x0\n/*0000*/ LDG.E.SYS R0, [R2] @ 0x2000+4\n"));
  expect_refusal({"run", "kernel.trace", "--config", "turing", "--stats", "run.json"}, {"kernel.trace", "line 11", "0x2000"});
}

TEST_F(refused_trace, every_file_is_checked) {
  file("wrong.trace", "nonsense\n");
  const auto result = tcsim({"trace", "check", "wrong.trace", correct_trace()});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("wrong.trace:1:1: "), std::string::npos) << result.err;
  EXPECT_NE(result.out.find("correct.trace: ok"), std::string::npos) << result.out;
}

TEST_F(refused_command_line, output_in_the_place_of_a_file_that_is_read) {
  file("a.bin", "1234");
  file("base.json", R"({"include": "turing", "sms": 2})");
  file("mine.json", R"({"include": "base.json"})");
  file("k.trace", one_warp("sm_75", "memory 0x1000 4 file a.bin\n", "/*0000*/ NOP\n"));
  file("k.sass", "\t.target\tsm_75\n.text.k:\n /*0000*/ EXIT ; /* 0x000000000000794d */\n /* 0x000fea0003800000 */\n");
  for (const char* const read : {"a.bin", "base.json", "mine.json", "k.trace", "./a.bin"}) {
    for (const char* const option : {"--stats", "--vcd", "--timeline", "--konata"})
      expect_refusal({"run", "k.trace", "--config", "mine.json", option, read}, {option, read, "the run reads this file"});
  }
  expect_refusal({"trace", "pack", "k.trace", "-o", "k.trace"}, {"k.trace: the command reads this file"});
  expect_refusal({"import", "nvdisasm", "k.sass", "-o", "k.sass"}, {"k.sass: the command reads this file"});
  expect_refusal({"import", "nvdisasm", "k.sass", "-o", "a.bin", "--memory", "0x1000 4 file a.bin"},
                 {"a.bin: the command reads this file"});
  EXPECT_EQ(content_of(folder() / "a.bin"), "1234");
}

TEST_F(refused_configuration, unknown_key) {
  file("mine.json", "{\n  \"sm\": {\n    \"sub_core\": {\"tensor_core\": {\"cuont\": 1}}\n  }\n}\n");
  expect_refusal({"run", correct_trace(), "--config", "mine.json", "--stats", "run.json"},
                 {"mine.json:3:", "sm.sub_core.tensor_core", "\"cuont\"", "\"count\""});
}

TEST_F(refused_configuration, value_of_the_wrong_type) {
  file("mine.json", "{\n  \"sms\": \"many\"\n}\n");
  expect_refusal({"run", correct_trace(), "--config", "mine.json"}, {"mine.json:2:", "sms"});
}

TEST_F(refused_configuration, sizes_past_their_limits) {
  struct size {
    std::string path, at, past, words;
  };
  for (const size& each : {size{"sms", "1024", "1025", "must be from 1 to 1024"}, size{"sm.sub_cores", "32", "65", "must be from 1 to 64"},
                           size{"sm.max_warps", "1024", "1025", "must be from the number of sub-cores to 1024"},
                           size{"sm.max_ctas", "1024", "1025", "must be from 1 to 1024"},
                           size{"sm.shared_memory.bytes", "16777216", "16777217", "must be from 1 to 16777216"},
                           size{"sm.shared_memory.wavefront_cycles", "1000", "1001", "must be from 1 to 1000"},
                           size{"sm.shared_memory.warp_wavefront_cycles", "1000", "1001", "must be from 1 to 1000"},
                           size{"sm.shared_memory.banks", "1024", "2048", "must be a power of two of at most 1024"},
                           size{"global_memory.line_bytes", "4096", "8192", "must be a power of two from 32 to 4096"},
                           size{"global_memory.max_bytes", "65536", "65535", "must be at least 65536, a page"},
                           size{"clock_mhz", "1000000", "1000001", "must be above 0 and at most 1000000"}}) {
    const auto taken = tcsim({"config", "show", "volta", "--set", each.path + "=" + each.at});
    EXPECT_EQ(taken.status, 0) << taken.err;
    expect_refusal({"config", "show", "volta", "--set", each.path + "=" + each.past}, {"--set " + each.path, each.words});
  }
}

TEST_F(refused_configuration, value_out_of_range) {
  expect_refusal({"run", correct_trace(), "--config", "turing", "--set", "sm.sub_core.tensor_core.count=3"},
                 {"--set sm.sub_core.tensor_core.count=3", "must be 1, 2 or 4"});
}

TEST_F(refused_configuration, broken_json) {
  file("mine.json", "{\n  \"sms\": 1,,\n}\n");
  expect_refusal({"config", "check", "mine.json"}, {"mine.json:2:"});
}

TEST_F(refused_configuration, unknown_name) {
  expect_refusal({"run", correct_trace(), "--config", "tuning"}, {"tuning", "did you mean \"turing\"?", "ampere"});
}

TEST_F(refused_configuration, without_the_operation_of_the_trace) {
  file("s4.trace", one_warp("sm_75", "", "/*0000*/ IMMA.8832.S4.S4 R8, R4.ROW, R6.COL, RZ\n"));
  expect_refusal({"run", "s4.trace", "--config", "turing", "--set", "sm.sub_core.tensor_core.unit.s4_per_cycle=0"},
                 {"s4.trace", "IMMA.8832", "s4_per_cycle"});
}

TEST_F(refused_command_line, a_missing_memory_line) {
  const std::string load =
      one_warp("sm_75", "memory 0x1000 128 zero\n", "reg R2 0x1000\nreg R3 0x0\n/*0000*/ LDG.E.SYS R0, [R2] @ 0x2000+4\n");
  expect_refusal({"run", file("load.trace", load), "--config", "turing"},
                 {"load.trace", "at 0x2000", "no `memory` line", "memory BASE BYTES zero", "0x1000 to 0x1080"});
  const std::string expecting = one_warp("sm_75", "expect 0x30000 16 zero\n", "/*0000*/ NOP\n");
  expect_refusal({"run", file("expecting.trace", expecting), "--config", "turing"},
                 {"`expect 0x30000 16`", "no `memory` line", "`memory 0x30000 16 zero`"});
}

TEST_F(refused_command_line, instructions_that_the_host_does_not_execute) {
  const ::environment_variable instruction_set("TCSIM_INSTRUCTION_SET", "mmx");
  expect_refusal({"run", correct_trace(), "--config", "turing", "--stats", "run.json"}, {"TCSIM_INSTRUCTION_SET", "\"mmx\"", "portable"});
}

TEST_F(refused_command_line, unknown_option) { expect_refusal({"run", correct_trace(), "--config", "turing", "--fast"}, {"--fast"}); }

TEST_F(refused_command_line, more_processes_than_are_possible) {
  expect_refusal({"run", correct_trace(), "--config", "turing", "--jobs", "1025"},
                 {"--jobs", "\"1025\" is no whole number from 1 to 1024"});
  expect_refusal({"sweep", "s.json", "--jobs", "4097"}, {"--jobs", "\"4097\" is no whole number from 1 to 4096"});
}

TEST_F(refused_command_line, unknown_subcommand) { expect_refusal({"walk"}, {"walk"}); }

TEST_F(refused_command_line, no_subcommand) {
  expect_refusal({}, {"run", "trace", "config"});
  expect_refusal({"config"}, {"show", "check", "list"});
}

TEST_F(refused_command_line, no_configuration) { expect_refusal({"run", correct_trace()}, {"--config"}); }

TEST_F(refused_command_line, number_that_is_none) {
  expect_refusal({"run", correct_trace(), "--config", "turing", "--max-cycles", "soon"}, {"--max-cycles", "soon"});
}

TEST_F(refused_command_line, statistics_that_cannot_be_written) {
  expect_refusal({"run", correct_trace(), "--config", "turing", "--stats", "none/run.json"}, {"none/run.json"});
  expect_refusal({"run", correct_trace(), "--config", "turing", "--stats", "."}, {"it is a folder"});
}

TEST_F(refused_results, by_report) {
  expect_refusal({"report", "none.sqlite"}, {"none.sqlite"});
  file("text.sqlite", "no results");
  expect_refusal({"report", "text.sqlite"}, {"text.sqlite:1:1: ", "the statistics of a run", "the results of a sweep"});
  file("sweep.json", R"({"base": "turing"})");
  expect_refusal({"report", "sweep.json"}, {"sweep.json: ", "the statistics of a run", "the results of a sweep"});
  expect_refusal({"report", "text.sqlite", "-o", "none/report.html"}, {"none"});
  expect_refusal({"report", "text.sqlite", "-o", "text.sqlite"}, {"the command reads this file"});
  expect_refusal({"run", "a.trace", "--config", "turing", "--max-cycles", "-5"}, {"--max-cycles", "\"-5\" is no whole number"});
  expect_refusal({"run", "a.trace", "--config", "turing", "--max-cycles", "99999999999999999999999"},
                 {"is no whole number from 0 to 1844"});
  expect_refusal({"gemm", "--config", "turing", "--size", "64", "--seed", "-1"}, {"--seed", "\"-1\" is no whole number"});
  expect_refusal({"gemm", "--config", "turing", "--size", "64", "--stats", ""}, {"--stats", "a file has a name"});
}

}  // namespace refusals_test
