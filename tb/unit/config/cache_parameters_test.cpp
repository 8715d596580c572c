// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include <tc/config/config_error.hpp>
#include <tc/config/machine.hpp>
#include <tc/config/machine_loader.hpp>

namespace cache_parameters_test {

namespace {

using namespace tc::config;

/// What is said of a configuration file with these values.
std::string error_of(const std::string& text) {
  const auto base = json_document::parse(R"({"architectures": ["sm_70"]})", "base");
  try {
    make_machine({base, json_document::parse(text, "changes")});
  } catch (const config_error& error) {
    return error.what();
  }
  return "no error";
}

struct wrong_value {
  const char* text;
  const char* path;
  const char* reason;
};

class caches : public testing::TestWithParam<wrong_value> {};

TEST_P(caches, say_what_is_wrong) {
  const std::string error = error_of(GetParam().text);
  EXPECT_NE(error.find(GetParam().path), std::string::npos) << error;
  EXPECT_NE(error.find(GetParam().reason), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(of, caches,
                         testing::Values(wrong_value{R"({"global_memory": {"hierarchy": {"l1": {"bytes": 1000}}}})",
                                                     "global_memory.hierarchy.l1.bytes", "multiple of"},
                                         wrong_value{R"({"global_memory": {"hierarchy": {"l1": {"line_bytes": 96}}}})",
                                                     "global_memory.hierarchy.l1.line_bytes", "power of two"},
                                         wrong_value{R"({"global_memory": {"hierarchy": {"l1": {"sector_bytes": 256}}}})",
                                                     "global_memory.hierarchy.l1.sector_bytes", "at most line_bytes"},
                                         wrong_value{R"({"global_memory": {"hierarchy": {"l2": {"ways": 0}}}})",
                                                     "global_memory.hierarchy.l2.ways", "from 1 to 1024"},
                                         wrong_value{R"({"global_memory": {"hierarchy": {"l2_hit_cycles": 2}}})",
                                                     "global_memory.hierarchy.l2_hit_cycles", "at least l1_hit_cycles"},
                                         wrong_value{R"({"global_memory": {"hierarchy": {"translation": {"page_kib": 3}}}})",
                                                     "global_memory.hierarchy.translation.page_kib", "power of two"},
                                         wrong_value{R"({"sm": {"sub_core": {"fetch": {"buffer_entries": 0}}}})",
                                                     "sm.sub_core.fetch.buffer_entries", "from 1 to 64"},
                                         wrong_value{R"({"sm": {"sub_core": {"fetch": {"l1": {"sector_bytes": 128}}}}})",
                                                     "sm.sub_core.fetch.l1.sector_bytes", "at least l0.sector_bytes"},
                                         wrong_value{R"({"sm": {"sub_core": {"fetch": {"l2_line_cycles": 1}}}})",
                                                     "sm.sub_core.fetch.l2_line_cycles", "at least l1_line_cycles"},
                                         wrong_value{R"({"sm": {"sub_core": {"constant_cache": {"l2_hit_cycles": 1}}}})",
                                                     "sm.sub_core.constant_cache.l2_hit_cycles", "at least l15_hit_cycles"}));

}  // namespace

}  // namespace cache_parameters_test
