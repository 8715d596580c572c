// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tc::memory {

/// Which bytes of a large address space have been touched: a bit for each, in pages, so that an access costs a few operations on words.
class touched_bytes {
 public:
  /// Bytes that follow each other.
  struct range {
    std::uint64_t address = 0, bytes = 0;
  };

  void add(std::uint64_t address, std::uint64_t bytes) {
    while (bytes > 0) {
      const std::uint64_t offset = address % word_bits, count = std::min(word_bits - offset, bytes);
      // cppcheck-suppress shiftTooManyBits  // at least one byte is left
      word_of(address) |= (~std::uint64_t{0} >> (word_bits - count)) << offset;
      address += count;
      bytes -= count;
    }
  }

  /// All of them in ascending order, neighbours together.
  std::vector<range> ranges() const;

 private:
  static constexpr std::uint64_t word_bits = 64, page_words = 64, page_bytes = word_bits * page_words;
  using page = std::array<std::uint64_t, page_words>;

  std::uint64_t& word_of(std::uint64_t address) {
    const std::uint64_t number = address / page_bytes;
    if (latest_ == nullptr || latest_number_ != number) {
      latest_ = &pages_[number];  // its address stays
      latest_number_ = number;
    }
    return (*latest_)[address % page_bytes / word_bits];
  }

  std::unordered_map<std::uint64_t, page> pages_;
  page* latest_ = nullptr;
  std::uint64_t latest_number_ = 0;
};

}  // namespace tc::memory
