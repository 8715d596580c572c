// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <environment_variable.hpp>
#include <filesystem>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "command_process.hpp"

namespace run_command_test {

// What a run writes and how it ends.

using namespace tcsim::test;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

const std::string recorded = (fs::path(TC_SOURCE_DIR) / "traces/sm_75.micro_f16_f16_m16n16k16/kernel.trace").string();

json::object without_host(const std::string& statistics) {
  auto document = json::parse(statistics).as_object();
  EXPECT_EQ(document.erase("host"), 1u);
  return document;
}

}  // namespace

class run_command : public command_test {
 protected:
  json::object statistics_of(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all{"run", "--stats", "run.json"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const auto result = tcsim(all);
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    return without_host(content_of(folder() / "run.json"));
  }

  /// A trace that stores `value` and expects 5.
  std::string stores(const std::string& value) const {
    return file("stores" + value + ".trace",
                one_warp("sm_75", "memory 0x1000 4 zero\nexpect 0x1000 4 hex 05000000\n",
                         "reg R2 0x1000\nreg R3 0x0\nreg R8 " + value + "\n/*0000*/ STG.E.SYS [R2], R8 mask 00000001 @ 0x1000\n"));
  }
};

TEST_F(run_command, tells_a_newcomer_what_happened) {
  const auto result = tcsim({"run", recorded, "--config", "turing"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  for (const char* const part : {"exact: 512 bytes as expected", " cycles, ", "tensor cores", "% busy", "Where the warps spent their "})
    EXPECT_NE(result.out.find(part), std::string::npos) << part;
}

TEST_F(run_command, tells_how_busy_the_units_were_if_asked) {
  const auto brief = tcsim({"run", recorded, "--config", "turing"});
  EXPECT_EQ(brief.out.find("How busy"), std::string::npos);
  const auto result = tcsim({"run", recorded, "--config", "turing", "--units"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out.rfind(brief.out, 0), 0U) << "the same, and more";
  for (const char* const part :
       {"What became of the schedulers'", " issue slots", "How busy the units were", "% ", "  tensor", "while units were idle"})
    EXPECT_NE(result.out.find(part), std::string::npos) << part;
}

TEST_F(run_command, statistics_are_the_same_every_time) {
  EXPECT_EQ(tcsim({"run", recorded, "--config", "turing", "--stats", "a.json"}).status, 0);
  EXPECT_EQ(tcsim({"run", recorded, "--config", "turing", "--stats", "b.json"}).status, 0);
  const auto a = content_of(folder() / "a.json"), b = content_of(folder() / "b.json");
  EXPECT_EQ(json::serialize(without_host(a)), json::serialize(without_host(b)));
}

TEST_F(run_command, says_which_instructions_of_the_host_it_used) {
  const json::object best = statistics_of({recorded, "--config", "turing"});
  const ::environment_variable instruction_set("TCSIM_INSTRUCTION_SET", "portable");
  EXPECT_EQ(statistics_of({recorded, "--config", "turing"}), best);
  const json::object document = json::parse(content_of(folder() / "run.json")).as_object();
  EXPECT_EQ(document.at("host").at("instruction_set"), "portable");
}

TEST_F(run_command, statistics_have_the_keys_that_tools_read) {
  const auto statistics = statistics_of({recorded, "--config", "turing"});
  for (const char* const key : {"tcsim", "config", "trace", "cycles", "instructions", "expect", "clock_reads", "warps", "units", "stalls"})
    EXPECT_TRUE(statistics.contains(key)) << key;
  EXPECT_EQ(statistics.at("instructions").to_number<int>(), 37);
  EXPECT_EQ(statistics.at("config").at("name").as_string(), "turing");
  EXPECT_EQ(statistics.at("expect").at(0).at("mismatches").to_number<int>(), 0);
  EXPECT_EQ(statistics.at("clock_reads").as_array().size(), 2u);
}

TEST_F(run_command, statistics_replace_those_of_the_run_before) {
  file("run.json", "old");
  statistics_of({recorded, "--config", "turing"});
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 1) << "a temporary file was left";
}

TEST_F(run_command, every_cycle_of_a_warp_has_one_cause) {
  const auto statistics = statistics_of({recorded, "--config", "turing"});
  const auto& warp = statistics.at("warps").at(0);
  std::int64_t stalled = 0;
  for (const auto& cause : statistics.at("stalls").as_object()) stalled += cause.value().to_number<std::int64_t>();
  EXPECT_EQ(warp.at("instructions").to_number<std::int64_t>() + stalled, warp.at("last_issue").to_number<std::int64_t>() + 1);
}

TEST_F(run_command, a_wrong_result_is_status_1) {
  EXPECT_EQ(tcsim({"run", stores("0x5"), "--config", "turing"}).status, 0);
  const auto result = tcsim({"run", stores("0x4"), "--config", "turing"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.out.find("WRONG: 1 of 4 bytes differ; the first is 0x04 at 0x1000, expected 0x05"), std::string::npos) << result.out;
}

TEST_F(run_command, an_address_that_the_registers_do_not_make_is_status_1) {
  const auto trace = [&](const std::string& offset) {
    return file("pointer.trace", one_warp("sm_75", "memory 0x1000 128 zero\nexpect 0x1000 128 zero\n",
                                          "reg R2 0x1000\nreg R3 0x0\n/*0000*/ IADD3 R4, R2, " + offset +
                                              ", RZ\n/*0010*/ MOV R5, RZ\n/*0020*/ STG.E.SYS [R4], RZ mask 00000004 @ 0x1010\n"
                                              "/*0030*/ LDG.E.SYS R6, [R8] @ 0x1000+4\n"));
  };
  const auto right = tcsim({"run", trace("0x10"), "--config", "turing"});
  EXPECT_EQ(right.status, 0);
  EXPECT_NE(right.out.find("addresses     1 compared, 32 unknown\n"), std::string::npos) << right.out;
  const auto wrong = tcsim({"run", trace("0x14"), "--config", "turing", "--stats", "run.json"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.out.find("WRONG: 1 of 1 address is not what the registers make; bytes: exact"), std::string::npos) << wrong.out;
  EXPECT_NE(wrong.out.find("pointer.trace:14: warp 0 of CTA 0 at /*0020*/ STG.E.SYS [R4], RZ: the registers of lane 2 make 0x1014, the "
                           "trace has 0x1010"),
            std::string::npos)
      << wrong.out;
  const json::value statistics = json::parse(content_of(folder() / "run.json"));
  EXPECT_EQ(statistics.at("addresses").at("different").to_number<int>(), 1);
  EXPECT_EQ(statistics.at("addresses").at("unknown").to_number<int>(), 32);
  EXPECT_EQ(statistics.at("wrong_addresses").at(0).at("computed").as_string(), "0x1014");
  EXPECT_EQ(statistics.at("wrong_addresses").at(0).at("traced").as_string(), "0x1010");
}

TEST_F(run_command, a_sabotaged_pointer_of_a_compiled_kernel_is_found) {
  const fs::path kernel = fs::path(TC_SOURCE_DIR) / "traces" / "sm_75.tiled_f16_f32";
  for (const char* const name : {"a.bin", "b.bin", "d.bin"}) fs::copy_file(kernel / name, folder() / name);
  const std::string text = content_of(kernel / "kernel.trace");
  const auto run = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at != std::string::npos) changed.replace(at, from.size(), to);
    return tcsim({"run", file("changed.trace", changed), "--config", "turing"});
  };
  const auto whole = run("IADD3", "IADD3");
  EXPECT_EQ(whole.status, 0);
  EXPECT_NE(whole.out.find("addresses     8192 compared, 0 unknown\n"), std::string::npos) << whole.out;
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"IADD3 R62, R67, 0x200", "IADD3 R62, R67, 0x240"},
        {"IADD3 R64, R66, 0x200", "IADD3 R64, R66, 0x220"},
        {"IADD3 R4, P1, P2, R52.reuse, c[0x0][0x160], R41.reuse", "IADD3 R4, P1, P2, R52.reuse, c[0x0][0x160], RZ"}}) {
    const auto sabotaged = run(from, to);
    EXPECT_EQ(sabotaged.status, 1) << to;
    EXPECT_NE(sabotaged.out.find("addresses that their registers do not make"), std::string::npos) << to << sabotaged.out;
    EXPECT_NE(sabotaged.out.find("16384 bytes as expected"), std::string::npos) << "its addresses are those of the trace";
  }
}

