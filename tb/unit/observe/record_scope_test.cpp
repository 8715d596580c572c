// SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/observe/record_filter.hpp>

namespace tc::observe::record_scope_test {
namespace {

constexpr fabric::record_type read_type{"read", "Registers read from a bank"};
constexpr fabric::record_type issue_type{"issue", "An instruction issued"};

std::deque<fabric::record_stream> machine() {
  std::deque<fabric::record_stream> streams;
  const auto add = [&](const std::string& path, const fabric::record_type& type) { streams.emplace_back(path, type, streams.size()); };
  for (const std::string sm : {"gpu.sm_0", "gpu.sm_1"}) {
    add(sm + ".sub_core_0.bank_1", read_type);
    add(sm + ".sub_core_1.bank_1", read_type);
    add(sm + ".sub_core_1.scheduler", issue_type);
  }
  add("gpu.sm_1.tensor_engine", issue_type);
  return streams;
}

std::string error_of(const std::string& scope) {
  try {
    streams_in_scopes(machine(), {scope});
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(record_scope, names_match_without_underscores_and_without_the_leading_gpu) {
  const std::string path = "gpu.sm_0.sub_core_1.bank_1";
  for (const std::string scope : {"", "gpu", "sm0", "sm_0.subcore1", "gpu.sm0.sub_core_1", "sm0.subcore1.bank1"})
    EXPECT_TRUE(in_scope(scope, path)) << scope;
  for (const std::string scope : {"sm1", "sm", "sm00", "subcore1", "sm0.subcore1.bank", "sm0.subcore1.bank1.port", "sm0.sub"})
    EXPECT_FALSE(in_scope(scope, path)) << scope;
}

TEST(record_scope, chooses_streams_by_place_and_type) {
  const auto chosen = [](const std::vector<std::string>& scopes) { return streams_in_scopes(machine(), scopes); };
  EXPECT_EQ(chosen({}), std::vector<bool>(7, true));
  EXPECT_EQ(chosen({"sm0.subcore1"}), (std::vector<bool>{false, true, true, false, false, false, false}));
  EXPECT_EQ(chosen({"sm1.sub_core_1.bank_1.read", "sm1.tensorengine"}), (std::vector<bool>{false, false, false, false, true, false, true}));
}

TEST(record_scope, says_what_there_is_instead) {
  EXPECT_EQ(error_of("sn0"),
            "scope \"sn0\": nothing there is recorded; there is, for example: sm_0, sm_1, sm_0.sub_core_0, sm_0.sub_core_1, "
            "sm_1.sub_core_0, sm_1.sub_core_1, sm_1.tensor_engine");
  EXPECT_EQ(error_of("sm1.subcore7.bank_0"),
            "scope \"sm1.subcore7.bank_0\": nothing there is recorded; there is, for example: sm_1.sub_core_0, sm_1.sub_core_1, "
            "sm_1.tensor_engine, sm_1.sub_core_0.bank_1, sm_1.sub_core_1.bank_1, sm_1.sub_core_1.scheduler");
}

}  // namespace
}  // namespace tc::observe::record_scope_test
