// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "command_process.hpp"

namespace jitter_test {

// Runs that only chance sets apart.

using namespace tcsim::test;

namespace {

using words = std::vector<std::string>;

class jitter : public command_test {
 protected:
  outcome run(words arguments, const words& more) const {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tcsim(arguments);
  }

  boost::json::object statistics(const words& arguments, const words& more) const {
    words all = more;
    all.insert(all.end(), {"--stats", "stats.json"});
    const outcome result = run(arguments, all);
    EXPECT_EQ(result.status, 0) << result.err;
    boost::json::object document = boost::json::parse(content_of(folder() / "stats.json")).as_object();
    document.erase("host");
    return document;
  }

  const words product{"gemm", "--config", "ada", "--size", "128", "--set", "sms=1"};
};

std::vector<std::uint64_t> cycles_of(const boost::json::object& statistics) {
  return boost::json::value_to<std::vector<std::uint64_t>>(statistics.at("jitter").at("kernels").at(0).at("cycles"));
}

}  // namespace

TEST_F(jitter, repeats_a_run_that_differs_by_chance_alone) {
  const auto several = statistics(product, {"--jitter", "5"});
  const auto cycles = cycles_of(several);
  ASSERT_EQ(cycles.size(), 5U);
  EXPECT_GT(std::set<std::uint64_t>(cycles.begin(), cycles.end()).size(), 1U);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const auto alone = statistics(product, {"--set", "jitter.seed=" + std::to_string(seed)});
    EXPECT_EQ(alone.at("cycles").to_number<std::uint64_t>(), cycles[seed - 1]) << "seed " << seed;
  }
}

TEST_F(jitter, begins_with_the_seed_of_the_machine) {
  const auto from_one = cycles_of(statistics(product, {"--jitter", "5"}));
  const auto from_three = statistics(product, {"--jitter", "3", "--set", "jitter.seed=3"});
  EXPECT_EQ(cycles_of(from_three), std::vector<std::uint64_t>(from_one.begin() + 2, from_one.end()));
  EXPECT_EQ(from_three.at("jitter").at("seeds"), boost::json::value({3, 4, 5}));
  EXPECT_EQ(from_three.at("cycles").to_number<std::uint64_t>(), from_one[2]);
}

TEST_F(jitter, tells_the_plain_run_as_without_it) {
  const outcome alone = run(product, {}), several = run(product, {"--jitter", "3"});
  EXPECT_EQ(several.out.compare(0, alone.out.size(), alone.out), 0) << several.out;
  EXPECT_NE(several.out.find("Cycles of 3 runs varied by chance (--jitter, seeds 1 to 3)"), std::string::npos) << several.out;
  auto with = statistics(product, {"--jitter", "3"});
  with.erase("jitter");
  EXPECT_EQ(boost::json::value(with), boost::json::value(statistics(product, {})));
}

TEST_F(jitter, gives_the_same_however_many_runs_go_on_at_a_time) {
  EXPECT_EQ(cycles_of(statistics(product, {"--jitter", "4", "--jobs", "3"})), cycles_of(statistics(product, {"--jitter", "4"})));
}

TEST_F(jitter, says_where_the_cycles_of_each_kernel_lie) {
  const auto summary = statistics({"gemm", "--config", "turing", "--size", "64,128", "--set", "sms=1", "--no-data"}, {"--jitter", "5"});
  const auto& kernels = summary.at("jitter").at("kernels").as_array();
  ASSERT_EQ(kernels.size(), 2U);
  for (const auto& kernel : kernels) {
    auto cycles = boost::json::value_to<std::vector<std::uint64_t>>(kernel.at("cycles"));
    std::sort(cycles.begin(), cycles.end());
    EXPECT_EQ(kernel.at("least").to_number<std::uint64_t>(), cycles[0]);
    EXPECT_EQ(kernel.at("lower_quartile").to_number<std::uint64_t>(), cycles[1]);
    EXPECT_EQ(kernel.at("median").to_number<std::uint64_t>(), cycles[2]);
    EXPECT_EQ(kernel.at("upper_quartile").to_number<std::uint64_t>(), cycles[3]);
    EXPECT_EQ(kernel.at("most").to_number<std::uint64_t>(), cycles[4]);
  }
}

