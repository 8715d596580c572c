// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <memory>
#include <optional>
#include <statistics_of.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tc/fabric/reports.hpp>
#include <tc/trace/trace_builder.hpp>

#include "test_machine.hpp"

namespace tc::device::test::executed_steps_test {

// A kernel whose steps are made when they issue: what its maker is asked, and when.

struct event {
  std::string what;
  std::uint64_t cycle = 0;
};

/// A warp that loads, adds, stores and ends.
class scripted_warp final : public trace::made_steps {
 public:
  scripted_warp(std::vector<std::uint32_t> code, std::vector<event>& events, std::string fails_at)
      : code_(std::move(code)), events_(events), fails_at_(std::move(fails_at)) {}

  bool next(trace::step& s) override {
    if (next_ == code_.size()) return false;
    s.code_index = code_[next_];
    s.pc = static_cast<std::uint32_t>(16 * next_++);
    tell("next", s.pc, 0);
    return true;
  }

  void issue(trace::step& s, std::uint64_t cycle) override {
    tell("issue", s.pc, cycle);
    s.code_index = code_[s.pc / 16];
    s.mask = s.pc == store_pc ? 1 : trace::all_lanes;
    s.access = s.pc == load_pc ? 7 : s.pc == store_pc ? 8 : 0;
    s.addresses.clear();
    if (s.access != 0) trace::for_each_lane(s.mask, [&](unsigned lane) { s.addresses.set(lane, 0x1000 + 4 * lane); });
  }

  void perform(std::uint32_t access) override { tell("perform", access, 0); }

 private:
  static constexpr std::uint32_t load_pc = 0, store_pc = 32;

  void tell(const std::string& what, std::uint32_t which, std::uint64_t cycle) {
    events_.push_back({what + " " + std::to_string(which), cycle});
    if (events_.back().what == fails_at_) throw std::runtime_error("no GPU does that");
  }

  std::vector<std::uint32_t> code_;
  std::vector<event>& events_;
  std::string fails_at_;
  std::size_t next_ = 0;
};

class scripted_run final : public trace::step_run {
 public:
  scripted_run(std::vector<std::uint32_t> code, std::vector<event>& events, std::string fails_at)
      : code_(std::move(code)), events_(events), fails_at_(std::move(fails_at)) {}

  std::unique_ptr<trace::made_steps> play(const trace::cta_entry&, unsigned, unsigned) override {
    return std::make_unique<scripted_warp>(code_, events_, fails_at_);
  }

 private:
  std::vector<std::uint32_t> code_;
  std::vector<event>& events_;
  std::string fails_at_;
};

class scripted_kernel final : public trace::step_maker {
 public:
  scripted_kernel(std::vector<std::uint32_t> code, std::vector<event>& events, std::string fails_at)
      : code_(std::move(code)), events_(events), fails_at_(std::move(fails_at)) {}

  std::unique_ptr<trace::made_steps> play(const trace::cta_entry&, unsigned) const override { throw std::logic_error("not in a run"); }
  std::unique_ptr<trace::step_run> begin_run() const override { return std::make_unique<scripted_run>(code_, events_, fails_at_); }

 private:
  std::vector<std::uint32_t> code_;
  std::vector<event>& events_;
  std::string fails_at_;
};

class executed_steps : public testing::Test {
 protected:
  accounting::run_result run(const std::string& fails_at = {}) {
    trace::trace_builder builder("kernel", "tcsim-trace 1\narch sm_90\nkernel k\ngrid 1 1 1\nblock 32 1 1\ndata none\n");
    std::vector<std::uint32_t> code;
    for (const char* const text : {"[B------:R-:W0:-:S01] LDG.E R4, [R2.64]", "[B0-----:R-:W-:-:S05] IADD3 R5, R4, 0x1, RZ",
                                   "[B------:R1:W-:-:S02] STG.E [R2.64], R5", "[B-1----:R-:W-:-:S05] EXIT"})
      code.push_back(builder.add_code(text, 1, 0));
    builder.add_cta(0, 0, 0, 1);
    trace_.emplace(std::move(builder).finish(std::make_unique<scripted_kernel>(code, events_, fails_at)));
    run_options options;
    options.data = false;
    gpu_ = std::make_unique<gpu>("gpu", preset("hopper"), std::vector<kernel_source>{{"kernel", &*trace_}}, options);
    return gpu_->run();
  }

  std::vector<std::string> whats() const {
    std::vector<std::string> all;
    for (const event& each : events_) all.push_back(each.what);
    return all;
  }
  std::uint64_t cycle_of(const std::string& what) const {
    for (const event& each : events_)
      if (each.what == what) return each.cycle;
    return 0;
  }

  std::vector<event> events_;
  std::optional<trace::trace> trace_;
  std::unique_ptr<gpu> gpu_;
};

/// The next instruction is known when the one before has issued, what it does when it issues itself, and an access is performed once.
TEST_F(executed_steps, are_made_when_they_issue) {
  const accounting::run_result result = run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_THAT(whats(), testing::ElementsAre("next 0", "issue 0", "next 16", "perform 7", "issue 16", "next 32", "issue 32", "next 48",
                                            "perform 8", "issue 48"));
}

TEST_F(executed_steps, are_told_the_cycle_of_their_issue) {
  run();
  EXPECT_GT(cycle_of("issue 16"), cycle_of("issue 0") + 100);  // a load from global memory lies between
  EXPECT_EQ(cycle_of("issue 32"), cycle_of("issue 16") + 5);   // the stall count
}

/// The lanes that the maker says when the instruction issues are those that access memory.
TEST_F(executed_steps, say_in_which_lanes_they_are) {
  run();
  const auto* const unit = dynamic_cast<fabric::statistics_source*>(sc_core::sc_find_object("gpu.sm_0.sub_core_0.load_store"));
  ASSERT_NE(unit, nullptr);
  EXPECT_EQ(tc::statistics_of(*unit)["global_bytes_written"], 4U);
}

class failing_step : public executed_steps, public testing::WithParamInterface<const char*> {};

TEST_P(failing_step, is_a_fault_of_the_kernel) {
  try {
    run(GetParam());
    FAIL() << "no fault";
  } catch (const sc_core::sc_report& report) {
    const bool is_next = std::string(GetParam()).rfind("next", 0) == 0;
    EXPECT_STREQ(report.get_msg_type(), is_next ? fabric::report::trace_content : fabric::report::execution);
    EXPECT_NE(std::string(report.get_msg()).find("no GPU does that"), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(each, failing_step, testing::Values("next 16", "issue 16", "perform 7"));

}  // namespace tc::device::test::executed_steps_test
