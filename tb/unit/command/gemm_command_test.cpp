// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "command_process.hpp"

namespace gemm_command_test {

// Kernels of matrix products, made and run.

using namespace tcsim::test;

namespace {

/// Occurrences of a word.
std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

class gemm_command : public command_test {
 protected:
  /// Runs and demands `kernels` exact products, and no warning.
  void expect_exact(std::vector<std::string> arguments, std::size_t kernels) const {
    arguments.insert(arguments.begin(), "gemm");
    const outcome result = tcsim(arguments);
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.err, "") << "a register is read too early, or undefined";
    EXPECT_EQ(count(result.out, "  exact\n"), kernels) << result.out;
    EXPECT_EQ(result.out.find("warning"), std::string::npos) << result.out;
  }

  /// Cycles by "size precision", from the table that a run writes as comma-separated values.
  std::map<std::string, double> cycles_of(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"gemm", "--csv", "table.csv"});
    EXPECT_EQ(tcsim(arguments).status, 0);
    std::istringstream table(content_of(folder() / "table.csv"));
    std::map<std::string, double> cycles;
    std::string line;
    std::getline(table, line);
    while (std::getline(table, line)) {
      std::vector<std::string> cells;
      std::istringstream row(line);
      for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
      cycles[cells.at(0) + " " + cells.at(3)] = std::stod(cells.at(6));
    }
    return cycles;
  }
};

}  // namespace

TEST_F(gemm_command, rows_of_a_table_are_those_of_each_product_alone) {
  for (const char* const machine : {"volta", "hopper"}) {
    const auto with = [&](const std::string& sizes) {
      return cycles_of({"--config", machine, "--size", sizes, "--no-data", "--set", "sms=1"});
    };
    std::map<std::string, double> alone = with("64");
    alone.merge(with("96"));
    EXPECT_EQ(with("64,96"), alone) << machine;
    EXPECT_EQ(with("96,64"), alone) << machine;
  }
}

// Control codes alone separate dependent instructions here: a stall that is too short makes a wrong product.
TEST_F(gemm_command, volta_is_exact) { expect_exact({"--config", "volta", "--size", "32", "--precision", "mixed,f16"}, 2); }
TEST_F(gemm_command, turing_is_exact) {
  expect_exact({"--config", "turing", "-m", "32", "-n", "64", "-k", "128", "--precision", "mixed,f16,s8,u8,s4,u4,b1"}, 7);
}
TEST_F(gemm_command, takes_the_same_cycles_without_data_where_shared_memory_is_narrow) {
  const std::vector<std::string> product{"--config", "hopper", "--instructions", "wgmma", "--size",
                                         "64",       "--set",  "sms=1",          "--set", "sm.shared_memory.banks=16"};
  std::vector<std::string> without_data = product;
  without_data.emplace_back("--no-data");
  EXPECT_EQ(cycles_of(without_data), cycles_of(product));
}
TEST_F(gemm_command, turing_with_slow_f32_sums_is_exact) {
  expect_exact({"--config", "turing_geforce", "--size", "64", "--precision", "mixed"}, 1);
}
TEST_F(gemm_command, ampere_is_exact) {
  expect_exact({"--config", "ampere", "-m", "32", "-n", "64", "-k", "128", "--precision", "mixed,f16,bf16,tf32,s8,u8,s4,u4,b1,b1.and"}, 10);
}
TEST_F(gemm_command, knows_an_architecture_by_its_name_with_a_letter) {
  expect_exact({"--config", "hopper", "--set", "architectures=[\"sm_90a\"]", "--size", "32", "--precision", "mixed"}, 1);
  expect_exact({"--config", "hopper", "--arch", "sm_90a", "--size", "32", "--precision", "mixed"}, 1);
}

TEST_F(gemm_command, ada_is_exact) {
  expect_exact({"--config", "ada", "-m", "32", "-n", "32", "-k", "128", "--precision", "mixed,s8,s4,e4m3,e5m2,e4m3.f16"}, 6);
}
TEST_F(gemm_command, hopper_is_exact) {
  expect_exact({"--config", "hopper", "-m", "32", "-n", "64", "-k", "256", "--precision", "mixed,f16,bf16,tf32,s8,u8,b1.and"}, 7);
}