TEST_F(jitter, changes_no_value) {
  for (const char* const machine : {"volta", "turing", "ampere", "hopper"}) {
    const outcome result = tcsim({"gemm", "--config", machine, "--size", "64", "--jitter", "4"});
    EXPECT_EQ(result.status, 0) << machine << result.err;
    EXPECT_NE(result.out.find("exact"), std::string::npos) << machine;
  }
  EXPECT_EQ(tcsim({"gemm", "--config", "hopper", "--size", "128", "--instructions", "wgmma", "--jitter", "3"}).status, 0);
  EXPECT_EQ(tcsim({"conv", "--config", "blackwell", "--height", "8", "--width", "8", "--channels", "16", "--filters", "16",
                   "--filter-height", "3", "--filter-width", "3", "--padding", "1", "--jitter", "3"})
                .status,
            0);
}

// The second warp stores where the first one reads, without a barrier: whatever comes out, some run differs from what is expected.
TEST_F(jitter, says_which_runs_have_other_values) {
  const std::string head = "tcsim-trace 1\narch sm_75\nkernel race\ngrid 1 1 1\nblock 64 1 1\nmemory 0x1000 256 zero\n";
  const std::string warps =
      "cta 0 0 0\nwarp 0\nreg R2 0x1000\nreg R3 0\nreg R5 1\n"
      "/*0000*/ [B------:R-:W-:-:S15] STG.E.SYS [R2], R5 mask 00000001 @ 0x1000\n/*0010*/ [B------:R-:W-:-:S05] EXIT\n"
      "warp 1\nreg R2 0x1000\nreg R3 0\nreg R5 2\n"
      "/*0000*/ [B------:R-:W-:-:S15] STG.E.SYS [R2], R5 mask 00000001 @ 0x1000\n/*0010*/ [B------:R-:W-:-:S05] EXIT\n";
  const std::string one = file("one.trace", head + "expect 0x1000 1 fill 1\n" + warps),
                    two = file("two.trace", head + "expect 0x1000 1 fill 2\n" + warps);
  const outcome first = tcsim({"run", one, "--config", "turing", "--jitter", "20"});
  const outcome second = tcsim({"run", two, "--config", "turing", "--jitter", "20"});
  EXPECT_EQ(first.status, 1);
  EXPECT_EQ(second.status, 1);
  EXPECT_NE((first.err + second.err).find("1 byte is not as expected; --set jitter.seed="), std::string::npos) << first.err << second.err;
}

TEST_F(jitter, says_how_often_each_limit_is_the_first) {
  const auto several = statistics(product, {"--jitter", "4"});
  unsigned runs = 0;
  for (const auto& each : several.at("jitter").at("limits").as_array()) runs += each.at("runs").to_number<unsigned>();
  EXPECT_EQ(runs, 4U);
  const std::string out = run(product, {"--jitter", "4"}).out;
  EXPECT_NE(out.find("  What limits most: "), std::string::npos) << out;
  EXPECT_NE(out.find(" of 4 runs"), std::string::npos) << out;
}

TEST_F(jitter, tells_differences_within_chance_from_real_ones) {
  const words flat{"gemm",  "--config", "ada",      "--size", "128",   "--no-data",
                   "--set", "sms=1",    "--jitter", "5",      "--set", "global_memory.hierarchy.enabled=false"};
  ASSERT_EQ(run(flat, {"--set", "global_memory.latency_cycles=300", "--stats", "a.json"}).status, 0);
  ASSERT_EQ(run(flat, {"--set", "global_memory.latency_cycles=301", "--stats", "b.json"}).status, 0);
  ASSERT_EQ(run(flat, {"--set", "global_memory.latency_cycles=900", "--stats", "c.json"}).status, 0);
  const outcome noise = tcsim({"diff", "a.json", "b.json", "--exit-code"}),
                effect = tcsim({"diff", "a.json", "c.json", "--json", "d.json", "--exit-code"});
  EXPECT_NE(noise.out.find("within chance (p = "), std::string::npos) << noise.out;
  EXPECT_EQ(noise.status, 0) << "the medians differ by no more than chance makes";
  EXPECT_NE(effect.out.find("real (p = 0.0079)"), std::string::npos) << effect.out;
  EXPECT_EQ(effect.status, 1);
  EXPECT_LT(effect.out.find("median and extent"), effect.out.find("Of one run each")) << "medians lead: " << effect.out;
  EXPECT_EQ(effect.out.find("jitter"), std::string::npos) << "which is compared: " << effect.out;
  const auto written = boost::json::parse(content_of(folder() / "d.json"));
  EXPECT_EQ(written.at("kernels").at(0).at("verdict"), "real");
  EXPECT_EQ(written.at("beyond_chance"), true);
}

