// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/machine_loader.hpp>
#include <tc/config/parameter_list.hpp>
#include <tc/config/parameter_writer.hpp>
#include <tc/config/presets.hpp>

namespace presets_test {

namespace fs = std::filesystem;
using tc::config::machine;
using tc::config::to_text;

namespace {

const fs::path configurations = fs::path(TC_SOURCE_DIR) / "configs";

machine preset_with(const std::string& name, const std::string& assignment) {
  return tc::config::make_machine(tc::config::load_preset(name), {assignment});
}

/// Paths of the parameters that a configuration file does not set.
std::vector<std::string> left_out(const std::string& name) {
  const auto document = tc::config::json_document::load(configurations / (name + ".json"));
  std::vector<std::string> paths;
  for (const auto& row : tc::config::list_parameters<machine>())
    if (document.position_of(row.path).line == 0) paths.push_back(row.path);
  return paths;
}

}  // namespace

TEST(presets, are_the_files_of_the_folder_configs) {
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(configurations))
    if (entry.path().extension() == ".json") files.insert(entry.path().stem());
  const auto names = tc::config::preset_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()), files);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

TEST(presets, have_a_note_for_every_parameter) { EXPECT_EQ(tc::config::check_notes<machine>(), std::vector<std::string>{}); }

/// Paths of what a machine says not to have, products and the energy of events; their other settings may be left out. What chance does is
/// not the machine's.
std::vector<std::string> absent_settings(const std::string& name) {
  const machine preset = tc::config::make_preset(name);
  const auto& arithmetic = preset.sm.sub_core.tensor_core.arithmetic;
  const std::pair<const char*, const tc::config::dot_product_arithmetic&> products[] = {
      {"f16", arithmetic.f16},       {"bf16", arithmetic.bf16},           {"tf32", arithmetic.tf32},
      {"f8f6f4", arithmetic.f8f6f4}, {"f8_by_f16", arithmetic.f8_by_f16}, {"mxf8f6f4", arithmetic.mxf8f6f4},
      {"mxf4", arithmetic.mxf4}};
  std::vector<std::string> paths{"jitter"};
  for (const auto& [key, settings] : products)
    if (!settings.is_there()) paths.push_back(std::string("sm.sub_core.tensor_core.arithmetic.") + key + '.');
  if (!preset.energy) paths.emplace_back("energy.");
  return paths;
}

TEST(presets, show_the_whole_machine) {
  for (const char* const name : {"volta", "turing", "ampere", "ada", "hopper", "blackwell"}) {
    const auto absent = absent_settings(name);
    for (const auto& path : left_out(name)) {
      EXPECT_TRUE(std::any_of(absent.begin(), absent.end(), [&](const auto& settings) { return path.find(settings) == 0; }))
          << name << ": " << path;
    }
  }
}

TEST(presets, have_control_codes_that_fit_unless_a_latency_or_an_architecture_is_of_others) {
  EXPECT_TRUE(tc::config::control_codes_fit(preset_with("turing", "sms=1")));
  EXPECT_FALSE(tc::config::control_codes_fit(preset_with("turing", "sm.sub_core.pipes.fp64.latency_cycles=77")));
  EXPECT_FALSE(tc::config::control_codes_fit(preset_with("turing", R"(architectures=["sm_75","sm_80"])")));
}

TEST(presets, without_timing_changes_keep_their_timing) {
  for (const char* const assignment :
       {"clock_mhz=100", "sms=1", R"(architectures=["sm_86"])", "energy.register_read=1", "sm.sub_core.issue.hazards=interlock",
        "global_memory.peak.dram_gb_per_second=3350", "global_memory.peak.l2_bytes_per_cycle=null", "jitter.seed=3",
        "sm.sub_core.tensor_core.arithmetic.f16.alignment_fraction_bits=16"})
    EXPECT_TRUE(tc::config::has_preset_timing(preset_with("hopper", assignment))) << assignment;
}

TEST(presets, with_timing_changes_have_a_timing_of_their_own) {
  for (const char* const assignment : {"name=mine", "global_memory.latency_cycles=1", "sm.sub_core.tensor_core.dot_product_units=8",
                                       "sm.sub_core.reuse_cache.enabled=false", "sm.sub_core.pipes.fp32.opcode_latency_cycles[FFMA]=9",
                                       "sm.shared_memory.wavefront_cycles=2"})
    EXPECT_FALSE(tc::config::has_preset_timing(preset_with("hopper", assignment))) << assignment;
}

