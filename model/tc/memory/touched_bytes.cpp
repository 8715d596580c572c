// SPDX-License-Identifier: Apache-2.0
#include "touched_bytes.hpp"

namespace tc::memory {

std::vector<touched_bytes::range> touched_bytes::ranges() const {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(pages_.size());
  for (const auto& [number, page] : pages_) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  std::vector<range> found;
  const auto append = [&found](std::uint64_t address, std::uint64_t bytes) {
    if (!found.empty() && found.back().address + found.back().bytes == address)
      found.back().bytes += bytes;
    else
      found.push_back({address, bytes});
  };
  for (const std::uint64_t number : numbers) {
    const page& words = pages_.at(number);
    for (std::uint64_t w = 0; w < page_words; ++w) {
      const std::uint64_t first = number * page_bytes + w * word_bits;
      for (std::uint64_t left = words[w]; left != 0;) {
        const auto begin = static_cast<unsigned>(__builtin_ctzll(left));
        const std::uint64_t from_begin = left >> begin;
        const std::uint64_t count = ~from_begin == 0 ? word_bits : static_cast<std::uint64_t>(__builtin_ctzll(~from_begin));
        append(first + begin, count);
        left = begin + count == word_bits ? 0 : left & (~std::uint64_t{0} << (begin + count));
      }
    }
  }
  return found;
}

}  // namespace tc::memory
