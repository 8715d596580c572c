// SPDX-License-Identifier: Apache-2.0
#include "tensor_links.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include <tc/subcore/tensor/tensor_reports.hpp>

#include "tensor_bench.hpp"

namespace tc::subcore::tensor_links_test {
namespace {

using sc_core::SC_NS;
using test::interposing_binder;
using test::registers;
using test::tensor_bench;
using test::turing;

auto later(unsigned cycles) {
  return [cycles](links::b_tile_transfer& tile) { tile.complete += cycles; };
}

/// A bench on which a test disturbs links while one and the same product is computed.
class tensor_links : public testing::Test {
 protected:
  registers product() { return tensor_bench::result_of(bench.run(code, values)); }

  std::string type_of_error() {
    try {
      product();
    } catch (const sc_core::sc_report& report) {
      return report.get_msg_type();
    }
    return "";
  }

  std::mt19937 random{3};
  isa::instruction code = test::matrix_instruction("IMMA.8816.S8.S8", turing().arch);
  tensor_bench::operands values = tensor_bench::random_operands(*code.mma, random);
  interposing_binder binder;
  tensor_bench bench{"bench", turing().parameters, binder};
};

TEST_F(tensor_links, carry_the_values_that_are_used) {
  const registers undisturbed = product();
  for (const char* link : {"b_fill", "b_read", "fragments A", "fragments C", "dot_products", "fragments D"}) {
    ASSERT_TRUE(binder.flip_bits(link, true)) << link;
    EXPECT_NE(product(), undisturbed) << link;
    binder.flip_bits(link, false);
    EXPECT_EQ(product(), undisturbed) << link;
  }
}

TEST_F(tensor_links, include_that_of_the_result) {
  const registers undisturbed = product();
  ASSERT_TRUE(binder.flip_bits("result", true));
  EXPECT_NE(product(), undisturbed);
}

TEST_F(tensor_links, exist_for_each_tensor_core_and_buffer) {
  EXPECT_EQ(binder.b_tile_links["b_fill"].size(), 1u);
  EXPECT_EQ(binder.b_tile_links["b_read"].size(), 2u);
  EXPECT_EQ(binder.fragment_links["fragments"].size(), 2u);
  EXPECT_EQ(binder.dot_product_links["dot_products"].size(), 2u);
}

TEST_F(tensor_links, may_bring_b_later_as_long_as_products_are_in_time) {
  const registers undisturbed = product();
  binder.b_tile_links["b_read"][0]->on_the_way_back = later(8);  // read in cycle 1, products in cycle 9
  EXPECT_EQ(product(), undisturbed);
  EXPECT_EQ(bench.arrivals.back().cycle, bench.arrivals.back().instruction->result);
}

TEST_F(tensor_links, that_bring_b_too_late_are_reported) {
  binder.b_tile_links["b_read"][1]->on_the_way_back = later(9);
  EXPECT_EQ(type_of_error(), report::tensor_late);
}

TEST_F(tensor_links, may_answer_in_phases_of_their_own) {
  const registers undisturbed = product();
  auto& link = *binder.b_tile_links["b_read"][0];
  link.holds = true;
  const links::warp_instruction& instruction = bench.run(code, values);
  EXPECT_NE(bench.arrivals.back().instruction, &instruction) << "one of two tensor cores has no B";
  sc_core::sc_start(sc_core::sc_time(5, SC_NS));
  link.answer();
  EXPECT_EQ(bench.arrivals.back().instruction, &instruction);
  EXPECT_EQ(bench.arrivals.back().cycle, instruction.result);
  EXPECT_EQ(tensor_bench::result_of(instruction), undisturbed);
}

TEST_F(tensor_links, that_answer_after_the_tile_is_needed_again_are_reported) {
  for (auto& link : binder.b_tile_links["b_read"]) link->holds = true;
  bench.run(code, values);
  bench.run(code, values);
  EXPECT_EQ(type_of_error(), report::tensor_late) << "two tiles, both waiting";
}

TEST_F(tensor_links, report_a_buffer_that_refuses) {
  const auto refuse = [](links::b_tile_transfer& tile) { tile.refusal = "it is broken"; };
  binder.b_tile_links["b_fill"][0]->on_the_way_back = refuse;
  EXPECT_EQ(type_of_error(), report::tensor_operand);
}

TEST_F(tensor_links, report_a_buffer_that_refuses_to_be_read) {
  const auto refuse = [](links::b_tile_transfer& tile) { tile.refusal = "it is broken"; };
  binder.b_tile_links["b_read"][0]->on_the_way_back = refuse;
  EXPECT_EQ(type_of_error(), report::tensor_operand);
}

/// What does not pass is missed: the result is another, or the instruction does not come back.
TEST_F(tensor_links, that_lose_a_transaction_are_noticed) {
  const registers undisturbed = product();
  values = tensor_bench::random_operands(*code.mma, random);
  for (const char* link : {"b_fill", "b_read"}) {
    binder.b_tile_links[link][0]->loses = true;
    EXPECT_TRUE(type_of_error() == report::tensor_operand || tensor_bench::result_of(*bench.arrivals.back().instruction) != undisturbed)
        << link;
    binder.b_tile_links[link][0]->loses = false;
  }
}

/// Who answers without having multiplied gives no products.
TEST_F(tensor_links, that_lose_fragments_lose_products) {
  const registers undisturbed = product();
  values = tensor_bench::random_operands(*code.mma, random);
  binder.fragment_links["fragments"][1]->loses = true;
  EXPECT_NE(product(), undisturbed);
  const registers half = tensor_bench::result_of(*bench.arrivals.back().instruction);
  binder.fragment_links["fragments"][1]->loses = false;
  EXPECT_NE(product(), half);
}

TEST_F(tensor_links, may_give_products_in_calls_of_their_own) {
  const registers undisturbed = product();
  auto& link = *binder.fragment_links["fragments"][0];
  link.holds = true;
  const links::warp_instruction& instruction = bench.run(code, values);
  EXPECT_NE(bench.arrivals.back().instruction, &instruction) << "one of two tensor cores has not answered";
  EXPECT_FALSE(bench.pipe.idle());
  link.answer();
  EXPECT_EQ(bench.arrivals.back().instruction, &instruction);
  EXPECT_EQ(bench.arrivals.back().cycle, instruction.result);
  EXPECT_EQ(tensor_bench::result_of(instruction), undisturbed);
}

TEST_F(tensor_links, that_give_products_twice_are_reported) {
  auto& link = *binder.fragment_links["fragments"][1];
  link.holds = true;
  bench.run(code, values);
  link.answer();
  link.holds = false;
  try {
    link.answer_again();
    FAIL() << "two answers";
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), report::tensor_answer);
    EXPECT_NE(std::string(report.get_msg()).find("another answer, BEGIN_RESP"), std::string::npos) << report.get_msg();
  }
}

TEST_F(tensor_links, that_fill_a_tile_which_is_held_are_reported) {
  binder.fragment_links["fragments"][1]->on_the_way = [](links::fragment_transfer& fragments) {
    const_cast<links::matrix_work&>(*fragments.work).schedule.a_tile = 0;  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  };
  product();
  try {
    product();
    FAIL() << "two instructions in one tile";
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), report::tensor_tile);
    EXPECT_NE(std::string(report.get_msg()).find("tile 0 of the A buffer"), std::string::npos) << report.get_msg();
  }
}

}  // namespace
}  // namespace tc::subcore::tensor_links_test
