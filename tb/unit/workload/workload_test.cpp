// SPDX-License-Identifier: Apache-2.0
#include "workload_maker.hpp"

namespace workload_test {

// What all kinds have in common.

using namespace tcsim;
using namespace tcsim::test;

TEST(workload, every_kind_describes_each_of_its_parameters) {
  for (const std::string& kind : workload_kinds())
    for (const tc::config::parameter_row& row : workload_parameters(kind)) EXPECT_NE(row.meaning, "") << kind << '.' << row.path;
}

TEST(workload, mistakes_are_named_at_their_place) {
  EXPECT_NE(refusal_of([] {
              workload_from("gemm", "{\n  \"sise\": 64\n}");
            }).find("sweep.json:2:3: configuration: unknown key \"sise\"; did you mean \"size\"?"),
            std::string::npos);
  EXPECT_EQ(refusal_of([] { workload_from("gemm", "{\"instructions\": \"mna\"}"); }).substr(0, 65),
            "sweep.json:1:2: instructions: unknown value \"mna\"; did you mean \"");
  EXPECT_NE(refusal_of([] { workload_from("gem", "{}"); }).find("did you mean \"gemm\""), std::string::npos);
  EXPECT_EQ(refusal_of(*workload_from("gemm", "{\"size\": 64,\n\"stages\": 2}"), machine_with("hopper")),
            "sweep.json:2:1: stages: is for instructions wgmma");
  EXPECT_NE(refusal_of(*workload_from("gemm", "{}"), machine_with("hopper")).find("size: is not given"), std::string::npos);
  EXPECT_NE(refusal_of(*workload_from("gemm", "{\"size\": 8, \"k\": 16}"), machine_with("hopper")).find("beside m, n or k"),
            std::string::npos);
  EXPECT_NE(refusal_of(*workload_from("gemm", "{\"m\": 8, \"k\": 16}"), machine_with("hopper")).find("n: is not given"), std::string::npos);
  EXPECT_NE(refusal_of(*workload_from("gemm", "{\"size\": 64, \"tile\": \"64x64\"}"), machine_with("hopper")).find("tile: expected 3"),
            std::string::npos);
  EXPECT_NE(refusal_of(*workload_from("trace", "{}"), machine_with("hopper")).find("files: is empty"), std::string::npos);
}

TEST(workload, a_part_of_a_larger_document_has_its_places) {
  const auto document = tc::config::json_document::parse("{\"workloads\": [\n{\"gemm\": {\n \"size\": 64, \"stages\": 3}}]}", "sweep.json");
  const boost::json::value& parameters = document.root().at("workloads").at(0).at("gemm");
  const auto work = make_workload("gemm", document.part(parameters, "workloads[0].gemm"), "/");
  EXPECT_EQ(refusal_of(*work, machine_with("ampere")), "sweep.json:3:14: workloads[0].gemm.stages: is for instructions wgmma");
}

TEST(workload, a_change_that_breaks_a_rule_is_named_at_its_own_place) {
  const auto document = tc::config::json_document::parse("{\"gemm\": {\"size\": 64},\n\"values\": [2]}", "sweep.json");
  const auto work = make_workload("gemm", document.part(document.root().at("gemm"), "gemm"), "/");
  work->set(tc::config::parameter_override("stages", {2, 2}, document.part(document.root().at("values").at(0), "values[0]")));
  EXPECT_EQ(refusal_of(*work, machine_with("ampere")), "sweep.json:2:12: gemm.stages: is for instructions wgmma");
}

TEST(workload, a_clone_changes_alone) {
  const auto first = workload_from("gemm", "{\"precision\": \"f16\"}");
  const auto second = first->clone();
  second->set(tc::config::parameter_override("size=64"));
  second->set(tc::config::parameter_override("precision=s8"));
  EXPECT_EQ(first->parameters().at("precision"), "f16");
  EXPECT_EQ(second->parameters().at("precision"), "s8");
  EXPECT_EQ(second->parameters().at("size"), 64);
  EXPECT_NO_THROW(second->check(machine_with("turing")));
  EXPECT_NE(refusal_of([&] { second->set(tc::config::parameter_override("tiles=64x64x32")); }).find("did you mean \"tile\""),
            std::string::npos);
}

// docs/sweeps.md has a table for each kind.
TEST(workload, the_manual_has_all_parameters) {
  const std::string manual = content_of(TC_SOURCE_DIR "/docs/sweeps.md");
  for (const std::string& kind : workload_kinds()) {
    std::string table = "`" + kind + "`:\n\n| Parameter | Default | Meaning |\n|---|---|---|\n";
    for (const tc::config::parameter_row& row : workload_parameters(kind))
      table +=
          "| `" + row.path + "` | `" + row.default_value + "` | " + row.meaning + (row.unit.empty() ? "" : " (" + row.unit + ")") + " |\n";
    EXPECT_NE(manual.find(table), std::string::npos) << "it should have\n" << table;
  }
}

}  // namespace workload_test
