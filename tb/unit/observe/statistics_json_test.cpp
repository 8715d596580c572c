// SPDX-License-Identifier: Apache-2.0
#include <systemc>

#include <gtest/gtest.h>

#include <tc/observe/statistics_json.hpp>

namespace tc::observe::statistics_json_test {
namespace {

class counter final : public sc_core::sc_module, public fabric::statistics_source {
 public:
  counter(const sc_core::sc_module_name& module_name, std::uint64_t value) : sc_module(module_name), value_(value) {}

  void collect(fabric::statistics_sink& sink) const override {
    sink.count("things", value_, "things", "What is counted");
    sink.ratio("hit_rate", 1, value_, "hits/access", "A ratio");
    sink.cycles("zebra_cycles", 2 * value_, "Not in alphabetical order");
    sink.bytes("bytes", 3, "Some bytes");
  }

 private:
  std::uint64_t value_;
};

struct tree final : sc_core::sc_module {
  explicit tree(const sc_core::sc_module_name& module_name) : sc_module(module_name) {}
  counter first{"first", 4}, second{"second", 0};
};

TEST(statistics_json, names_objects_by_path_and_keeps_the_order) {
  const tree top("top");
  const boost::json::object objects = collected_statistics();
  ASSERT_EQ(objects.size(), 2U);
  EXPECT_EQ(objects.begin()->key(), "top.first");
  const boost::json::object& first = objects.at("top.first").as_object();
  std::string keys;
  for (const auto& member : first) keys += std::string(member.key()) + ' ';
  EXPECT_EQ(keys, "things hit_rate zebra_cycles bytes ");
}

TEST(statistics_json, writes_counts_as_integers_and_ratios_as_reals) {
  const tree top("top");
  const boost::json::object objects = collected_statistics();
  const boost::json::object& first = objects.at("top.first").as_object();
  EXPECT_EQ(first.at("things").as_uint64(), 4U);
  EXPECT_EQ(first.at("zebra_cycles").as_uint64(), 8U);
  EXPECT_DOUBLE_EQ(first.at("hit_rate").as_double(), 0.25);
}

TEST(statistics_json, a_value_above_32_bits_stays_exact) {
  const counter large("large", 0x123456789abcdefU);
  EXPECT_EQ(collected_statistics().at("large").as_object().at("things").as_uint64(), 0x123456789abcdefU);
}

}  // namespace
}  // namespace tc::observe::statistics_json_test
