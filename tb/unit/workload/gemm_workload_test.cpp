// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "gemm_kernel.hpp"
#include "kernel_code_figures.hpp"
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

const std::vector<std::string> two_units{"sm.sub_core.tensor_core.dot_product_units=2"};

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

TEST_F(gemm_workload_test, makes_its_code_for_the_machine) {
  gemm_parameters product;
  product.size = 64;
  const auto code_for = [&](const kernel_target& target) {
    return code_json(make_gemm_kernel(product, tc::isa::architecture::sm_75, target)->trace());
  };
  const tc::config::machine base = machine_with("turing"), slow = machine_with("turing", two_units);
  EXPECT_EQ(code_for(base).at("nops_executed"), 0);
  EXPECT_EQ(code_for(slow).at("nops_executed"), 172);
  EXPECT_EQ(code_for(slow).at("nops"), 43) << "of four warps that go through them once";
  EXPECT_NE(code_for(slow).at("id"), code_for(base).at("id"));
  EXPECT_EQ(code_for({slow, base}), code_for(base)) << "made for another one";
}

TEST_F(gemm_workload_test, runs_code_that_was_made_for_another_machine) {
  const auto work = workload_from("gemm", R"({"size": 64})");
  work->make_code_for(std::make_shared<const tc::config::machine>(machine_with("turing")));
  const workload_outcome outcome = work->clone()->run(machine_with("turing", two_units));
  EXPECT_EQ(outcome.status, exit_status::done) << outcome.message;
  EXPECT_EQ(outcome.statistics.at("workload").at("code").at("nops_executed"), 0);
}

TEST_F(gemm_workload_test, of_another_machine_needs_room_on_the_one_that_runs_it) {
  const auto work = workload_from("gemm", R"({"size": 128, "precision": "f16", "instructions": "wgmma"})");
  const tc::config::machine small = machine_with("hopper", {"sm.shared_memory.bytes=66560"});
  EXPECT_NO_THROW(work->check(small)) << "with fewer stages";
  work->make_code_for(std::make_shared<const tc::config::machine>(machine_with("hopper")));
  EXPECT_NE(refusal_of(*work, small).find("cannot run the code that was made for another one"), std::string::npos);
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
