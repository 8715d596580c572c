// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/subcore/tensor/tensor_reports.hpp>

#include "schoolbook_units.hpp"
#include "tensor_bench.hpp"

// Dot-product units of one threadgroup that are of another make.

namespace tc::subcore::threadgroup_products_test {
namespace {

using test::answer;
using test::registers;
using test::schoolbook_units;
using test::tensor_bench;

/// Makes the units of one threadgroup of the warp, and declines all others.
class one_threadgroup {
 public:
  one_threadgroup(unsigned threadgroup, const answer& how) : threadgroup_(threadgroup), how_(how) {}

  links::unit_source source() {
    links::unit_source units;
    units.makers.dot_products = [this](const char* name, const links::dot_product_site& site) {
      links::made_dot_products made;
      made.declined = site.threadgroup != threadgroup_;
      if (made.declined) return made;
      auto unit = std::make_unique<schoolbook_units>(name, site.tensor_core.arithmetic, how_);
      unit_ = unit.get();
      made.sockets = {&unit->socket};
      made.module = std::move(unit);
      return made;
    };
    return units;
  }

  schoolbook_units& unit() { return *unit_; }

 private:
  const unsigned threadgroup_;
  const answer how_;
  schoolbook_units* unit_ = nullptr;
};

struct replaced {
  test::tensor_machine machine;
  unsigned threadgroup;
};
std::ostream& operator<<(std::ostream& out, const replaced& at) { return out << at.machine.name << ' ' << at.threadgroup; }

class threadgroup_products_of : public testing::TestWithParam<replaced> {
 protected:
  /// Runs each operation in the model's own unit and in one with a threadgroup of another make, and has both results checked.
  template <class Check>
  void for_each_operation(const answer& how, const std::function<void(schoolbook_units&)>& prepare, const Check& check) {
    const test::tensor_machine& machine = GetParam().machine;
    one_threadgroup foreign(GetParam().threadgroup, how);
    links::link_binder binder;
    tensor_bench own("own", machine.parameters, binder), mixed("mixed", machine.parameters, binder, true, foreign.source());
    prepare(foreign.unit());
    std::mt19937 random(2);
    for (const std::string& mnemonic : machine.operations) {
      SCOPED_TRACE(mnemonic);
      const isa::instruction code = test::matrix_instruction(mnemonic, machine.arch);
      const auto values = tensor_bench::random_operands(*code.mma, random, 0xbfffbfff);
      const links::warp_instruction &expected = own.run(code, values), &actual = mixed.run(code, values);
      sc_core::sc_start(100, sc_core::SC_NS);
      ASSERT_EQ(mixed.arrivals.back().instruction, &actual);
      EXPECT_EQ(mixed.arrivals.back().cycle - actual.dispatch, expected.result - expected.dispatch);
      check(tensor_bench::result_of(expected), tensor_bench::result_of(actual));
    }
    EXPECT_EQ(foreign.unit().calls, machine.operations.size());
  }
};

TEST_P(threadgroup_products_of, another_make_give_the_same_bits_and_cycles) {
  for_each_operation(
      {}, [](auto&) {}, [](const registers& expected, const registers& actual) { EXPECT_EQ(actual, expected); });
}

TEST_P(threadgroup_products_of, another_make_may_answer_in_calls_of_their_own) {
  for_each_operation(
      {2, false}, [](auto&) {}, [](const registers& expected, const registers& actual) { EXPECT_EQ(actual, expected); });
}

TEST_P(threadgroup_products_of, another_make_reach_their_own_lanes_alone) {
  const std::uint32_t own = links::lanes_of_threadgroup(GetParam().threadgroup);
  const auto spoil = [](schoolbook_units& unit) { unit.is_wrong = true; };
  for_each_operation({}, spoil, [own](const registers& expected, const registers& actual) {
    std::uint32_t differing = 0;
    for (std::size_t r = 0; r < expected.size(); ++r)
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
        if (expected[r][lane] != actual[r][lane]) differing |= 1U << lane;
    EXPECT_EQ(differing, own);
  });
}

std::string error_of(const replaced& at, const answer& how) {
  one_threadgroup foreign(at.threadgroup, how);
  links::link_binder binder;
  tensor_bench mixed("mixed", at.machine.parameters, binder, true, foreign.source());
  const isa::instruction code = test::matrix_instruction(at.machine.operations.front(), at.machine.arch);
  std::mt19937 random(1);
  try {
    mixed.run(code, tensor_bench::random_operands(*code.mma, random));
    sc_core::sc_start(200, sc_core::SC_NS);
  } catch (const sc_core::sc_report& report) {
    return report.get_msg_type();
  }
  return "";
}

/// Cycles that the schedule has for the first of the machine's operations, from operands to sums.
unsigned time_of(const test::tensor_machine& machine) {
  const tensor_demand demand = test::demand_of(test::matrix_operation(machine.operations.front(), machine.arch), machine.parameters);
  return demand.products - demand.fill;
}

TEST_P(threadgroup_products_of, another_make_have_the_time_of_the_schedule) {
  EXPECT_EQ(error_of(GetParam(), {time_of(GetParam().machine), false}), "");
}
TEST_P(threadgroup_products_of, another_make_that_take_longer_are_reported) {
  EXPECT_EQ(error_of(GetParam(), {time_of(GetParam().machine) + 1, false}), report::tensor_late);
}
TEST_P(threadgroup_products_of, another_make_that_say_they_take_longer_are_reported) {
  EXPECT_EQ(error_of(GetParam(), {time_of(GetParam().machine) + 1, true}), report::tensor_late);
}

INSTANTIATE_TEST_SUITE_P(machines, threadgroup_products_of,
                         testing::Values(replaced{test::volta(), 0}, replaced{test::volta(), 7}, replaced{test::turing(), 5},
                                         replaced{test::turing(), 2}, replaced{test::ampere(), 3}, replaced{test::hopper(), 4}),
                         [](const auto& test) { return test.param.machine.name + std::to_string(test.param.threadgroup); });

}  // namespace
}  // namespace tc::subcore::threadgroup_products_test
