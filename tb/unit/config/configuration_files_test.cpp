// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <scratch_folder.hpp>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/config_error.hpp>
#include <tc/config/configuration_files.hpp>
#include <tc/config/presets.hpp>

namespace tc::config::configuration_files_test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> sources_of(const std::vector<json_document>& documents) {
  std::vector<std::string> sources;
  for (const json_document& document : documents) sources.push_back(document.source());
  return sources;
}

TEST(built_in_files, are_the_files_of_the_folder_configs) {
  const fs::path folder = fs::path(TC_SOURCE_DIR) / "configs";
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const built_in_file* const found = find_built_in(fs::relative(entry.path(), folder).string());
    ASSERT_NE(found, nullptr) << entry.path();
    EXPECT_EQ(found->text, json_document::read(entry.path())) << entry.path();
    EXPECT_EQ(find_built_in(entry.path().stem().string()), found) << "two files have this name";
  }
  EXPECT_EQ(files, built_in_files().size());
}

TEST(built_in_files, are_found_with_and_without_folder_and_suffix) {
  const built_in_file* const energy = find_built_in("energy_45nm");
  ASSERT_NE(energy, nullptr);
  EXPECT_EQ(kind_of(*energy), built_in_kind::energy);
  for (const char* const name : {"energy_45nm.json", "energy/energy_45nm", "energy/energy_45nm.json"})
    EXPECT_EQ(find_built_in(name), energy);
  for (const char* const name : {"sweeps/energy_45nm", "configs/energy/energy_45nm.json", "", ".json", "energy"})
    EXPECT_EQ(find_built_in(name), nullptr) << name;
}

TEST(built_in_files, have_a_kind) {
  EXPECT_EQ(built_in_names(built_in_kind::machine), preset_names());
  for (const built_in_kind kind :
       {built_in_kind::machine, built_in_kind::product, built_in_kind::variant, built_in_kind::energy, built_in_kind::sweep}) {
    const std::vector<std::string> names = built_in_names(kind);
    EXPECT_FALSE(names.empty());
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  }
}

class include : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
    return folder_.path() / name;
  }
  std::string error_of(const fs::path& file) const {
    try {
      load_with_includes(file);
    } catch (const config_error& error) {
      return error.what();
    }
    return "";
  }
  fs::path path(const std::string& name) const { return folder_.path() / name; }

 private:
  scratch_folder folder_;
};

TEST_F(include, finds_built_in_files_by_the_names_that_a_configuration_has) {
  for (const char* const name : {"ampere.json", "ampere"}) {
    const fs::path mine = write("mine.json", std::string(R"({"include": ")") + name + R"(", "clock_mhz": 1755})");
    EXPECT_EQ(sources_of(load_with_includes(mine)), (std::vector<std::string>{"built-in ampere.json", mine.string()}));
    const machine found = load_configuration(mine.string());
    EXPECT_EQ(found.clock_mhz, 1755);
    EXPECT_EQ(found.sm.max_warps, make_preset("ampere").sm.max_warps);
  }
}

TEST_F(include, finds_energies_behind_a_machine) {
  const fs::path priced = write("priced.json", R"({"include": ["turing.json", "energy_45nm.json"]})");
  EXPECT_TRUE(load_configuration(priced.string()).energy.has_value());
  EXPECT_TRUE(load_configuration("turing_45nm").energy.has_value());
}

TEST_F(include, takes_a_file_that_is_there_before_a_built_in_one) {
  write("ampere.json", R"({"clock_mhz": 1})");
  const fs::path mine = write("mine.json", R"({"include": "ampere.json"})");
  EXPECT_EQ(sources_of(load_with_includes(mine)), (std::vector<std::string>{path("ampere.json").string(), mine.string()}));
}

TEST_F(include, of_a_built_in_file_finds_built_in_files_alone) {
  EXPECT_EQ(sources_of(load_with_includes(*find_built_in("turing_45nm"))),
            (std::vector<std::string>{"built-in turing.json", "built-in energy/energy_45nm.json", "built-in variants/turing_45nm.json"}));
}

TEST_F(include, says_what_is_near_a_name_that_nothing_has) {
  const fs::path mine = write("mine.json", R"({"include": "ampare.json"})");
  EXPECT_EQ(error_of(mine), mine.string() + ":1:2: include: there is no file \"" + path("ampare.json").string() +
                                "\", nor a built-in configuration of the name \"ampare.json\"; did you mean \"ampere.json\"?");
}

TEST(configuration, is_no_table_of_energies_and_no_sweep) {
  EXPECT_NO_THROW(load_configuration("turing"));
  for (const char* const name : {"energy_45nm", "register_banks", "sweeps/register_banks.json"})
    EXPECT_THROW(load_configuration(name), unknown_configuration) << name;
}

}  // namespace
}  // namespace tc::config::configuration_files_test