TEST_F(run_command, without_data_nothing_is_compared) {
  const auto wrong = stores("0x4");
  const auto with_data = statistics_of({stores("0x5"), "--config", "turing"});
  const auto timing = statistics_of({wrong, "--config", "turing", "--no-data"});
  EXPECT_EQ(timing.at("cycles"), with_data.at("cycles"));
}

TEST_F(run_command, undefined_values_are_warnings) {
  const auto trace = file("undefined.trace", one_warp("sm_75", "memory 0x1000 4 zero\n",
                                                      "reg R2 0x1000\nreg R3 0x0\n/*0000*/ STG.E.SYS [R2], R8 mask 00000001 @ 0x1000\n"));
  const auto relaxed = tcsim({"run", trace, "--config", "turing"});
  EXPECT_EQ(relaxed.status, 0);
  EXPECT_NE(relaxed.out.find("1 warning:\n  undefined.trace:11: "), std::string::npos) << relaxed.out;
  EXPECT_EQ(tcsim({"run", trace, "--config", "turing", "--strict"}).status, 1);
}

TEST_F(run_command, a_result_that_the_model_did_not_compute_is_not_exact) {
  const std::string undefined = "/*0010*/ STG.E.SYS [R2], R8 mask 00ffffff @ 0x1000+4\n",
                    defined = "/*0020*/ STG.E.SYS [R2], R4 @ 0x1000+4\n";
  const auto trace = [&](const std::string& body) {
    return file("lucky.trace", one_warp("sm_75", "memory 0x1000 128 zero\nexpect 0x1000 128 zero\n", "reg R4 0x0\n" + body));
  };
  const auto lucky = tcsim({"run", trace(defined + undefined), "--config", "turing", "--stats", "run.json"});
  EXPECT_EQ(lucky.status, 0);
  EXPECT_EQ(lucky.out.find("exact"), std::string::npos) << lucky.out;
  EXPECT_NE(lucky.out.find("as expected, but 96 of 128 bytes are undefined: they hold what the model did not compute"), std::string::npos)
      << lucky.out;
  const json::value statistics = json::parse(content_of(folder() / "run.json"));
  EXPECT_EQ(statistics.at("expect").at(0).at("mismatches").to_number<int>(), 0);
  EXPECT_EQ(statistics.at("expect").at(0).at("undefined").to_number<int>(), 96);
  EXPECT_EQ(tcsim({"run", trace(defined + undefined), "--config", "turing", "--strict"}).status, 1);
  const auto overwritten = tcsim({"run", trace(undefined + defined), "--config", "turing"});
  EXPECT_NE(overwritten.out.find("exact: 128 bytes as expected"), std::string::npos) << overwritten.out;
}

