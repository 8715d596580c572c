// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include <tc/config/described_type.hpp>
#include <tc/config/machine.hpp>
#include <tc/config/parameter_loader.hpp>
#include <tc/config/parameter_writer.hpp>

#include "sample_machine.hpp"

namespace tc::config::energy_parameters_test {
namespace {

machine machine_with(const std::string& energy, const std::vector<std::string>& assignments = {}) {
  return make_parameters<machine>({json_document::parse("{\"architectures\": [\"sm_75\"],\n \"energy\": " + energy + "}", "m.json")},
                                  assignments);
}

std::string complaint(const std::string& energy, const std::vector<std::string>& assignments = {}) {
  return error_of([&] { machine_with(energy, assignments); });
}

TEST(energy_parameters, are_there_only_if_somebody_sets_them) {
  EXPECT_FALSE(machine_with("null").energy.has_value());
  EXPECT_TRUE(to_json(machine_with("null")).at("energy").is_null());
  EXPECT_TRUE(machine_with("{}").energy.has_value());
  const machine assigned = machine_with("null", {"energy.register_read=2.5", "energy.multiply_accumulate[f16]=1.5"});
  EXPECT_EQ(assigned.energy->register_read, 2.5);
  EXPECT_EQ(assigned.energy->multiply_accumulate.at("f16"), 1.5);
  EXPECT_EQ(assigned.energy->register_write, 0.0);
}

TEST(energy_parameters, that_are_wrong_are_refused_with_their_place) {
  EXPECT_EQ(complaint(R"({"reuse_hit": -1})"), "m.json:2:13: energy.reuse_hit: must not be negative, is -1");
  EXPECT_EQ(complaint(R"({"multiply_accumulate": {"s8": -0.5}})"),
            "m.json:2:37: energy.multiply_accumulate.s8: must not be negative, is -0.5");
  EXPECT_EQ(complaint(R"({"multiply_accumulate": {"f61": 1}})")
                .find(R"(m.json:2:37: energy.multiply_accumulate.f61: unknown element type "f61"; did you mean "f64"?)"),
            0U);
  EXPECT_EQ(complaint(R"({"register_raed": 1})").find(R"(m.json:2:13: energy: unknown key "register_raed"; did you mean "register_read"?)"),
            0U);
  EXPECT_EQ(complaint("null", {"energy.multiply_accumulate[f16]=-1"}),
            "--set energy.multiply_accumulate[f16]=-1: energy.multiply_accumulate.f16: must not be negative, is -1");
  EXPECT_EQ(complaint("null", {"energy.sm_cycle=-2"}), "--set energy.sm_cycle=-2: energy.sm_cycle: must not be negative, is -2");
}

}  // namespace
}  // namespace tc::config::energy_parameters_test