TEST_F(jitter, says_when_runs_are_too_few_to_tell_or_single) {
  ASSERT_EQ(run(product, {"--jitter", "3", "--stats", "a.json"}).status, 0);
  ASSERT_EQ(run(product, {"--jitter", "3", "--set", "jitter.seed=8", "--stats", "b.json"}).status, 0);
  ASSERT_EQ(run(product, {"--set", "sm.sub_core.tensor_core.dot_product_units=1", "--stats", "c.json"}).status, 0);
  ASSERT_EQ(run(product, {"--stats", "d.json"}).status, 0);
  const std::string few = tcsim({"diff", "a.json", "b.json"}).out, one_sided = tcsim({"diff", "a.json", "c.json"}).out,
                    single = tcsim({"diff", "c.json", "d.json"}).out;
  EXPECT_NE(few.find("too few runs to tell (4 of each are needed)"), std::string::npos) << few;
  EXPECT_NE(one_sided.find("Only A has runs varied by chance"), std::string::npos) << one_sided;
  EXPECT_NE(single.find("Each is a single run"), std::string::npos) << single;
}

TEST_F(jitter, says_which_runs_a_limit_of_cycles_ended) {
  const auto seeds = statistics({"run", "sm_75.tiled_f16_f32", "--config", "turing"}, {"--jitter", "6"});
  const auto cycles = cycles_of(seeds);
  const std::uint64_t longest = *std::max_element(cycles.begin(), cycles.end());
  const outcome cut = run({"run", "sm_75.tiled_f16_f32", "--config", "turing", "--jitter", "6"},
                          {"--max-cycles", std::to_string(longest), "--stats", "cut.json"});
  EXPECT_EQ(cut.status, 3) << cut.err;
  EXPECT_NE(cut.err.find(": --max-cycles ended it\n"), std::string::npos) << cut.err;
  EXPECT_NE(cut.err.find(" of 6 runs varied by chance did not end: what is printed and written is of the others"), std::string::npos)
      << cut.err;
  const auto jitter = boost::json::parse(content_of(folder() / "cut.json")).at("jitter");
  EXPECT_EQ(jitter.at("stopped").as_array().size() + jitter.at("seeds").as_array().size(), 6U);
}

TEST_F(jitter, is_refused_where_nothing_runs) {
  expect_refusal({"gemm", "--config", "turing", "--size", "64", "--out", "k.trace", "--jitter", "3"}, {"--out", "--jitter"});
  expect_refusal({"conv", "--config", "blackwell", "--height", "8", "--width", "8", "--channels", "16", "--filters", "16", "--show-steps",
                  "--jitter", "3"},
                 {"--show-steps", "--jitter"});
  expect_refusal({"gemm", "--config", "turing", "--size", "64", "--jitter", "0"}, {"--jitter"});
}

TEST_F(jitter, is_refused_where_nothing_varies_and_behind_the_last_seed) {
  expect_refusal({"gemm", "--config", "turing", "--size", "64", "--jitter", "3", "--set", "jitter.start_cycles=0", "--set",
                  "jitter.latency_cycles=0", "--set", "jitter.ties=false"},
                 {"--jitter 3", "nothing varies"});
  expect_refusal({"gemm", "--config", "turing", "--size", "64", "--jitter", "3", "--set", "jitter.seed=18446744073709551614"},
                 {"--jitter 3", "do not suffice"});
}

}  // namespace jitter_test
