// SPDX-License-Identifier: Apache-2.0
#include "repeat_command.hpp"

#include <gtest/gtest.h>

#include <tc/config/parameter_writer.hpp>

#include "configuration.hpp"

namespace tcsim::repeat_command_test {
namespace {

planned_run run_with(const std::vector<std::string>& assignments) {
  planned_run run;
  run.kind = "gemm";
  run.parameters = R"({"size": 64})";
  run.configuration = boost::json::serialize(tc::config::to_json(load_configuration("turing", assignments)));
  return run;
}

TEST(repeat_command, names_workload_base_and_what_differs) {
  const auto run = run_with({"sm.sub_core.register_file.mapping=register_plus_warp_modulo", "sm.sub_core.tensor_core.dot_product_units=1"});
  EXPECT_EQ(repeat_command().of(run, "turing"),
            "tcsim gemm --size 64 --config turing --set sm.sub_core.register_file.mapping=register_plus_warp_modulo"
            " --set sm.sub_core.tensor_core.dot_product_units=1");
}

TEST(repeat_command, names_the_machine_that_fixed_code_is_made_for) {
  planned_run run = run_with({"sms=4", "sm.sub_core.tensor_core.dot_product_units=1"});
  run.code_configuration = run_with({"sms=4"}).configuration;
  EXPECT_EQ(
      repeat_command().of(run, "turing"),
      "tcsim gemm --size 64 --config turing --set sms=4 --set sm.sub_core.tensor_core.dot_product_units=1 --fixed-code --code-set sms=4");
}

TEST(repeat_command, is_quoted_for_a_shell) {
  EXPECT_NE(repeat_command().of(run_with({"name=my machine's"}), "turing").find(R"(--set 'name=my machine'\''s')"), std::string::npos);
}

TEST(repeat_command, is_empty_if_the_base_is_not_to_be_found) { EXPECT_EQ(repeat_command().of(run_with({}), "gone.json"), ""); }

}  // namespace
}  // namespace tcsim::repeat_command_test
