// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "command_process.hpp"

namespace energy_test {

// The energy of runs by configs/energy/energy_45nm.json, as users include it.

using namespace tcsim::test;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

const fs::path configurations = fs::path(TC_SOURCE_DIR) / "configs";
const std::string tiled = (fs::path(TC_SOURCE_DIR) / "traces/sm_75.tiled_f16_f32/kernel.trace").string();

}  // namespace

class energy : public command_test {
 protected:
  /// A machine with energies.
  std::string priced(const std::string& preset) const {
    return file(preset + "_priced.json", R"({"include": [")" + (configurations / (preset + ".json")).string() + R"(", ")" +
                                             (configurations / "energy/energy_45nm.json").string() + "\"]}");
  }

  json::object energy_of(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"run", "--stats", "run.json"});
    const auto result = tcsim(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    return json::parse(content_of(folder() / "run.json")).at("energy").as_object();
  }

  /// The energy of a trace, which must not depend on values.
  json::object energy_of_timing(const std::string& trace, const std::string& machine) const {
    const json::object with_data = energy_of({trace, "--config", machine});
    EXPECT_EQ(json::serialize(energy_of({trace, "--config", machine, "--no-data"})), json::serialize(with_data));
    return with_data;
  }
};

TEST_F(energy, is_printed_and_written_if_the_machine_has_it) {
  const auto without = tcsim({"run", tiled, "--config", "turing", "--stats", "run.json"});
  EXPECT_EQ(without.out.find("nJ"), std::string::npos);
  EXPECT_FALSE(json::parse(content_of(folder() / "run.json")).as_object().contains("energy"));
  const auto result = tcsim({"run", tiled, "--config", priced("turing")});
  EXPECT_EQ(result.status, 0);
  const auto line = result.out.find("\nenergy");
  ASSERT_NE(line, std::string::npos) << result.out;
  const std::string text = result.out.substr(line, result.out.find('\n', line + 1) - line);
  for (const char* const part : {" nJ: ", " % register_read, ", " % multiply_accumulate"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_F(energy, of_matrix_instructions_on_registers_does_not_depend_on_values) {
  const json::object found = energy_of_timing(tiled, priced("turing"));
  for (const char* const event : {"instruction", "register_read", "register_write", "reuse_hit", "a_fill_byte", "b_fill_byte",
                                  "accumulator_fill_byte", "multiply_accumulate", "shared_memory_byte", "global_memory_byte"})
    EXPECT_GT(found.at("by_event").at(event).as_double(), 0) << event;
}

TEST_F(energy, of_a_warpgroup_does_not_depend_on_values) {
  ASSERT_EQ(tcsim({"gemm", "--size", "64", "--instructions", "wgmma", "--config", "hopper", "-o", "wgmma.trace"}).status, 0);
  const json::object found = energy_of_timing("wgmma.trace", priced("hopper"));
  EXPECT_GT(found.at("by_event").at("dram_byte").as_double(), 0);
  EXPECT_NEAR(found.at("by_event").at("multiply_accumulate").as_double(), 64 * 64 * 64 * 2.0 / 1000, 1e-6);
}

TEST_F(energy, of_tensor_memory_does_not_depend_on_values) {
  ASSERT_EQ(tcsim({"conv", "--height", "4", "--width", "4", "--channels", "16", "--filters", "16", "--filter-width", "3", "--method",
                   "shift", "--config", "blackwell", "-o", "convolution.trace"})
                .status,
            0);
  const json::object found = energy_of_timing("convolution.trace", priced("blackwell"));
  for (const char* const event : {"register_read", "register_write", "multiply_accumulate", "tensor_memory_byte"})
    EXPECT_GT(found.at("by_event").at(event).as_double(), 0) << event;
}

}  // namespace energy_test
