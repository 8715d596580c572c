// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "command_process.hpp"

namespace error_command_test {

// The command `tcsim error`: its table, its JSON, and what it refuses.

using namespace tcsim::test;

namespace json = boost::json;

class error_command : public command_test {
 protected:
  std::string errors(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "error");
    const auto result = tcsim(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return result.out;
  }
  json::value errors_json(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--format", "json", "--dots", "50", "--k", "64"});
    return json::parse(errors(std::move(arguments)));
  }
  /// The errors of one arithmetic in the first study.
  static json::object errors_of(const json::value& report, const std::string& arithmetic) {
    for (const auto& each : report.at("studies").at(0).at("errors").as_array())
      if (each.at("arithmetic").as_string() == arithmetic) return each.as_object();
    ADD_FAILURE() << arithmetic;
    return {};
  }
  static double mean_relative(const json::value& report, const std::string& arithmetic) {
    return errors_of(report, arithmetic).at("relative").at("mean").to_number<double>();
  }
};

TEST_F(error_command, text_compares_machines) {
  const std::string text = errors({"--config", "volta", "--config", "hopper", "--dots", "50", "--k", "16", "--k", "256"});
  EXPECT_EQ(text.substr(0, text.find('\n')), "f16 inputs, uniform: U[-1, 1); f32 results, 50 dot products of each length, seed 1");
  for (const char* const part : {"\n  K  ARITHMETIC           MAX ULP ", "\n 16  volta ", "\n 16  hopper ", "\n256  f32 FMA chain ",
                                 "\n256  exact, rounded once ", "Size of the errors for K = 256", "\n  ULP, FROM "})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST_F(error_command, json_has_everything) {
  const json::value report = errors_json({"--config", "hopper", "--distribution", "normal", "--seed", "7"});
  EXPECT_EQ(report.at("distribution").as_string(), "normal");
  EXPECT_EQ(report.at("formula").as_string(), "N(0, 1)");
  EXPECT_EQ(report.at("accumulator").as_string(), "f32");
  EXPECT_EQ(report.at("dots").to_number<int>(), 50);
  EXPECT_EQ(report.at("seed").to_number<int>(), 7);
  EXPECT_EQ(report.at("studies").at(0).at("input").as_string(), "f16");
  const json::object hopper = errors_of(report, "hopper");
  EXPECT_EQ(hopper.at("k").to_number<int>(), 64);
  for (const char* const measure : {"ulp", "relative"})
    for (const char* const key : {"max", "mean", "rms", "bias"}) EXPECT_TRUE(hopper.at(measure).at(key).is_double()) << measure << key;
  for (const char* const key : {"not_finite", "correctly_rounded", "within_one_ulp"}) EXPECT_LE(hopper.at(key).to_number<int>(), 50) << key;
  // Every result is exact, or in the histogram.
  std::int64_t results = hopper.at("exact").to_number<std::int64_t>();
  for (const auto& row : hopper.at("histogram").as_array()) results += row.at("count").to_number<std::int64_t>();
  EXPECT_EQ(results, 50);
}

TEST_F(error_command, integers_are_exact_everywhere) {
  const json::value report = errors_json({"--config", "volta", "--config", "blackwell", "--distribution", "integers"});
  for (const auto& each : report.at("studies").at(0).at("errors").as_array()) {
    EXPECT_EQ(each.at("exact").to_number<int>(), 50) << each;
    EXPECT_EQ(each.at("ulp").at("max").to_number<double>(), 0) << each;
    EXPECT_TRUE(each.at("histogram").as_array().empty()) << each;
  }
}

TEST_F(error_command, hopper_errs_less_than_volta_on_positive_numbers) {
  const json::value report = errors_json({"--config", "volta", "--config", "hopper", "--distribution", "positive"});
  EXPECT_LT(mean_relative(report, "hopper"), mean_relative(report, "volta") / 2);
}

TEST_F(error_command, f16_results_err_more) {
  const double f32 = mean_relative(errors_json({"--config", "ampere"}), "ampere");
  const double f16 = mean_relative(errors_json({"--config", "ampere", "--output", "f16"}), "ampere");
  EXPECT_GT(f16, 100 * f32);
}

TEST_F(error_command, settings_can_be_changed) {
  const std::string key = "sm.sub_core.tensor_core.arithmetic.f16.";
  const json::value narrow = errors_json({"--config", "hopper", "--set", key + "alignment_fraction_bits=12"});
  EXPECT_GT(mean_relative(narrow, "hopper"), 100 * mean_relative(errors_json({"--config", "hopper"}), "hopper"));
  // The chain of fused multiply-adds that the study shows beside the machines.
  const json::value chain =
      errors_json({"--config", "hopper", "--set", key + "summation=fma_chain", "--set", key + "f32_rounding=nearest_even"});
  EXPECT_EQ(errors_of(chain, "hopper").at("ulp"), errors_of(chain, "f32 FMA chain").at("ulp"));
}

TEST_F(error_command, operands_choose_the_datapath_of_8_bit_inputs) {
  const double from_registers = mean_relative(errors_json({"--config", "hopper", "--input", "e4m3"}), "hopper");
  const double from_shared = mean_relative(errors_json({"--config", "hopper", "--input", "e4m3", "--operands", "shared"}), "hopper");
  EXPECT_GT(from_shared, 100 * from_registers);
}

TEST_F(error_command, says_where_operands_are_and_whether_that_matters) {
  const auto place = [this](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--dots", "5", "--k", "16"});
    const std::string text = errors(arguments);
    const std::size_t begin = text.find('\n') + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_EQ(place({"--config", "hopper"}), "A and B in registers, as for mma.sync");
  EXPECT_EQ(place({"--config", "ada", "--input", "e4m3"}), "A and B in registers, as for mma.sync");
  EXPECT_EQ(place({"--config", "hopper", "--input", "e4m3"}),
            "A and B in registers, as for mma.sync; other arithmetic than in shared memory (--operands shared)");
  EXPECT_EQ(place({"--config", "hopper", "--input", "e5m2", "--operands", "shared"}),
            "A and B in shared memory, as for wgmma and tcgen05.mma; other arithmetic than in registers (--operands registers)");
}

TEST_F(error_command, warns_of_inputs_that_cannot_err) {
  const std::string narrow = errors({"--config", "hopper", "--input", "e4m3", "--dots", "20", "--k", "16", "--k", "64"});
  EXPECT_NE(narrow.find("warning: no error can be seen for K = 16, 64: "), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("--operands shared)."), std::string::npos) << narrow;
  const std::string integers = errors({"--config", "volta", "--distribution", "integers", "--dots", "20", "--k", "16"});
  EXPECT_NE(integers.find("warning: no error can be seen for K = 16: "), std::string::npos) << integers;
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--config", "hopper", "--input", "e4m3", "--operands", "shared"}, {"--config", "hopper"}}) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"--dots", "50", "--k", "64"});
    EXPECT_EQ(errors(all).find("warning"), std::string::npos);
  }
  const json::value report = errors_json({"--config", "hopper", "--input", "e4m3"});
  EXPECT_EQ(report.at("operands").as_string(), "registers");
  EXPECT_TRUE(report.at("studies").at(0).at("depends_on_operands").as_bool());
  EXPECT_EQ(report.at("studies").at(0).at("lengths_without_error"), json::array{64});
  EXPECT_EQ(errors_json({"--config", "volta"}).at("studies").at(0).at("lengths_without_error"), json::value(json::array{}));
}

TEST_F(error_command, all_are_the_inputs_that_there_are) {
  const auto inputs = [](const json::value& report) {
    std::set<std::string> names;
    for (const auto& study : report.at("studies").as_array()) names.emplace(study.at("input").as_string());
    return names;
  };
  EXPECT_EQ(inputs(errors_json({"--config", "volta", "--input", "all"})), (std::set<std::string>{"f16"}));
  EXPECT_EQ(inputs(errors_json({"--config", "ampere", "--input", "all"})), (std::set<std::string>{"f16", "bf16", "tf32"}));
  EXPECT_EQ(inputs(errors_json({"--config", "blackwell", "--input", "all"})),
            (std::set<std::string>{"f16", "bf16", "tf32", "e4m3", "e5m2", "e3m2", "e2m3", "e2m1"}));
  EXPECT_EQ(inputs(errors_json({"--config", "ampere", "--input", "all", "--output", "f16"})), (std::set<std::string>{"f16"}));
}

TEST_F(error_command, the_seed_decides) {
  const auto text = [this](const std::string& seed) { return errors({"--config", "volta", "--dots", "20", "--seed", seed, "--k", "64"}); };
  EXPECT_EQ(text("3"), text("3"));
  EXPECT_NE(text("3").substr(100), text("4").substr(100));
}

TEST_F(error_command, writes_a_file) {
  EXPECT_EQ(errors({"--config", "volta", "--dots", "5", "--k", "16", "--format", "json", "-o", "errors.json"}), "");
  EXPECT_EQ(json::parse(content_of(folder() / "errors.json")).at("dots").to_number<int>(), 5);
}

TEST_F(error_command, help_explains_distributions_and_columns) {
  const auto help = tcsim({"error", "--help"});
  EXPECT_EQ(help.status, 0);
  for (const char* const part :
       {"Usage: tcsim error", "lognormal   +-exp(N(0, 1))", "bias        mean signed error", "Example: tcsim error "})
    EXPECT_NE(help.out.find(part), std::string::npos) << part;
}

TEST_F(error_command, refuses_what_it_cannot_study) {
  expect_refusal({"error"}, {"--config"});
  expect_refusal({"error", "--config", "volta", "--input", "bf16"}, {"volta", "arithmetic.bf16.group_length is 0"});
  expect_refusal({"error", "--config", "ampere", "--input", "bf16", "--output", "f16"},
                 {"ampere", "no tensor core accumulates bf16 in f16"});
  expect_refusal({"error", "--config", "volta", "--input", "s8"}, {"--input", "s8", "f16"});
  expect_refusal({"error", "--config", "volta", "--distribution", "gauss"}, {"--distribution", "gauss", "normal"});
  expect_refusal({"error", "--config", "volta", "--k", "0"}, {"--k"});
  expect_refusal({"error", "--config", "volta", "--dots", "0"}, {"--dots"});
  expect_refusal({"error", "--config", "vulta"}, {"vulta", "did you mean \"volta\"?"});
  expect_refusal({"error", "--config", "volta", "-o", "none/errors.json"}, {"none/errors.json"});
}

}  // namespace error_command_test
