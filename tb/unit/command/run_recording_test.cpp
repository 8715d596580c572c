// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstring>
#include <filesystem>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "command_process.hpp"

namespace run_recording_test {

// What a run leaves in files besides its report, and that it stays the same run.

using namespace tcsim::test;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

const std::string recorded = (fs::path(TC_SOURCE_DIR) / "traces/sm_75.micro_f16_f16_m16n16k16/kernel.trace").string();

using words = std::vector<std::string>;

words operator+(words front, const words& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

std::uint32_t word_at(const std::string& bytes, std::size_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.substr(offset, sizeof word).c_str(), sizeof word);
  return word;
}

class run_recording : public command_test {
 protected:
  outcome run(const words& arguments) const { return tcsim(words{"run", recorded, "--config", "turing"} + arguments); }
  json::object statistics(const std::string& file) const {
    json::object document = json::parse(content_of(folder() / file)).as_object();
    document.erase("host");
    return document;
  }
  void expect_run_refused(const words& arguments, const words& message) const {
    expect_refusal(words{"run", recorded, "--config", "turing"} + arguments, message);
  }
  /// All but a recording is as without it.
  void expect_kept(const words& arguments, const words& message) const {
    const outcome result = run(words{"--stats", "run.json"} + arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.out.find("exact"), std::string::npos);
    EXPECT_TRUE(fs::exists(folder() / "run.json"));
    for (const std::string& part : message) EXPECT_NE(result.err.find(part), std::string::npos) << part << ": " << result.err;
  }
};

}  // namespace

TEST_F(run_recording, changes_nothing_of_the_run) {
  const outcome plain = run({"--stats", "plain.json"});
  const outcome full =
      run({"--stats", "full.json", "--stats-interval", "10", "--pictures", "--vcd", "run.vcd", "--timeline", "run.trace.json", "--konata",
           "run.kanata", "--dump", "shared:0:64:s.bin@50", "--dump", "registers:0:128:r.bin@7"});
  EXPECT_EQ(plain.status, 0);
  EXPECT_EQ(full.status, 0);
  EXPECT_EQ(full.err, "");
  EXPECT_EQ(full.out, plain.out);
  json::object with = statistics("full.json");
  EXPECT_EQ(with.erase("series"), 1U);
  EXPECT_EQ(with.erase("pictures"), 1U);
  EXPECT_EQ(with, statistics("plain.json"));
  for (const char* const file : {"run.vcd", "run.trace.json", "run.kanata"}) EXPECT_GT(fs::file_size(folder() / file), 1000U) << file;
  EXPECT_EQ(fs::file_size(folder() / "s.bin"), 64U);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 7) << "nothing else is left";
}

TEST_F(run_recording, increments_of_a_series_add_up_to_the_counters) {
  ASSERT_EQ(run({"--stats", "run.json", "--stats-interval", "7"}).status, 0);
  const json::object document = statistics("run.json");
  const json::object& series = document.at("series").as_object();
  const json::array& ends = series.at("cycles").as_array();
  EXPECT_EQ(series.at("interval").to_number<int>(), 7);
  EXPECT_EQ(ends.at(1).to_number<int>(), 14);
  EXPECT_EQ(ends.back(), document.at("cycles"));
  std::size_t counters = 0;
  for (const auto& [path, unit] : document.at("units").as_object())
    for (const auto& [key, value] : unit.as_object()) {
      const json::value* const units = series.at("units").as_object().if_contains(path);
      const json::value* const increments = units == nullptr ? nullptr : units->as_object().if_contains(key);
      if (value.is_double() || increments == nullptr) continue;
      std::int64_t sum = 0;
      for (const json::value& each : increments->as_array()) sum += each.to_number<std::int64_t>();
      EXPECT_EQ(sum, value.to_number<std::int64_t>()) << path << ' ' << key;
      EXPECT_EQ(increments->as_array().size(), ends.size());
      EXPECT_GT(value.to_number<std::int64_t>(), 0) << "counters that never change are left out";
      ++counters;
    }
  EXPECT_GT(counters, 50U);
}

