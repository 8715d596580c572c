// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <tc/subcore/issue/warp_selection.hpp>

namespace warp_selection_test {

namespace {

using namespace tc;
using namespace tc::subcore;

constexpr cycle_t now = 1000;

/// Four warps, the first the oldest, all ready; the next instruction of warps 0 and 2 is a matrix instruction.
class warp_selection_rules : public testing::Test {
 protected:
  warp_selection_rules() {
    matrix_.op = isa::opcode::hmma;
    other_.op = isa::opcode::ffma;
    for (unsigned w = 0; w < 4; ++w) {
      warp_slot& slot = slots_.emplace_back();
      slot.warp = &context_;
      slot.launch_order = w;
      ready_.push_back(w);
      slot.waits_since = now;
      slot.next.code = w % 2 == 0 ? &matrix_ : &other_;
    }
  }

  static warp_selection selection(const std::string& policy = "greedy_then_youngest", unsigned patience = 40) {
    config::issue_parameters parameters;
    parameters.policy = policy;
    parameters.patience_cycles = patience;
    return warp_selection(parameters);
  }

  warp::warp_context context_{};
  isa::instruction matrix_{}, other_{};
  std::vector<warp_slot> slots_;
  std::vector<std::size_t> ready_;
};

TEST_F(warp_selection_rules, take_the_youngest_or_the_oldest) {
  EXPECT_EQ(selection().choose(slots_, ready_, now), 3u);
  EXPECT_EQ(selection("greedy_then_oldest").choose(slots_, ready_, now), 0u);
}

TEST_F(warp_selection_rules, choose_nobody_if_nobody_is_ready) {
  ready_.clear();
  EXPECT_EQ(selection().choose(slots_, ready_, now), warp_selection::no_slot);
}

TEST_F(warp_selection_rules, stay_with_the_warp_that_issued_last) {
  auto greedy = selection();
  greedy.issued(1, other_, now - 5);
  EXPECT_EQ(greedy.choose(slots_, ready_, now), 1u);
  greedy.issued(2, other_, now - 1);
  EXPECT_EQ(greedy.choose(slots_, ready_, now), 2u);
  greedy.issued(2, other_, now - 5);  // its next instruction is for the tensor core, which it does not have
  EXPECT_EQ(greedy.choose(slots_, ready_, now), 3u);
}

TEST_F(warp_selection_rules, leave_the_tensor_core_to_the_warp_that_has_it) {
  auto greedy = selection();
  greedy.issued(0, matrix_, now - 6);
  greedy.issued(1, other_, now - 3);
  ready_ = {0, 2, 3};
  EXPECT_EQ(greedy.choose(slots_, ready_, now), 0u);
  slots_[0].next.code = &other_;
  EXPECT_EQ(greedy.choose(slots_, ready_, now), 3u);
}

TEST_F(warp_selection_rules, let_warps_that_yielded_go_last) {
  slots_[3].yielded = slots_[2].yielded = true;
  EXPECT_EQ(selection().choose(slots_, ready_, now), 1u);
  slots_[1].yielded = slots_[0].yielded = true;
  EXPECT_EQ(selection().choose(slots_, ready_, now), 3u);
}

TEST_F(warp_selection_rules, lose_their_patience) {
  slots_[0].waits_since = now - 39;
  EXPECT_EQ(selection().choose(slots_, ready_, now), 3u);
  slots_[0].waits_since = now - 40;
  EXPECT_EQ(selection().choose(slots_, ready_, now), 0u);
  EXPECT_EQ(selection("greedy_then_youngest", 0).choose(slots_, ready_, now), 3u);
  slots_[0].yielded = true;  // who yields waits without complaint
  EXPECT_EQ(selection().choose(slots_, ready_, now), 3u);
}

TEST_F(warp_selection_rules, have_patience_with_units_of_fixed_latency) {
  slots_[1].waits_since = now - 100;
  EXPECT_EQ(selection().choose(slots_, ready_, now), 3u);
  slots_[0].waits_since = now - 40;  // the tensor core's turn comes although another waits longer
  EXPECT_EQ(selection().choose(slots_, ready_, now), 0u);
}

/// Chooses a slot that it was not given.
class wrong_policy final : public warp_policy {
 public:
  std::size_t choose(const warp_candidates& candidates, cycle_t) override { return candidates.size() + 5; }
  void issued(std::size_t, const isa::instruction&, cycle_t) override {}
  void reset() override {}
};

TEST_F(warp_selection_rules, turn_away_what_is_no_candidate) {
  add_warp_policy("wrong", [](const config::issue_parameters&) { return std::make_unique<wrong_policy>(); });
  EXPECT_THROW(selection("wrong").choose(slots_, ready_, now), std::logic_error);
  ready_ = {2};
  EXPECT_EQ(selection("wrong").choose(slots_, ready_, now), 2u) << "one candidate is no choice";
}

TEST_F(warp_selection_rules, take_turns_in_the_round_robin) {
  auto turns = selection("loose_round_robin");
  EXPECT_EQ(turns.choose(slots_, ready_, now), 0u);
  turns.issued(0, matrix_, now);
  EXPECT_EQ(turns.choose(slots_, ready_, now), 1u);
  turns.issued(3, other_, now);
  EXPECT_EQ(turns.choose(slots_, ready_, now), 0u);
}

}  // namespace

}  // namespace warp_selection_test
