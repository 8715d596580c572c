// SPDX-License-Identifier: Apache-2.0
#include "workload_maker.hpp"

namespace study_workloads_test {

// Studies of a machine's arithmetic, which simulate nothing.

using namespace tcsim;
using namespace tcsim::test;

namespace {

const std::string alignment_key = "sm.sub_core.tensor_core.arithmetic.f16.alignment_fraction_bits";

class study_workloads : public command_test {
 protected:
  std::unique_ptr<workload> replay_of(const std::string& parameters) const { return workload_from("replay", parameters, folder()); }
  void record(const std::string& file, const std::string& operation) const {
    EXPECT_EQ(tcsim({"replay", "--record", file, "--operation", operation, "--config", "hopper", "--cases", "14"}).status, 0);
  }
};

boost::json::object figures_of(const workload_outcome& outcome) { return outcome.statistics.at("workload").as_object(); }

}  // namespace

TEST_F(study_workloads, error_gives_what_the_command_gives) {
  const auto work = workload_from("error", R"({"input": "e4m3", "operands": "shared", "k": 96, "distribution": "normal", "dots": 50,
                                               "seed": 3})");
  const workload_outcome outcome = work->run(machine_with("hopper"));
  EXPECT_EQ(outcome.status, exit_status::done) << outcome.message;
  const boost::json::object figures = boost::json::parse(boost::json::serialize(figures_of(outcome))).as_object();
  EXPECT_EQ(figures.at("outputs"), 50);
  const auto by_hand = run_by_hand(*work, "hopper", folder(), {"--format", "json"});
  EXPECT_EQ(by_hand.status, 0) << by_hand.err;
  boost::json::object expected = boost::json::parse(by_hand.out).at("studies").at(0).at("errors").at(0).as_object();
  for (const char* const more : {"k", "arithmetic", "histogram"}) expected.erase(more);
  EXPECT_EQ(figures.at("errors"), expected);
  EXPECT_GT(figures.at("errors").at("ulp").at("max").to_number<double>(), 0);
  expect_read_back(*work);
}

TEST_F(study_workloads, error_needs_a_datapath_and_known_names) {
  EXPECT_NE(refusal_of(*workload_from("error", R"({"input": "e4m3"})"), machine_with("volta")).find("volta: "), std::string::npos);
  EXPECT_NE(refusal_of(*workload_from("error", R"({"input": "bf16", "output": "f16"})"), machine_with("ampere")).find("bf16 in f16"),
            std::string::npos);
  EXPECT_NE(refusal_of(*workload_from("error", R"({"distribution": "norm"})"), machine_with("volta")).find("did you mean \"normal\""),
            std::string::npos);
  EXPECT_NE(refusal_of(*workload_from("error", R"({"k": 0})"), machine_with("volta")).find("k: must be positive"), std::string::npos);
}

TEST_F(study_workloads, replay_counts_mismatches_and_measures_errors) {
  record("a.bin", "m16n8k16.f32.f16.f16.f32");
  record("b.dot.xz", "m16n8k16.f32.bf16.bf16.f32");
  const auto work = replay_of(R"({"files": ["a.bin", "b.dot.xz"]})");
  EXPECT_NO_THROW(work->check(machine_with("hopper")));
  const workload_outcome same = work->run(machine_with("hopper"));
  EXPECT_EQ(same.status, exit_status::done) << same.message;
  EXPECT_EQ(figures_of(same).at("outputs"), 14 * 16 * 8 + 14);
  EXPECT_EQ(figures_of(same).at("mismatches"), 0);
  EXPECT_EQ(run_by_hand(*work, "hopper", "/").status, 0);

  const workload_outcome narrow = work->run(machine_with("hopper", {alignment_key + "=13"}));
  EXPECT_EQ(narrow.status, exit_status::check_failed);
  EXPECT_NE(narrow.message.find("a.bin: "), std::string::npos) << narrow.message;
  EXPECT_GT(figures_of(narrow).at("mismatches").to_number<int>(), 0);
  const auto mean = [](const workload_outcome& of) { return figures_of(of).at("errors").at("relative").at("mean").to_number<double>(); };
  EXPECT_GT(mean(narrow), 4 * mean(same)) << "fewer bits of the products are added";
  expect_read_back(*work);
}

TEST_F(study_workloads, replay_measures_no_errors_where_there_are_none_or_nobody_asks) {
  record("a.bin", "m16n8k32.s32.s8.s8.s32");
  record("b.bin", "m16n8k16.f32.f16.f16.f32");
  EXPECT_FALSE(figures_of(replay_of(R"({"files": ["a.bin"]})")->run(machine_with("hopper"))).contains("errors"));
  EXPECT_FALSE(figures_of(replay_of(R"({"files": ["b.bin"], "errors": false})")->run(machine_with("hopper"))).contains("errors"));
}

TEST_F(study_workloads, replay_refuses_what_a_machine_does_not_have_and_files_that_are_none) {
  record("a.bin", "m16n8k16.f32.bf16.bf16.f32");
  EXPECT_NE(refusal_of(*replay_of(R"({"files": ["a.bin"]})"), machine_with("volta")).find("a.bin: m16n8k16.f32.bf16.bf16.f32 on volta"),
            std::string::npos);
  file("wrong.bin", "nonsense\n");
  EXPECT_NE(refusal_of(*replay_of(R"({"files": ["wrong.bin"]})"), machine_with("volta")).find("wrong.bin: header"), std::string::npos);
  EXPECT_EQ(replay_of(R"({"files": ["missing.bin"]})")->run(machine_with("volta")).status, exit_status::bad_input);
  const std::string code = replay_of(R"({"files": ["a.bin"]})")->content_code();
  file("a.bin", content_of(folder() / "a.bin") + "more");
  EXPECT_NE(replay_of(R"({"files": ["a.bin"]})")->content_code(), code);
}

}  // namespace study_workloads_test