TEST_F(run_recording, dumps_are_what_the_trace_has_written) {
  const std::string trace =
      file("writes.trace", one_warp("sm_75", "memory 0x1000 128 zero\nshared 256\n",
                                    "reg R2 0x1004\nreg R3 0x0\nreg R4 0x10\n/*0000*/ [B------:R-:W-:-:S08] IADD3 R8, R4, R4, RZ\n"
                                    "/*0010*/ [B------:R0:W-:-:S02] STS [R4], R8 mask 00000001 @ 0x10\n"
                                    "/*0020*/ [B0-----:R-:W-:-:S02] STG.E.SYS [R2], R8 mask 00000001 @ 0x1004\n"));
  const outcome result = tcsim({"run", trace, "--config", "turing", "--dump", "cta0.warp0.registers:0x400:128:before@2", "--dump",
                                "cta0.registers:0x400:128:after", "--dump", "cta0.shared:0:32:shared", "--dump", "global:0x1000:8:global"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(word_at(content_of(folder() / "before"), 0), 0U);
  EXPECT_EQ(word_at(content_of(folder() / "after"), 31 * 4), 0x20U);
  EXPECT_EQ(word_at(content_of(folder() / "shared"), 0x10), 0x20U);
  EXPECT_EQ(content_of(folder() / "global"), std::string("\0\0\0\0\x20\0\0\0", 8));
}

TEST_F(run_recording, options_that_need_others_say_so) {
  expect_run_refused({"--stats-interval", "10"}, {"--stats-interval", "Give --stats too"});
  expect_run_refused({"--stats-interval", "0", "--stats", "run.json"}, {"--stats-interval 0", "at least one cycle"});
  expect_run_refused({"--pictures"}, {"--pictures", "Give --stats too"});
  expect_run_refused({"--vcd-scope", "sm0", "--timeline", "t.json"}, {"--vcd-scope", "Give --vcd too"});
  expect_run_refused({"--window", "1..2", "--stats", "run.json"}, {"--window", "Give --vcd, --timeline or --konata too"});
}

TEST_F(run_recording, what_the_machine_does_not_have_is_refused_before_the_run) {
  expect_run_refused({"--vcd", "run.vcd", "--vcd-scope", "sm0.subcore9"}, {"--vcd-scope", "sm0.subcore9"});
  expect_run_refused({"--timeline", "t.json", "--scope", "sm0.subcore9"}, {"--scope", "sm0.subcore9"});
  expect_run_refused({"--scope", "sm0"}, {"--scope", "of which recording"});
  expect_run_refused({"--vcd", "run.vcd", "--window", "9..3"}, {"--window 9..3: "});
  expect_run_refused({"--vcd", "run.vcd", "--dump", "sm99.shared:0:4:f"}, {"--dump sm99.shared:0x0:4: the machine has sm0 to sm"});
  expect_run_refused({"--dump", "global:0x0:4:f"}, {"--dump global:0x0:4: of global memory there is what the traces describe: 0x"});
  expect_run_refused({"--dump", "shared:0:4"}, {"--dump shared:0:4: expected SPACE"});
  expect_run_refused({"--no-data", "--dump", "shared:0:4:f"}, {"the run computes no values"});
}

TEST_F(run_recording, files_that_cannot_be_written_are_refused_before_the_run) {
  fs::create_directory(folder() / "there");
  for (const char* const option : {"--vcd", "--timeline", "--konata"}) {
    expect_run_refused({option, "none/run"}, {option, "none/run", "No such file"});
    expect_run_refused({option, "there"}, {option, "there", "directory"});
    expect_run_refused({option, recorded}, {option, recorded, "the run reads this file"});
    expect_run_refused({"--stats", "run.json", option, "there/../run.json"}, {option, "--stats writes this file"});
  }
  expect_run_refused({"--dump", "shared:0:4:none/f"}, {"--dump", "none/f", "No such file"});
  expect_run_refused({"--dump", "shared:0:4:f", "--dump", "global:0x10000:4:f@5"}, {"--dump f: --dump writes this file"});
}

TEST_F(run_recording, what_fails_during_the_run_leaves_all_else) {
  expect_kept({"--vcd", "/dev/full", "--timeline", "/dev/full", "--konata", "/dev/full"}, {"/dev/full: cannot write this file: No space"});
  expect_kept({"--dump", "shared:0:4:/dev/full"}, {"--dump shared:0:4:/dev/full", "No space"});
  expect_kept({"--dump", "shared:0:4:late@100000", "--dump", "shared:0:4:good"},
              {"--dump shared:0:4:late@100000: the run ended at cycle "});
  expect_kept({"--dump", "shared:0:4:late@9223372036854775808"}, {"the run ended at cycle "});
  EXPECT_FALSE(fs::exists(folder() / "late"));
  EXPECT_TRUE(fs::exists(folder() / "good"));
  expect_kept({"--dump", "subcore3.warp7.registers:0:4:f@20"}, {"no warp has been in this warp slot, before cycle 20"});
  expect_kept({"--dump", "cta0.shared:0:65536:f"}, {"the CTA's shared memory ends at "});
  EXPECT_FALSE(fs::exists(folder() / "f"));
  expect_kept({"--vcd", "run.vcd", "--window", "100000..200000"}, {"--window 100000..200000: nothing was recorded: the run had "});
}

// CTAs take the places of others while units of the sub-cores are due in the same edges: what one sends before the other must not depend on
// who listens.
TEST_F(run_recording, changes_no_cycle_where_ctas_follow_each_other) {
  const words gemm{"gemm", "--config", "hopper", "--set", "sms=1", "-m", "256", "-n", "192", "-k", "32", "--no-data"};
  const outcome plain = tcsim(gemm);
  EXPECT_EQ(plain.status, 0) << plain.err;
  EXPECT_EQ(tcsim(gemm + words{"--konata", "run.kanata", "--window", "0..100"}).out, plain.out);
}

TEST_F(run_recording, a_scope_leaves_out_the_rest_of_the_machine) {
  const std::string four_warps = (fs::path(TC_SOURCE_DIR) / "traces/sm_75.tiled_f16_f32/kernel.trace").string();
  const words files{"--vcd", "run.vcd", "--timeline", "run.trace.json", "--konata", "run.kanata"};
  EXPECT_EQ(tcsim(words{"run", four_warps, "--config", "turing", "--scope", "sm0.subcore1"} + files).status, 0);
  for (const char* const name : {"run.vcd", "run.trace.json", "run.kanata"}) {
    const std::string text = content_of(folder() / name);
    EXPECT_NE(text.find("sub_core_1"), std::string::npos) << name;
    EXPECT_EQ(text.find("sub_core_0"), std::string::npos) << name;
  }
}

TEST_F(run_recording, a_run_that_is_stuck_leaves_what_was_recorded) {
  const std::string trace = file("lonely.trace",
                                 "tcsim-trace 1\narch sm_75\nkernel lonely\ngrid 1 1 1\nblock 64 1 1\ncta 0 0 0\nwarp 0\n"
                                 "/*0000*/ BAR.SYNC 0x0\n/*0010*/ EXIT\n");
  const outcome result = tcsim({"run", trace, "--config", "turing", "--stats", "run.json", "--vcd", "run.vcd", "--timeline",
                                "run.trace.json", "--konata", "run.kanata", "--dump", "registers:0:128:r.bin"});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("stuck at cycle "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("no statistics were written, but what was recorded until then: r.bin, run.vcd, run.trace.json, run.kanata"),
            std::string::npos)
      << result.err;
  EXPECT_FALSE(fs::exists(folder() / "run.json"));
  for (const char* const name : {"run.vcd", "run.trace.json", "run.kanata", "r.bin"}) EXPECT_TRUE(fs::exists(folder() / name)) << name;
}

TEST_F(run_recording, a_limit_leaves_what_was_recorded) {
  const outcome result = run({"--max-cycles", "100", "--konata", "run.kanata", "--dump", "shared:0:4:s.bin@100"});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("--max-cycles 100 ended the run"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("recorded until then: s.bin, run.kanata"), std::string::npos) << result.err;
}

TEST_F(run_recording, kernels_that_are_made_are_recorded_too) {
  const words gemm{"gemm", "--config", "turing", "--size", "32"};
  const outcome made = tcsim(gemm + words{"--stats", "gemm.json", "--stats-interval", "100", "--konata", "gemm.kanata"});
  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_TRUE(statistics("gemm.json").contains("series"));
  EXPECT_TRUE(fs::exists(folder() / "gemm.kanata"));
  expect_refusal(gemm + words{"--csv", "table", "--vcd", "table"}, {"--vcd table: --csv writes this file"});
  expect_refusal(gemm + words{"--out", "gemm.trace", "--vcd", "run.vcd"}, {"--out", "nothing runs"});

  const words conv{"conv",     "--config", "blackwell", "--height", "4",          "--width", "4",
                   "--method", "shift",    "--filters", "16",       "--channels", "16"};
  const outcome shifted = tcsim(conv + words{"--timeline", "conv.json", "--dump", "tensor:0:2048:lane0.bin"});
  EXPECT_EQ(shifted.status, 0) << shifted.err;
  EXPECT_TRUE(fs::exists(folder() / "conv.json"));
  EXPECT_EQ(fs::file_size(folder() / "lane0.bin"), 2048U);
  expect_refusal(conv + words{"--show-steps", "--vcd", "run.vcd"}, {"--show-steps", "nothing runs"});
}

}  // namespace run_recording_test
