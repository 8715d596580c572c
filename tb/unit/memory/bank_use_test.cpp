// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <random>

#include <gtest/gtest.h>

#include <tc/memory/bank_use.hpp>

namespace tc::memory::bank_use_test {
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

/// What bank_use says without keeping a word for each bank.
class table_of_banks {
 public:
  explicit table_of_banks(unsigned banks) : banks_(banks) {}

  bool add(std::uint64_t first, std::uint64_t last) {
    std::map<std::uint64_t, std::uint64_t> words = words_;
    for (std::uint64_t word = first; word <= last; ++word)
      if (words.try_emplace(word % banks_, word).first->second != word) return false;
    words_ = words;
    return true;
  }

 private:
  unsigned banks_;
  std::map<std::uint64_t, std::uint64_t> words_;
};

TEST(bank_use, agrees_with_a_table_of_the_banks_words) {
  std::mt19937 random(1);
  for (const unsigned count : {1U, 4U, 32U, 64U, 256U}) {
    for (unsigned wavefront = 0; wavefront < 200; ++wavefront) {
      bank_use banks(count);
      table_of_banks table(count);
      for (unsigned run = 0; run < 8; ++run) {
        const std::uint64_t first = random() % (4 * count), last = first + random() % (count / 4 + 1);
        ASSERT_EQ(banks.add(first, last), table.add(first, last)) << count << " banks, words " << first << " to " << last;
      }
    }
  }
}

TEST(bank_use, refuses_more_words_than_there_are_banks) {
  bank_use banks(32);
  EXPECT_FALSE(banks.add(0, 32));
  EXPECT_TRUE(banks.add(16, 47)) << "32 words, wherever they begin";
}

}  // namespace
}  // namespace tc::memory::bank_use_test
