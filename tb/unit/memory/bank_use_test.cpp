#include <gtest/gtest.h>

#include <tc/memory/bank_use.hpp>

namespace tc::memory {
namespace {

TEST(bank_use, serves_one_word_of_each_bank) {
  bank_use banks(32);
  EXPECT_TRUE(banks.add(0, 31));
  EXPECT_FALSE(banks.add(32, 32)) << "bank 0 serves word 0";
  EXPECT_TRUE(banks.add(5, 5)) << "the same word again: a broadcast";
}

TEST(bank_use, changes_nothing_when_it_refuses) {
  bank_use banks(32);
  EXPECT_TRUE(banks.add(4, 4));
  EXPECT_FALSE(banks.add(33, 36)) << "word 36 lies in bank 4";
  EXPECT_TRUE(banks.add(1, 3)) << "banks 1 to 3 are still free";
}

TEST(bank_use, is_free_again_in_the_next_wavefront) {
  bank_use banks(32);
  EXPECT_TRUE(banks.add(0, 0));
  banks.clear();
  EXPECT_TRUE(banks.add(32, 32));
}

TEST(bank_use, refuses_more_words_than_there_are_banks) {
  bank_use banks(32);
  EXPECT_FALSE(banks.add(0, 32));
  EXPECT_TRUE(banks.add(16, 47)) << "32 words, wherever they begin";
}

}  // namespace
}  // namespace tc::memory
