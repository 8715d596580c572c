// SPDX-License-Identifier: Apache-2.0
#include "configuration_difference.hpp"

#include <gtest/gtest.h>

namespace tcsim::configuration_difference_test {
namespace {

std::string differences(const char* base, const char* other) {
  std::string text;
  for (const auto& each : configuration_differences(boost::json::parse(base), boost::json::parse(other)))
    text += each.path + ' ' + boost::json::serialize(each.base) + ' ' + boost::json::serialize(each.value) + '\n';
  return text;
}

TEST(configuration_differences, names_the_parameter_and_both_values) {
  EXPECT_EQ(differences(R"({"sms": 1, "sm": {"sub_cores": 4, "kind": "a"}})", R"({"sms": 1, "sm": {"kind": "b", "sub_cores": 2}})"),
            "sm.sub_cores 4 2\nsm.kind \"a\" \"b\"\n");
  EXPECT_EQ(differences(R"({"sms": 1})", R"({"sms": 1})"), "");
}

TEST(configuration_differences, go_into_lists_of_equal_length) {
  EXPECT_EQ(differences(R"({"a": [1, {"b": 2}], "c": [1]})", R"({"a": [1, {"b": 3}], "c": [1, 2]})"), "a[1].b 2 3\nc [1] [1,2]\n");
}

TEST(configuration_differences, have_null_for_what_one_of_them_lacks) {
  EXPECT_EQ(differences(R"({"latency": {"HMMA.1688": 14, "IMMA": 1}})", R"({"latency": {"IMMA": 1, "FADD": 4}})"),
            "latency[HMMA.1688] 14 null\nlatency.FADD null 4\n");
}

}  // namespace
}  // namespace tcsim::configuration_difference_test
