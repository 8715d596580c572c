// SPDX-License-Identifier: Apache-2.0
#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "command_process.hpp"

namespace jobs_test {

// SMs in processes of their own.

using namespace tcsim::test;

namespace {

using words = std::vector<std::string>;

class jobs : public command_test {
 protected:
  /// The report, and the statistics without what the host's time is in, of a run in so many processes.
  std::pair<std::string, boost::json::object> run(words arguments, unsigned processes) const {
    const std::string statistics = "stats" + std::to_string(processes) + ".json";
    const words more{"--set", "global_memory.hierarchy.enabled=false", "--jobs", std::to_string(processes), "--stats", statistics};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const outcome result = tcsim(arguments);
    EXPECT_LE(result.status, 1) << result.err;
    boost::json::object document = boost::json::parse(content_of(folder() / statistics)).as_object();
    document.erase("host");
    return {result.out, document};
  }

  void expect_same(const words& arguments, unsigned processes) const {
    const auto one = run(arguments, 1), several = run(arguments, processes);
    EXPECT_EQ(several.first, one.first);
    for (const auto& member : one.second) EXPECT_EQ(several.second.at(member.key()), member.value()) << member.key();
    EXPECT_EQ(several.second.size(), one.second.size());
  }

  const words product{"gemm", "--config", "hopper", "-m", "64", "-n", "320", "-k", "64"};
  const words flat{"--set", "global_memory.hierarchy.enabled=false"};

