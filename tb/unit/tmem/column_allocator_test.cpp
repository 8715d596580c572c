// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/tmem/column_allocator.hpp>

namespace tc::tmem::column_allocator_test {
namespace {

using mistake = allocation_mistake;

/// Allocates what must not wait.
unsigned allocated(column_allocator& columns, column_allocator::cta_id cta, unsigned count) {
  const auto answer = columns.allocate(cta, count);
  EXPECT_EQ(answer.mistake, mistake::none);
  EXPECT_TRUE(answer.first.has_value());
  return answer.first.value_or(~0U);
}

TEST(column_allocator, takes_the_lowest_aligned_run_and_waits_for_one) {
  column_allocator columns(512);
  EXPECT_EQ(allocated(columns, 1, 256), 0U);
  EXPECT_EQ(allocated(columns, 1, 128), 256U);
  EXPECT_EQ(allocated(columns, 1, 64), 384U);
  EXPECT_EQ(allocated(columns, 1, 64), 448U);
  EXPECT_EQ(columns.free_columns(), 0U);
  EXPECT_TRUE(columns.allocate(1, 32).waits());

  const auto freed = columns.deallocate(1, 384, 64);
  EXPECT_EQ(freed.mistake, mistake::none);
  ASSERT_EQ(freed.granted.size(), 1U);
  EXPECT_EQ(freed.granted[0].cta, 1U);
  EXPECT_EQ(freed.granted[0].first, 384U);
  EXPECT_EQ(freed.granted[0].columns, 32U);
  EXPECT_EQ(columns.free_columns(), 32U);
}

TEST(column_allocator, aligns_a_run_to_its_size) {
  column_allocator columns(512);
  EXPECT_EQ(allocated(columns, 1, 32), 0U);
  EXPECT_EQ(allocated(columns, 2, 128), 128U);
  EXPECT_EQ(allocated(columns, 3, 64), 64U);
  EXPECT_EQ(allocated(columns, 4, 32), 32U);
}

TEST(column_allocator, grants_in_the_order_of_requests_what_fits) {
  column_allocator columns(512);
  allocated(columns, 1, 256);
  allocated(columns, 1, 256);
  EXPECT_TRUE(columns.allocate(2, 512).waits());
  EXPECT_TRUE(columns.allocate(3, 128).waits());
  EXPECT_TRUE(columns.allocate(4, 128).waits());
  const auto first = columns.deallocate(1, 256, 256);
  ASSERT_EQ(first.granted.size(), 2U) << "512 columns are not free yet";
  EXPECT_EQ(first.granted[0].cta, 3U);
  EXPECT_EQ(first.granted[0].first, 256U);
  EXPECT_EQ(first.granted[1].cta, 4U);
  EXPECT_EQ(first.granted[1].first, 384U);
  columns.deallocate(3, 256, 128);
  columns.deallocate(1, 0, 256);
  EXPECT_EQ(columns.waiting(), 1U);
  const auto last = columns.deallocate(4, 384, 128);
  ASSERT_EQ(last.granted.size(), 1U);
  EXPECT_EQ(last.granted[0].cta, 2U);
  EXPECT_EQ(columns.waiting(), 0U);
}

TEST(column_allocator, refuses_sizes_that_are_none) {
  column_allocator columns(512), small(96);
  for (unsigned size : {0U, 1U, 16U, 33U, 96U, 1024U}) EXPECT_EQ(columns.allocate(1, size).mistake, mistake::bad_size) << size;
  EXPECT_EQ(small.allocate(1, 128).mistake, mistake::bad_size) << "it would wait for ever";
  EXPECT_EQ(allocated(small, 1, 64), 0U);
  EXPECT_TRUE(small.allocate(1, 64).waits()) << "a run from column 64 on would end behind the last one";
  EXPECT_EQ(allocated(small, 1, 32), 64U);
}

TEST(column_allocator, refuses_requests_that_grow) {
  column_allocator columns(512);
  allocated(columns, 1, 32);
  EXPECT_EQ(columns.allocate(1, 64).mistake, mistake::growing);
  EXPECT_EQ(allocated(columns, 2, 64), 64U) << "another CTA";
  EXPECT_EQ(allocated(columns, 1, 32), 32U);
}

TEST(column_allocator, refuses_requests_after_the_permit_is_relinquished) {
  column_allocator columns(512);
  allocated(columns, 1, 64);
  columns.relinquish(1);
  EXPECT_EQ(columns.allocate(1, 32).mistake, mistake::relinquished);
  EXPECT_EQ(columns.deallocate(1, 0, 64).mistake, mistake::none);
  EXPECT_EQ(columns.end(1).mistake, mistake::none);
  EXPECT_EQ(allocated(columns, 1, 512), 0U) << "another CTA of that number";
}

TEST(column_allocator, takes_back_only_what_an_allocation_returned) {
  column_allocator columns(512);
  allocated(columns, 1, 64);
  EXPECT_EQ(columns.deallocate(1, 0, 32).mistake, mistake::not_allocated) << "a part";
  EXPECT_EQ(columns.deallocate(1, 64, 64).mistake, mistake::not_allocated);
  EXPECT_EQ(columns.deallocate(2, 0, 64).mistake, mistake::not_allocated) << "of another CTA";
  EXPECT_EQ(columns.deallocate(1, 0, 64).mistake, mistake::none);
  EXPECT_EQ(columns.deallocate(1, 0, 64).mistake, mistake::not_allocated) << "twice";
}

TEST(column_allocator, finds_columns_that_a_cta_keeps) {
  column_allocator columns(512);
  EXPECT_EQ(columns.end(1).mistake, mistake::none) << "it never had any";
  allocated(columns, 1, 512);
  EXPECT_TRUE(columns.allocate(2, 512).waits());
  EXPECT_TRUE(columns.allocate(1, 32).waits());
  const auto ended = columns.end(1);
  EXPECT_EQ(ended.mistake, mistake::not_returned);
  ASSERT_EQ(ended.granted.size(), 1U);
  EXPECT_EQ(ended.granted[0].cta, 2U);
  EXPECT_EQ(columns.waiting(), 0U) << "a CTA that has ended waits for nothing";
}

TEST(column_allocator, says_which_rule_is_broken) {
  EXPECT_STREQ(describe(mistake::none), "");
  for (const mistake other : {mistake::bad_size, mistake::growing, mistake::relinquished, mistake::not_allocated, mistake::not_returned})
    EXPECT_STRNE(describe(other), "");
}

}  // namespace
}  // namespace tc::tmem::column_allocator_test