TEST(presets, refuse_operands_that_are_taken_before_their_instruction_issues) {
  EXPECT_NO_THROW(preset_with("hopper", "sm.sub_core.tensor_core.operand_lead_cycles=5"));
  try {
    preset_with("hopper", "sm.sub_core.tensor_core.operand_lead_cycles=6");
    ADD_FAILURE() << "a matrix instruction would read before it issues, and wait for ever";
  } catch (const tc::config::config_error& error) {
    EXPECT_NE(std::string(error.what()).find("operand_lead_cycles: must be less than operand_fetch.issue_to_dispatch_cycles, 6"),
              std::string::npos)
        << error.what();
  }
}

TEST(presets, refuse_a_part_without_bandwidth) {
  for (const char* const key : {"global_memory.peak.dram_gb_per_second", "global_memory.peak.l2_bytes_per_cycle"}) {
    try {
      preset_with("hopper", std::string(key) + "=0");
      ADD_FAILURE() << key;
    } catch (const tc::config::config_error& error) {
      EXPECT_NE(std::string(error.what()).find(std::string(key) + ": must be above 0, or null: not known"), std::string::npos)
          << error.what();
    }
  }
}

TEST(presets, know_the_bandwidth_of_the_dram_of_each_product) {
  const std::map<std::string, double> published{{"v100", 900},  {"t4", 320},   {"quadro_rtx_6000", 672}, {"rtx_2080_ti", 616},
                                                {"a100", 2039}, {"l40s", 864}, {"rtx_4090", 1008},       {"h100", 3350},
                                                {"h200", 4800}, {"b200", 8000}};
  for (const std::string& product : tc::config::product_names())
    EXPECT_EQ(tc::config::load_configuration(product).global_memory.peak.dram_gb_per_second, published.at(product)) << product;
}

TEST(presets, differ_where_their_machines_do) {
  EXPECT_EQ(tc::config::make_preset("turing").sm.sub_core.tensor_core.f32_accumulate_divider, 1u);
  EXPECT_EQ(tc::config::make_preset("turing_geforce").sm.sub_core.tensor_core.f32_accumulate_divider, 2u);
  EXPECT_EQ(tc::config::make_preset("turing").sm.sub_core.operand_fetch.collector_units, 0u);
  EXPECT_EQ(tc::config::make_preset("collectors").sm.sub_core.operand_fetch.collector_units, 2u);
  EXPECT_EQ(tc::config::make_preset("collectors").global_memory.latency_cycles,
            tc::config::make_preset("turing").global_memory.latency_cycles);
}

TEST(presets, and_files_are_found_by_name) {
  EXPECT_EQ(tc::config::load_configuration("hopper", {"sms=7"}).sms, 7u);
  EXPECT_EQ(tc::config::load_configuration("hopper.json", {}, configurations).name, "hopper");
  try {
    tc::config::load_configuration("hoper");
    ADD_FAILURE() << "no such configuration";
  } catch (const tc::config::unknown_configuration& error) {
    EXPECT_EQ(std::string(error.what()).find("hoper: there is no such file"), 0u) << error.what();
    EXPECT_NE(std::string(error.what()).find("did you mean \"hopper\"?"), std::string::npos) << error.what();
  }
}

class preset : public testing::TestWithParam<std::string> {};

TEST_P(preset, is_its_file) {
  const auto from_file = tc::config::load_machine(configurations / (GetParam() + ".json"));
  EXPECT_EQ(to_text(from_file), to_text(tc::config::make_preset(GetParam())));
  EXPECT_EQ(from_file.name, GetParam());
}

TEST_P(preset, loads_back_unchanged_from_its_effective_values) {
  const auto values = to_text(tc::config::make_preset(GetParam()));
  const auto again = tc::config::make_machine({tc::config::json_document::parse(values, "effective values")});
  EXPECT_EQ(to_text(again), values);
}

TEST_P(preset, has_its_own_timing) { EXPECT_TRUE(tc::config::has_preset_timing(tc::config::make_preset(GetParam()))); }

INSTANTIATE_TEST_SUITE_P(of, preset, testing::ValuesIn(tc::config::preset_names()), [](const auto& parameter) { return parameter.param; });

}  // namespace presets_test
