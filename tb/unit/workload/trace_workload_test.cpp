// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <regex>

#include "workload_maker.hpp"

namespace trace_workload_test {

using namespace tcsim;
using namespace tcsim::test;

namespace {

class trace_workload_test : public command_test {
 protected:
  /// A kernel that stores `value` and expects 5; what is in memory before stands in a file.
  std::unique_ptr<workload> stores(unsigned value, const std::string& parameters = "") const {
    file("image.bin", "0123");
    file("kernel.trace",
         one_warp("sm_75", "memory 0x1000 4 file image.bin\nexpect 0x1000 4 hex 05000000\n",
                  "reg R2 0x1000\nreg R3 0x0\nreg R8 " + std::to_string(value) + "\n/*0000*/ STG.E.SYS [R2], R8 mask 00000001 @ 0x1000\n"));
    return workload_from("trace", "{\"files\": [\"kernel.trace\"]" + parameters + "}", folder());
  }
};

}  // namespace

TEST_F(trace_workload_test, gives_what_the_command_gives) {
  const auto work = stores(5, ", \"max_cycles\": 100000");
  const workload_outcome outcome = work->run(machine_with("turing"));
  EXPECT_EQ(outcome.status, exit_status::done) << outcome.message;
  EXPECT_EQ(run_by_hand(*work, "turing", "/", {"--stats", (folder() / "run.json").string()}).status, 0);
  boost::json::object by_hand = boost::json::parse(content_of(folder() / "run.json")).as_object();
  by_hand.erase("host");
  by_hand["workload"] = {{"kind", "trace"}};
  EXPECT_EQ(boost::json::parse(boost::json::serialize(outcome.statistics)), by_hand);
  expect_read_back(*work);
}

TEST_F(trace_workload_test, tells_wrong_results) {
  const workload_outcome outcome = stores(6)->run(machine_with("turing"));
  EXPECT_EQ(outcome.status, exit_status::check_failed);
  EXPECT_EQ(outcome.message, "1 byte of the results is not as expected");
  EXPECT_TRUE(outcome.statistics.contains("cycles"));
}

TEST_F(trace_workload_test, compares_nothing_if_it_need_not) {
  const workload_outcome outcome = stores(6, ", \"data\": false")->run(machine_with("turing"));
  EXPECT_EQ(outcome.status, exit_status::done) << outcome.message;
}

TEST_F(trace_workload_test, tells_who_waits_when_the_cycles_are_spent) {
  const workload_outcome outcome = stores(5, ", \"max_cycles\": 3")->run(machine_with("turing"));
  EXPECT_EQ(outcome.status, exit_status::model_stopped);
  EXPECT_TRUE(std::regex_search(outcome.message, std::regex("max_cycles 3 ended the run.*: .*warp 0"))) << outcome.message;
  EXPECT_TRUE(outcome.statistics.empty());
}

TEST_F(trace_workload_test, an_access_outside_memory_is_a_mistake_of_the_trace) {
  file("bad.trace", one_warp("sm_75", "memory 0x1000 4 zero\n",
                             "reg R2 0x2000\nreg R3 0x0\nreg R8 1\n/*0000*/ STG.E.SYS [R2], R8 mask 00000001 @ 0x2000\n"));
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  const workload_outcome outcome = workload_from("trace", R"({"files": ["bad.trace"]})", folder())->run(machine_with("turing"));
  EXPECT_EQ(outcome.status, exit_status::bad_input);
  EXPECT_NE(outcome.message.find("bad.trace"), std::string::npos) << outcome.message;
}

TEST_F(trace_workload_test, what_a_machine_cannot_do_is_refused_before_it_runs) {
  EXPECT_NO_THROW(stores(5)->check(machine_with("turing")));
  EXPECT_NE(refusal_of(*stores(5), machine_with("hopper")).find("kernel.trace:2:6: the trace is for sm_75"), std::string::npos);
  EXPECT_NE(refusal_of(*workload_from("trace", R"({"files": ["nowhere.trace"]})", folder()), machine_with("hopper")).find("nowhere.trace"),
            std::string::npos);
}

// Whether results are still those of the files.
TEST_F(trace_workload_test, the_content_code_tells_any_change_of_the_trace_and_of_its_images) {
  const std::string code = stores(5)->content_code();
  EXPECT_EQ(stores(5)->content_code(), code);
  file("image.bin", "0124");
  EXPECT_NE(workload_from("trace", R"({"files": ["kernel.trace"]})", folder())->content_code(), code);
  EXPECT_NE(stores(15)->content_code(), code);
  std::filesystem::remove(folder() / "image.bin");
  EXPECT_NE(refusal_of([&] { workload_from("trace", R"({"files": ["kernel.trace"]})", folder())->content_code(); }).find("image.bin"),
            std::string::npos);
}

}  // namespace trace_workload_test
