// SPDX-License-Identifier: Apache-2.0
#include <regex>

#include "workload_maker.hpp"

namespace convolution_workload_test {

using namespace tcsim;
using namespace tcsim::test;

using convolution_workload_test = command_test;

TEST_F(convolution_workload_test, gives_what_the_command_gives) {
  const auto work = workload_from("conv", R"({"batch": 2, "height": 6, "width": 4, "channels": 20, "filters": 34, "filter_height": 3,
                                              "filter_width": 3, "padding_height": 2, "padding_width": 1, "stages": 2, "ashift": true})");
  const workload_outcome outcome = work->run(machine_with("blackwell"));
  EXPECT_EQ(outcome.status, exit_status::done) << outcome.message;
  const boost::json::object& figures = outcome.statistics.at("workload").as_object();
  EXPECT_EQ(figures.at("kind"), "conv");
  EXPECT_EQ(figures.at("method"), "shift");
  EXPECT_EQ(figures.at("mismatches"), 0) << "the output was compared";
  EXPECT_EQ(figures.at("multiply_accumulates"), 2 * 8 * 4 * 20 * 34 * 9);
  const auto by_hand = run_by_hand(*work, "blackwell", folder());
  EXPECT_EQ(by_hand.status, 0) << by_hand.err;
  const auto expect_row = [&](const std::string& title, const char* figure) {
    const std::string row = "\n" + title + " +" + boost::json::serialize(figures.at(figure)) + "\n";
    EXPECT_TRUE(std::regex_search(by_hand.out, std::regex(row))) << row << by_hand.out;
  };
  expect_row("cycles", "cycles");
  expect_row("tcgen05.mma", "products");
  expect_row("activations: shared to tensor memory", "shared_activation_bytes");
  expect_read_back(*work);
}

TEST_F(convolution_workload_test, what_a_machine_cannot_do_is_refused_before_it_runs) {
  const auto refused = [](const std::string& parameters, const char* preset) {
    return refusal_of(*workload_from("conv", parameters), machine_with(preset));
  };
  EXPECT_NE(refused(R"({"height": 8, "width": 8, "channels": 16, "filters": 16})", "hopper"), "");
  EXPECT_NE(refused(R"({"height": 8, "width": 8, "channels": 16, "filters": 16, "stride_width": 2, "filter_width": 3})", "blackwell"), "");
  EXPECT_NE(refused(R"({"height": 8, "width": 8, "channels": 16})", "blackwell").find("filters: is not given"), std::string::npos);
  EXPECT_NE(refused(R"({"height": 8, "width": 8, "channels": 16, "filters": 16, "method": "im2col", "ashift": true})", "blackwell")
                .find("ashift: is for method shift"),
            std::string::npos);
}

}  // namespace convolution_workload_test