TEST_F(gemm_command, every_tiling_is_exact) {
  expect_exact({"--config", "turing", "--size", "64", "--single-buffer"}, 1);
  expect_exact({"--config", "turing", "-m", "32", "-n", "32", "-k", "40", "--tile", "32x32x8", "--warps", "1x2"}, 1);  // odd counts of all
  expect_exact({"--config", "ampere", "-m", "16", "-n", "8", "-k", "16"}, 1);  // a single instruction
  expect_exact({"--config", "hopper", "-m", "128", "-n", "64", "-k", "96", "--tile", "128x64x32", "--warps", "4x2"}, 1);
}

// k does not fill the last tile: the copies put zeros behind it.
TEST_F(gemm_command, warpgroup_instructions_are_exact) {
  expect_exact({"--config", "hopper", "--instructions", "wgmma", "-m", "128", "-n", "64", "-k", "336", "--precision",
                "mixed,f16,bf16,tf32,e4m3,e4m3.f16,e5m2,s8,u8"},
               9);
}
TEST_F(gemm_command, warpgroup_instructions_are_exact_with_any_number_of_stages) {
  expect_exact({"--config", "hopper", "--instructions", "wgmma", "-m", "64", "-n", "16", "-k", "320", "--stages", "1"}, 1);
  expect_exact(
      {"--config", "hopper", "--instructions", "wgmma", "-m", "256", "-n", "80", "-k", "512", "--tile", "64x40x64", "--stages", "2"}, 1);
}

TEST_F(gemm_command, a_machine_with_other_timing_is_exact) {
  expect_exact({"--config", "turing", "--size", "32", "--set", "sm.sub_core.tensor_core.dot_product_units=1"}, 1);
}

TEST_F(gemm_command, more_units_and_a_second_buffer_save_cycles) {
  const std::vector<std::string> base{"--config", "turing", "-m", "64", "-n", "64", "-k", "256"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), base.begin(), base.end());
    return cycles_of(more).at("64 mixed");
  };
  const double cycles = with({});
  EXPECT_LT(cycles, with({"--single-buffer"}));
  EXPECT_LT(cycles, with({"--set", "sm.sub_core.tensor_core.dot_product_units=1"}));
}

