// SPDX-License-Identifier: Apache-2.0
#include <ostream>
#include <set>
#include <sstream>
#include <study/probe_sets.hpp>
#include <tuple>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <tc/config/presets.hpp>
#include <tc/study/probe.hpp>

#include "command_process.hpp"
#include "probe_targets.hpp"

namespace probe_command_test {

using namespace tcsim::test;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

using probe_command = command_test;

TEST_F(probe_command, prints_a_table_beside_the_v100_studies) {
  const auto probed = tcsim({"probe", "--config", "volta", "--input", "f16", "--output", "f32"});
  EXPECT_EQ(probed.status, 0) << probed.err;
  EXPECT_EQ(probed.err, "");
  EXPECT_TRUE(contains(probed.out, "f16 x f16 + f32, k = 64\n"));
  EXPECT_TRUE(contains(probed.out, "V100: FASI 2021"));
  EXPECT_TRUE(contains(probed.out, "2^30 - 2^30 + 2^n: survives for n >= 7"));
  std::istringstream lines(probed.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 140u) << line;
}

TEST_F(probe_command, sees_a_changed_machine) {
  const std::string arithmetic = "sm.sub_core.tensor_core.arithmetic.f16.";
  const auto probed = tcsim({"probe", "--config", "hopper", "--input", "f16", "--output", "f32", "--format", "json", "--set",
                             arithmetic + "alignment_fraction_bits=16", "--set", arithmetic + "group_length=6"});
  ASSERT_EQ(probed.status, 0) << probed.err;
  const auto document = boost::json::parse(probed.out);
  const auto& unit = document.at("units").at(0);
  EXPECT_TRUE(unit.at("explained").as_bool());
  const auto answer_to = [&](const char* key) {
    for (const auto& answer : unit.at("answers").as_array())
      if (answer.at("key") == key) return std::string(answer.at("answer").as_string());
    return std::string();
  };
  EXPECT_EQ(answer_to("alignment_fraction_bits"), "16");
  EXPECT_EQ(answer_to("group_length"), "6");
}

TEST_F(probe_command, says_of_integers_what_they_do_beyond_32_bits) {
  const auto probed = tcsim({"probe", "--config", "turing", "--input", "s8"});
  EXPECT_EQ(probed.status, 0) << probed.err;
  EXPECT_TRUE(contains(probed.out, "wraps modulo 2^32"));
  EXPECT_TRUE(contains(probed.out, "saturates"));
}

TEST_F(probe_command, writes_a_file) {
  const auto probed = tcsim({"probe", "--config", "turing", "--input", "b1", "-o", "found.txt"});
  EXPECT_EQ(probed.status, 0) << probed.err;
  EXPECT_EQ(probed.out, "");
  EXPECT_TRUE(contains(content_of(folder() / "found.txt"), ".xor.popc"));
}

TEST_F(probe_command, refuses_what_the_machine_does_not_have) {
  expect_refusal({"probe", "--config", "volta", "--input", "bf16"}, {"bf16"});
  expect_refusal({"probe", "--config", "volta", "--input", "f17"}, {"f17"});
  expect_refusal({"probe"}, {"--config"});
}

TEST_F(probe_command, explains_itself) {
  const auto help = tcsim({"probe", "--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_TRUE(contains(help.out, "Example: tcsim probe "));
  for (const auto& name : tcsim::probe_inputs()) EXPECT_TRUE(contains(help.out, name)) << name;
}

/// Sums that are exact in nearly all dot products show what they are after thousands of them, which takes long without optimisation.
bool is_nearly_exact(const tc::numerics::dot_product& unit) {
  return unit.parameters().multiply_as_f16 && unit.types().a.exponent_bits < 4;
}

/// The units of a preset for one kind of inputs, and one format of results or all of them.
struct probed_inputs {
  const char *preset, *input, *output = "all";
};

void PrintTo(const probed_inputs& inputs, std::ostream* out) { *out << inputs.preset << ' ' << inputs.input << ' ' << inputs.output; }

std::vector<tcsim::probe_target> targets_of(const std::string& preset, const std::string& input, const std::string& output = "all") {
  return tcsim::probe_targets(tc::config::make_preset(preset).sm.sub_core.tensor_core, input, output);
}

/// Every floating-point datapath of the presets, once.
constexpr probed_inputs all_datapaths[] = {
    {"volta", "f16"},          {"turing", "f16"},         {"ampere", "bf16"},       {"ampere", "tf32"},        {"ampere", "f64"},
    {"ada", "e4m3"},           {"ada", "e5m2"},           {"ada", "e3m2"},          {"ada", "e2m3"},           {"ada", "e2m1"},
    {"hopper", "f16"},         {"hopper", "bf16"},        {"hopper", "tf32"},       {"hopper", "e4m3", "f32"}, {"hopper", "e4m3", "f16"},
    {"hopper", "e5m2", "f32"}, {"hopper", "e5m2", "f16"}, {"hopper", "e3m2"},       {"hopper", "e2m3"},        {"hopper", "e2m1"},
    {"blackwell", "e4m3"},     {"blackwell", "e5m2"},     {"blackwell", "e3m2"},    {"blackwell", "e2m3"},     {"blackwell", "e2m1"},
    {"blackwell", "mxf8f6f4"}, {"blackwell", "mxf4"},     {"blackwell", "mxf4nvf4"}};

class probed_datapath : public testing::TestWithParam<probed_inputs> {};

TEST_P(probed_datapath, is_found_as_configured) {
  for (const auto& target : targets_of(GetParam().preset, GetParam().input, GetParam().output)) {
    tc::study::probe_effort effort;
    effort.k = tc::study::test::telling_length(target.unit);
    effort.experiments_a_length = 100;
    effort.checks = 1000;
    if (is_nearly_exact(target.unit)) {
#ifndef __OPTIMIZE__
      continue;
#endif
      effort.k = target.k;
      effort.checks = 12000;
    }
    const auto findings = tc::study::probe_datapath(tc::study::modelled_unit(target.unit), effort);
    EXPECT_EQ(tc::study::test::mistakes(findings, target.unit), "") << target.label;
  }
}

INSTANTIATE_TEST_SUITE_P(of, probed_datapath, testing::ValuesIn(all_datapaths), [](const auto& inputs) {
  return std::string(inputs.param.preset) + "_" + inputs.param.input + "_" + inputs.param.output;
});

TEST(probed_datapaths, are_those_of_every_preset) {
  const auto described = [](const tc::numerics::dot_product& unit) {
    const auto& types = unit.types();
    const auto& p = unit.parameters();
    return std::tuple(types.a.name, types.b.name, types.accumulator.name, types.scaling ? types.scaling->format.name : "", p.order,
                      p.group_length, p.products_per_term, p.alignment_fraction_bits, p.alignment_floor, p.addend, p.multiply_as_f16,
                      p.output_rounding.mode, p.output_rounding.kept_fraction_bits, p.flush_subnormals, p.align_to_zeros);
  };
  std::set<decltype(described(targets_of("volta", "f16").front().unit))> probed;
  for (const auto& [preset, input, output] : all_datapaths)
    for (const auto& target : targets_of(preset, input, output)) probed.insert(described(target.unit));
  for (const std::string& preset : tc::config::preset_names()) {
    for (const auto& target : targets_of(preset, "all")) {
      const bool is_probed = !target.unit.types().a.is_floating_point() || probed.count(described(target.unit)) == 1;
      EXPECT_TRUE(is_probed) << preset << ": " << target.label;
    }
  }
}

}  // namespace probe_command_test