TEST_F(run_command, registers_read_too_early_are_warnings) {
  const auto trace = file("early.trace", one_warp("sm_75", "",
                                                  "reg R8 0x1\n/*0000*/ [B------:R-:W-:-:S01] IADD3 R8, R8, R8, RZ\n"
                                                  "/*0010*/ [B------:R-:W-:-:S01] IADD3 R8, R8, R8, RZ\n"));
  const auto silicon = tcsim({"run", trace, "--config", "turing", "--strict"});
  EXPECT_EQ(silicon.status, 1);
  EXPECT_NE(silicon.out.find("early.trace:10: "), std::string::npos) << silicon.out;
  EXPECT_EQ(tcsim({"run", trace, "--config", "turing", "--strict", "--set", "sm.sub_core.issue.hazards=interlock"}).status, 0);
  EXPECT_EQ(tcsim({"run", trace, "--config", "turing", "--strict", "--set", "global_memory.latency_cycles=500"}).status, 0)
      << "a changed timing must switch the scoreboard on";
}

TEST_F(run_command, several_traces_are_kernels_that_share_memory) {
  const auto statistics = statistics_of({stores("0x5"), recorded, "--config", "turing"});
  ASSERT_EQ(statistics.at("kernels").as_array().size(), 2u);
  EXPECT_EQ(statistics.at("kernels").at(1).at("kernel").as_string(), "micro_f16_f16_m16n16k16");
}

TEST_F(run_command, fewer_units_take_longer_and_compute_the_same) {
  const auto cycles = [&](const std::string& units) {
    return statistics_of({recorded, "--config", "turing", "--set", "sm.sub_core.tensor_core.dot_product_units=" + units})
        .at("cycles")
        .to_number<std::int64_t>();
  };
  EXPECT_LT(cycles("4"), cycles("2"));
  EXPECT_LT(cycles("2"), cycles("1"));
}

TEST_F(run_command, a_barrier_that_nobody_completes_is_status_3) {
  const auto trace = file("lonely.trace",
                          "tcsim-trace 1\narch sm_75\nkernel lonely\ngrid 1 1 1\nblock 64 1 1\ncta 0 0 0\nwarp 0\n"
                          "/*0000*/ BAR.SYNC 0x0\n/*0010*/ EXIT\n");
  const auto result = tcsim({"run", trace, "--config", "turing", "--stats", "run.json"});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.out, "");
  for (const char* const part : {"stuck at cycle ", "warp 0 of CTA 0", "waits (BAR.SYNC: for other warps of the CTA)", "missing: warps 1"})
    EXPECT_NE(result.err.find(part), std::string::npos) << part << " is not in: " << result.err;
  EXPECT_FALSE(fs::exists(folder() / "run.json"));
}

TEST_F(run_command, a_cycle_limit_is_status_3) {
  const auto result = tcsim({"run", recorded, "--config", "turing", "--max-cycles", "100", "--stats", "run.json"});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("--max-cycles 100 ended the run; the last cycle in which anything happened is "), std::string::npos)
      << result.err;
  EXPECT_FALSE(fs::exists(folder() / "run.json"));
}

TEST_F(run_command, hopper_reads_the_clock_as_an_h200_did) {
  const auto trace = fs::path(TC_SOURCE_DIR) / "traces/sm_90.mma_sync_m16n8k16_f32_f16/kernel.trace.xz";
  const auto statistics = statistics_of({trace.string(), "--config", "hopper"});
  const auto& reads = statistics.at("clock_reads").as_array();
  ASSERT_EQ(reads.size(), 8u);
  std::int64_t shortest = 1 << 30;
  for (std::size_t r = 0; r < 4; ++r)
    shortest =
        std::min(shortest, reads[2 * r + 1].at("cycle").to_number<std::int64_t>() - reads[2 * r].at("cycle").to_number<std::int64_t>());
  EXPECT_EQ(shortest, 448);
}

}  // namespace run_command_test