TEST_F(gemm_command, a_written_trace_runs_as_the_kernel_did_with_control_codes_and_without) {
  const std::vector<std::string> problem{"gemm", "--config", "turing", "--size", "32", "--precision", "f16"};
  std::vector<std::string> writing = problem;
  writing.insert(writing.end(), {"--out", "kernel.trace"});
  const outcome written = tcsim(writing), made = tcsim(problem);
  EXPECT_EQ(written.status, 0);
  EXPECT_EQ(written.out, "");
  const outcome run = tcsim({"run", "--strict", "kernel.trace", "--config", "turing"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(made.out.substr(made.out.find("\n\n") + 2), run.out);

  file("plain.trace", std::regex_replace(content_of(folder() / "kernel.trace"), std::regex(" \\[B[^\\]]*\\]"), ""));
  const outcome plain = tcsim({"run", "--strict", "plain.trace", "--config", "turing"});
  EXPECT_EQ(plain.status, 0) << plain.out << plain.err;
  EXPECT_NE(plain.out.find("exact: 2048 bytes"), std::string::npos) << plain.out;
}

// The order of the precisions that a Turing GPU with slow f32 sums is known for (Shin, Yonsei University, 2020), and longer times for
// larger matrices.
TEST_F(gemm_command, fewer_bits_take_fewer_cycles_and_larger_matrices_more) {
  const auto cycles = cycles_of({"--config", "turing_geforce", "--size", "128", "--precision", "mixed,f16,s8,s4,b1", "--no-data"});
  const std::vector<std::string> order{"mixed", "f16", "s8", "s4", "b1"};
  for (std::size_t i = 0; i + 1 < order.size(); ++i) EXPECT_GT(cycles.at("128 " + order[i]), cycles.at("128 " + order[i + 1])) << order[i];

  const auto larger = cycles_of({"--config", "turing_geforce", "--size", "256", "--precision", "s8,s4,b1", "--no-data"});
  for (const std::string precision : {"s8", "s4", "b1"})
    EXPECT_GT(larger.at("256 " + precision), cycles.at("128 " + precision)) << precision;
}

TEST_F(gemm_command, tells_what_draws_more_from_dram_than_the_part_can) {
  const std::vector<std::string> product{"gemm", "--config", "hopper", "--size", "64", "--no-data"};
  const auto with = [&product](std::vector<std::string> more) {
    more.insert(more.begin(), product.begin(), product.end());
    return more;
  };
  const outcome plain = tcsim(product);
  EXPECT_EQ(plain.out.find("beyond the model"), std::string::npos) << plain.out;
  const outcome slow = tcsim(with({"--set", "global_memory.peak.dram_gb_per_second=1", "--stats", "run.json"}));
  EXPECT_EQ(slow.status, 0) << "it is no warning";
  std::smatch told;
  const std::regex line(
      "\nbeyond the model  implies [0-9.]+ GB/s from DRAM, ([0-9.]+) times the 1.0 GB/s of the part: "
      "16.4 kB take at least 29983 cycles\n");
  ASSERT_TRUE(std::regex_search(slow.out, told, line)) << slow.out;
  EXPECT_NE(slow.out.find(fmt::format("; beyond the model, {} times\n", told[1].str())), std::string::npos) << "the row of the table";
  EXPECT_NE(content_of(folder() / "run.json").find("\"least_cycles\": 29983"), std::string::npos);

  const outcome two =
      tcsim({"gemm", "--config", "hopper", "--size", "64,128", "--no-data", "--set", "global_memory.peak.dram_gb_per_second=1"});
  EXPECT_EQ(count(two.out, "; beyond the model, "), 2U) << two.out;
  EXPECT_EQ(count(two.out, "  gemm_mixed_64x64x64 implies "), 1U) << two.out;
  EXPECT_EQ(count(two.out, "  gemm_mixed_128x128x128 implies "), 1U) << two.out;
}

TEST_F(gemm_command, what_cannot_be_computed_is_refused) {
  expect_refusal({"gemm", "--config", "hopper", "--size", "100"}, {"k = 100", "104 would be"});
  expect_refusal({"gemm", "--config", "hopper", "--size", "64", "--precision", "s4"}, {"sm_90", "f16, mixed"});
  expect_refusal({"gemm", "--config", "hopper", "--size", "64", "--precision", "fp12"}, {"fp12", "mixed"});
  expect_refusal({"gemm", "--config", "blackwell", "--size", "64"},
                 {"sm_100", "kernels for sm_70, sm_75, sm_80, sm_86, sm_89, sm_90, sm_120\n"});
  expect_refusal({"gemm", "--config", "turing", "--size", "64", "--arch", "sm_80"}, {"sm_80", "sm_75"});
  expect_refusal({"gemm", "--config", "turing", "--size", "64", "--tile", "64x64"}, {"64x64", "64x64x32"});
  expect_refusal({"gemm", "--config", "ampere", "--size", "64", "--instructions", "wgmma"}, {"sm_80", "sm_90"});
  expect_refusal({"gemm", "--config", "hopper", "--size", "64", "--instructions", "wgmma", "--warps", "2x2"}, {"--warps", "--stages"});
  expect_refusal({"gemm", "--config", "hopper", "--size", "64", "--stages", "2"}, {"--stages", "wgmma"});
  expect_refusal({"gemm", "--config", "hopper", "--size", "64", "--instructions", "wgmma", "--stages", "0"}, {"--stages", "1 to 1024"});
  expect_refusal({"gemm", "--config", "hopper", "--size", "64", "--precision", "e4m3"}, {"sm_90", "e4m3", "wgmma multiplies it"});
  expect_refusal({"gemm", "--config", "turing"}, {"--size"});
  expect_refusal({"gemm", "--config", "turing", "-m", "64"}, {"all three"});
  expect_refusal({"gemm", "--config", "turing", "--size", "64,128", "--out", "x.trace"}, {"x.trace", "one kernel"});
  expect_refusal({"gemm", "--config", "turing", "--size", "64", "--out", "nowhere/x.trace"}, {"nowhere/x.trace"});
}

TEST_F(gemm_command, runs_code_that_was_made_for_the_unchanged_configuration) {
  const std::string units = "sm.sub_core.tensor_core.dot_product_units=";
  const auto nops = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"gemm", "--config", "turing", "--size", "64", "--out", "gemm.trace"});
    EXPECT_EQ(tcsim(more).status, 0);
    return count(content_of(folder() / "gemm.trace"), "] NOP");
  };
  EXPECT_EQ(nops({}), 0U);
  EXPECT_EQ(nops({"--set", units + "2"}), 172U);
  EXPECT_EQ(nops({"--set", units + "2", "--fixed-code"}), 0U);
  EXPECT_EQ(nops({"--set", units + "4", "--fixed-code", "--code-set", units + "2"}), 172U);
  expect_refusal({"gemm", "--config", "turing", "--size", "64", "--code-set", units + "2"}, {"--fixed-code"});
}

}  // namespace gemm_command_test
