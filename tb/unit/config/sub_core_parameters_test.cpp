// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include <tc/config/described_type.hpp>
#include <tc/config/parameter_loader.hpp>
#include <tc/config/sub_core_parameters.hpp>

namespace tc::config::sub_core_parameters_test {
namespace {

/// What is wrong with an operand fetch that differs from the default in this assignment; empty if nothing is.
std::string complaint(const std::string& assignment) {
  try {
    make_parameters<operand_fetch_parameters>({json_document::parse("{}", "o.json")}, {assignment});
    return {};
  } catch (const config_error& error) {
    return error.what();
  }
}

TEST(branch_parameters, refuse_more_cycles_than_any_branch_takes) {
  for (const std::string member : {"taken", "computed", "divergence", "convergence", "reconvergence", "switch"}) {
    const auto complaint_of = [&](unsigned cycles) -> std::string {
      try {
        make_parameters<branch_parameters>({json_document::parse("{}", "b.json")}, {member + "_cycles=" + std::to_string(cycles)});
        return {};
      } catch (const config_error& error) {
        return error.what();
      }
    };
    EXPECT_EQ(complaint_of(1000), "");
    EXPECT_NE(complaint_of(1001).find(member + "_cycles: must be at most 1000"), std::string::npos) << complaint_of(1001);
  }
}

TEST(operand_fetch_parameters, refuse_ports_booked_too_far_ahead) {
  for (const std::string member : {"matrix_write_cycles", "matrix_integer_write_cycles"}) {
    EXPECT_EQ(complaint(member + "=16"), "");
    const std::string too_far = complaint(member + "=17");
    EXPECT_NE(too_far.find(member + ": must be at most 16"), std::string::npos) << too_far;
  }
}

}  // namespace
}  // namespace tc::config::sub_core_parameters_test
