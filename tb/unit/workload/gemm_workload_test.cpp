// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "workload_maker.hpp"

namespace gemm_workload_test {

using namespace tcsim;
using namespace tcsim::test;

namespace {

class gemm_workload_test : public command_test {
 protected:
  /// A column of the table that `tcsim gemm --csv` writes for the same product.
  std::string by_hand(const workload& work, std::string_view preset, std::size_t column) const {
    EXPECT_EQ(run_by_hand(work, preset, folder(), {"--csv", "table.csv"}).status, 0);
    std::istringstream table(content_of(folder() / "table.csv"));
    std::string line, cell;
    std::getline(table, line);
    for (std::size_t i = 0; i <= column; ++i) std::getline(table, cell, ',');
    return cell;
  }
};

constexpr std::size_t instruction_column = 4, cycles_column = 6;

}  // namespace

TEST_F(gemm_workload_test, gives_what_the_command_gives) {
  const auto work = workload_from("gemm", R"({"m": 32, "n": 64, "k": 48, "precision": "f16", "single_buffer": true, "tile": "32x32x16",
                                              "warps": "1x2", "seed": 7, "architecture": "sm_80"})");
  const workload_outcome outcome = work->run(machine_with("ampere"));
  EXPECT_EQ(outcome.status, exit_status::done) << outcome.message;
  const boost::json::object& figures = outcome.statistics.at("workload").as_object();
  EXPECT_EQ(figures.at("kind"), "gemm");
  EXPECT_EQ(figures.at("mismatches"), 0) << "the product was compared";
  EXPECT_EQ(figures.at("multiply_accumulates"), 32 * 64 * 48);
  EXPECT_EQ(figures.at("matrix_instructions"), 2 * 8 * 3) << "m16n8k16";
  EXPECT_EQ(outcome.statistics.at("cycles"), figures.at("cycles"));
  EXPECT_FALSE(outcome.statistics.contains("host"));
  EXPECT_EQ(by_hand(*work, "ampere", cycles_column), boost::json::serialize(figures.at("cycles")));
  EXPECT_EQ(by_hand(*work, "ampere", instruction_column), figures.at("instruction").as_string());
  expect_read_back(*work);
}

TEST_F(gemm_workload_test, of_warpgroups_gives_what_the_command_gives_without_data) {
  const auto work =
      workload_from("gemm", R"({"m": 64, "n": 16, "k": 128, "precision": "e4m3", "instructions": "wgmma", "stages": 2, "data": false})");
  const workload_outcome outcome = work->run(machine_with("hopper"));
  EXPECT_EQ(outcome.status, exit_status::done) << outcome.message;
  const boost::json::object& figures = outcome.statistics.at("workload").as_object();
  EXPECT_FALSE(figures.contains("mismatches")) << "nothing was compared";
  EXPECT_EQ(figures.at("matrix_instructions"), 4 * 4) << "of the four warps of a warpgroup";
  EXPECT_EQ(by_hand(*work, "hopper", cycles_column), boost::json::serialize(figures.at("cycles")));
  expect_read_back(*work);
}

TEST_F(gemm_workload_test, what_a_machine_cannot_do_is_refused_before_it_runs) {
  EXPECT_NE(refusal_of(*workload_from("gemm", R"({"size": 100})"), machine_with("hopper")).find("k = 100"), std::string::npos);
  EXPECT_NE(refusal_of(*workload_from("gemm", R"({"size": 64, "precision": "s4"})"), machine_with("hopper")).find("sm_90"),
            std::string::npos);
  EXPECT_EQ(refusal_of(*workload_from("gemm", R"({"size": 64, "architecture": "sm_80"})"), machine_with("turing")),
            "architecture sm_80: turing runs sm_75");
  const workload_outcome outcome = workload_from("gemm", R"({"size": 64, "tile": "64x64x3"})")->run(machine_with("turing"));
  EXPECT_EQ(outcome.status, exit_status::bad_input);
  EXPECT_NE(outcome.message, "");
  EXPECT_TRUE(outcome.statistics.empty());
}

}  // namespace gemm_workload_test
