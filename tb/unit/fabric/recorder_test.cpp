// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <vector>

#include <systemc>

#include <gtest/gtest.h>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/recorder.hpp>

namespace tc::fabric::recorder_test {
namespace {

using edge = record_event::edge;

constexpr record_type read_type{
    "read", "Registers read from a bank", {{{"warp", attribute_kind::number, 6}, {"opcode", attribute_kind::text, 64}}}};

/// What a listener was told, as it has to be copied to be kept.
struct heard {
  edge what;
  std::string path;
  std::uint64_t id, parent;
  cycle_t cycle;
  std::vector<std::string> values;
  bool operator==(const heard& other) const {
    return what == other.what && path == other.path && id == other.id && parent == other.parent && cycle == other.cycle &&
           values == other.values;
  }
};

class listener final : public record_listener {
 public:
  void write(const record_event& event) override {
    heard told{event.what, event.stream->path(), event.id, event.parent, event.cycle, {}};
    if (event.what == edge::begin)
      for (std::size_t a = 0; a < event.stream->type().attribute_count(); ++a)
        told.values.push_back(event.stream->type().attributes[a].kind == attribute_kind::text ? std::string(event.values[a].text)
                                                                                              : std::to_string(event.values[a].number));
    events.push_back(std::move(told));
  }
  std::vector<heard> events;
};

TEST(recorder, tells_every_listener_both_ends_of_a_record) {
  clock_domain clock("clock", 1, sc_core::SC_NS);
  recorder records("recorder", clock);
  const record_stream& bank = records.add_stream("sm.bank_0", read_type);
  const record_stream& other = records.add_stream("sm.bank_1", read_type);
  listener first, second;
  records.records.bind(first);
  records.records.bind(second);
  sc_core::sc_start(5, sc_core::SC_NS);
  const std::uint64_t whole = records.begin(bank, 5, {std::uint64_t{3}, std::string_view("HMMA")});
  const std::uint64_t part = records.span(other, 7, 7, {std::uint64_t{4}, std::string_view("FADD")}, whole);
  records.end(bank, whole, 9);
  EXPECT_NE(whole, part);
  EXPECT_EQ(records.begun(), 2U);
  EXPECT_EQ(first.events, (std::vector<heard>{{edge::begin, "sm.bank_0", whole, 0, 5, {"3", "HMMA"}},
                                              {edge::begin, "sm.bank_1", part, whole, 7, {"4", "FADD"}},
                                              {edge::end, "sm.bank_1", part, 0, 7, {}},
                                              {edge::end, "sm.bank_0", whole, 0, 9, {}}}));
  EXPECT_EQ(second.events, first.events);
}

TEST(recorder, numbers_its_streams) {
  clock_domain clock("clock", 1, sc_core::SC_NS);
  recorder records("recorder", clock);
  const record_stream& bank = records.add_stream("sm.bank_0", read_type);
  records.add_stream("sm.bank_1", read_type);
  ASSERT_EQ(records.streams().size(), 2U);
  EXPECT_EQ(&records.streams().front(), &bank);
  EXPECT_EQ(records.streams()[1].number(), 1U);
  EXPECT_EQ(read_type.attribute_count(), 2U);
}

TEST(recorder_death_test, does_not_tell_of_the_past) {
  clock_domain clock("clock", 1, sc_core::SC_NS);
  recorder records("recorder", clock);
  const record_stream& bank = records.add_stream("sm.bank_0", read_type);
  sc_core::sc_start(5, sc_core::SC_NS);
  EXPECT_EXIT(records.span(bank, 4, 6, {std::uint64_t{0}, std::string_view()}), testing::KilledBySignal(SIGABRT), "");
  EXPECT_EXIT(records.span(bank, 5, 6, {std::uint64_t{0}}), testing::KilledBySignal(SIGABRT), "");
}

TEST(recorder, tells_nothing_of_what_begins_when_no_listener_wants_it_any_more) {
  clock_domain clock("clock", 1, sc_core::SC_NS);
  recorder records("recorder", clock);
  const record_stream& bank = records.add_stream("sm.bank_0", read_type);
  listener only;
  records.records.bind(only);
  records.stop_at(7);
  sc_core::sc_start(5, sc_core::SC_NS);
  EXPECT_FALSE(records.is_over());
  const std::uint64_t before = records.begin(bank, 6, {std::uint64_t{3}, std::string_view("HMMA")});
  EXPECT_EQ(records.span(bank, 7, 8, {std::uint64_t{3}, std::string_view("FADD")}), 0U);
  records.end(bank, before, 9);
  ASSERT_EQ(only.events.size(), 2U);
  EXPECT_EQ(only.events.back().cycle, 9U);
  sc_core::sc_start(2, sc_core::SC_NS);
  EXPECT_TRUE(records.is_over());
}

}  // namespace
}  // namespace tc::fabric::recorder_test