  words with(words arguments, const words& more) const {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

}  // namespace

TEST_F(jobs, give_the_result_of_one_process) { expect_same(product, 3); }

TEST_F(jobs, give_it_with_several_ctas_on_an_sm_and_more_processes_than_sms) { expect_same(with(product, {"--set", "sms=2"}), 5); }

TEST_F(jobs, leave_what_chance_does_as_it_is) { expect_same(with(product, {"--set", "jitter.seed=5"}), 3); }

TEST_F(jobs, give_it_of_warpgroups_and_without_data) {
  expect_same({"gemm", "--config", "hopper", "-m", "128", "-n", "64", "-k", "128", "--instructions", "wgmma", "--no-data"}, 2);
}

// Warps read registers too early, in the same cycle on all SMs, and what they compute is not as expected.
TEST_F(jobs, join_reports_of_the_same_instruction) {
  std::string text =
      "tcsim-trace 1\narch sm_75\nkernel early\ngrid 4 1 1\nblock 32 1 1\nmemory 0x1000 256 zero\nexpect 0x1000 256 fill 1\n";
  for (int cta = 0; cta < 4; ++cta)
    text += "cta " + std::to_string(cta) +
            " 0 0\nwarp 0\n/*0000*/ [B------:R-:W-:-:S01] MOV R4, 0x5\n"
            "/*0010*/ [B------:R-:W-:-:S01] IADD3 R5, R4, 0x1, RZ\n/*0020*/ [B------:R-:W-:-:S15] NOP\n"
            "/*0030*/ [B------:R-:W-:-:S15] STG.E.SYS [R2], R5 mask 00000001 @ " +
            std::to_string(0x1000 + 64 * cta) + "\n/*0040*/ [B------:R-:W-:-:S05] EXIT\n";
  expect_same({"run", file("early.trace", text), "--config", "turing"}, 4);
}

// Bytes of a result that hold what they held before, as expected, but were stored from registers without a value.
TEST_F(jobs, join_bytes_that_are_undefined) {
  std::string text = "tcsim-trace 1\narch sm_75\nkernel lucky\ngrid 3 1 1\nblock 32 1 1\nmemory 0x1000 192 zero\nexpect 0x1000 192 zero\n";
  for (int cta = 0; cta < 3; ++cta)
    text += "cta " + std::to_string(cta) + " 0 0\nwarp 0\n/*0000*/ STG.E.SYS [R2], R5 mask 00000015 @ " +
            std::to_string(0x1000 + 64 * cta) + "+4\n/*0010*/ EXIT\n";
  const words arguments{"run", file("lucky.trace", text), "--config", "turing"};
  expect_same(arguments, 3);
  EXPECT_EQ(run(arguments, 3).second.at("expect").at(0).at("undefined").to_number<int>(), 36);
}

TEST_F(jobs, are_refused_where_sms_are_coupled) {
  expect_refusal(with(product, {"--jobs", "2"}), {"--jobs 2", "global_memory.hierarchy.enabled=false"});
  const words flat_product = with(product, with(flat, {"--jobs", "2"}));
  expect_refusal(with(flat_product, {"--set", "sms=1", "--set", "sm.max_ctas=2"}), {"5 CTAs", "sms = 1 hold 2"});
  expect_refusal(with(flat_product, {"--precision", "mixed,bf16"}), {"one at a time"});
  expect_refusal(with(flat_product, {"--timeline", "t.json"}), {"--timeline", "--jobs 2"});
  expect_refusal(with(flat_product, {"--stats", "s.json", "--stats-interval", "100"}), {"--stats-interval", "--jobs 2"});
  expect_refusal(with(flat_product, {"--dump", "global:0x100000:16:d.bin"}), {"--dump", "--jobs 2"});
}

/// CTA 0 does one thing with global memory, CTA 1 another one.
std::string two_ctas(const std::string& first, const std::string& second) {
  return "tcsim-trace 1\narch sm_80\nkernel two\ngrid 2 1 1\nblock 32 1 1\nmemory 0x1000 256 zero\n"
         "cta 0 0 0\nwarp 0\nreg R4 0x1\nreg R5 0x0\n" +
         first + "/*0040*/ EXIT\ncta 1 0 0\nwarp 0\nreg R4 0x1\nreg R5 0x0\nreg R6 0x2\n" + second + "/*0040*/ EXIT\n";
}

TEST_F(jobs, find_ctas_that_read_what_others_write) {
  const words machine{"--config", "ampere", "--set", "global_memory.hierarchy.enabled=false", "--jobs", "2"};
  const auto run_two = [&](const std::string& first, const std::string& second) {
    return tcsim(with({"run", file("two.trace", two_ctas(first, second))}, machine));
  };
  const std::string store = "/*0000*/ STG.E [R2], R4 @ 0x1000+4\n";
  for (const auto& [first, second] : {std::pair<std::string, std::string>{store, "/*0000*/ LDG.E R8, [R2] mask 80000000 @ 0x107c\n"},
                                      {"/*0000*/ LDG.E R8, [R2] mask 80000000 @ 0x107c\n", store},
                                      {"/*0000*/ STG.E [R2], R5 @ 0x1000+4\n", "/*0000*/ LDG.E.U8 R8, [R2] mask 80000000 @ 0x107c\n"}}) {
    const outcome result = run_two(first, second);
    EXPECT_EQ(result.status, 2) << first << second;
    EXPECT_NE(result.err.find("a CTA reads 0x107c, to which a CTA of another SM writes: run them in one process, without --jobs"),
              std::string::npos)
        << result.err;
  }
  const outcome differing = run_two(store, "/*0000*/ STG.E [R2], R6 mask 00000002 @ 0x1004\n");
  EXPECT_EQ(differing.status, 2);
  EXPECT_NE(differing.err.find("CTAs of different SMs write different values to 0x1004"), std::string::npos) << differing.err;
  EXPECT_EQ(run_two(store, store).status, 0) << "the same values, whoever comes last";
  EXPECT_EQ(run_two(store, "/*0000*/ LDG.E R8, [R2] @ 0x1080+4\n").status, 0) << "other bytes";
}

TEST_F(jobs, are_refused_for_atomic_accesses_of_any_kind_to_global_memory) {
  for (const char* const atomic : {"RED.E.ADD.STRONG.GPU [R2.64], R4 @ 0x1000+4", "ATOM.E.ADD.STRONG.GPU PT, R8, [R2.64], R4 @ 0x1000+4"}) {
    const std::string line = std::string("/*0000*/ ") + atomic + "\n";
    expect_refusal(with({"run", file("atomic.trace", two_ctas(line, line)), "--config", "ampere", "--jobs", "2"}, flat),
                   {"--jobs 2", "CTAs exchange values through global memory"});
  }
}

// The machine stops in one of the processes only.
TEST_F(jobs, tell_what_goes_wrong_in_one_of_them) {
  std::string text = "tcsim-trace 1\narch sm_75\nkernel outside\ngrid 2 1 1\nblock 32 1 1\nmemory 0x1000 256 zero\n";
  text += "cta 0 0 0\nwarp 0\n/*0000*/ EXIT\n";
  text += "cta 1 0 0\nwarp 0\nreg R2 0x9000\nreg R3 0\n/*0000*/ LDG.E.SYS R4, [R2] @ 0x9000\n/*0010*/ EXIT\n";
  const words one{"run", file("outside.trace", text), "--config", "turing", "--set", "global_memory.hierarchy.enabled=false"};
  const outcome alone = tcsim(one), shared = tcsim(with(one, {"--jobs", "2"}));
  EXPECT_EQ(alone.status, 2);
  EXPECT_EQ(shared.status, 2);
  EXPECT_EQ(shared.err, alone.err);
}

}  // namespace jobs_test
