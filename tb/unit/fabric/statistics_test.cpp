// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <systemc>

#include <gtest/gtest.h>

#include <tc/fabric/statistics.hpp>

namespace tc::fabric::statistics_test {
namespace {

class bank final : public sc_core::sc_module, public statistics_source {
 public:
  explicit bank(const sc_core::sc_module_name& name) : sc_module(name) {}
  void collect(statistics_sink& sink) const override {
    sink.count("reads", reads, "transactions", "Reads served");
    sink.cycles("busy", 2 * reads, "Cycles in which the port was taken");
    sink.bytes("read_bytes", 128 * reads, "Data read");
    sink.ratio("hit_rate", hits, reads, "hits/read", "Share of reads served by the reuse cache");
  }
  std::uint64_t reads = 0;
  std::uint64_t hits = 0;
};

/// Has no statistics itself, but children which do.
class file final : public sc_core::sc_module {
 public:
  explicit file(const sc_core::sc_module_name& name) : sc_module(name) {}
  sc_core::sc_vector<bank> banks{"bank", 2};
  bank spare{"spare"};
};

class list_sink final : public statistics_sink {
 public:
  void begin_object(std::string_view path) override { lines.push_back("begin " + std::string(path)); }
  void end_object() override { lines.emplace_back("end"); }
  void record(const statistic& value) override { values.push_back(value); }
  std::vector<std::string> lines;
  std::vector<statistic> values;
};

TEST(statistics, are_collected_from_the_whole_tree_in_order) {
  file registers("registers");
  list_sink sink;
  collect_statistics(sink);
  const std::vector<std::string> expected{"begin registers.bank_0", "end", "begin registers.bank_1", "end", "begin registers.spare", "end"};
  EXPECT_EQ(sink.lines, expected);
  EXPECT_EQ(sink.values.size(), 12u);
}

TEST(statistics, carry_kind_unit_and_description) {
  bank one("one");
  one.reads = 8;
  one.hits = 2;
  list_sink sink;
  collect_statistics(sink);
  ASSERT_EQ(sink.values.size(), 4u);
  EXPECT_EQ(sink.values[0].name, "reads");
  EXPECT_EQ(sink.values[0].kind, statistic_kind::count);
  EXPECT_EQ(sink.values[0].unit, "transactions");
  EXPECT_EQ(sink.values[0].description, "Reads served");
  EXPECT_EQ(sink.values[0].number(), 8.0);
  EXPECT_EQ(sink.values[1].kind, statistic_kind::cycles);
  EXPECT_EQ(sink.values[1].unit, "cycles");
  EXPECT_EQ(sink.values[2].kind, statistic_kind::bytes);
  EXPECT_EQ(sink.values[2].value, 1024u);
  EXPECT_EQ(sink.values[3].kind, statistic_kind::ratio);
  EXPECT_EQ(sink.values[3].number(), 0.25);
}

TEST(statistics, a_ratio_of_nothing_is_zero) {
  bank one("one");
  list_sink sink;
  collect_statistics(sink);
  EXPECT_EQ(sink.values.at(3).number(), 0.0);
}

}  // namespace
}  // namespace tc::fabric::statistics_test
