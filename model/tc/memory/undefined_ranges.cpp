// SPDX-License-Identifier: Apache-2.0
#include "undefined_ranges.hpp"

#include <algorithm>
#include <cstddef>

namespace tc::memory {

void undefined_ranges::write(std::uint64_t address, std::uint64_t count, const unsigned char* flags) {
  define(address, count);
  const auto is_set = [](unsigned char flag) { return flag != 0; };
  const auto is_clear = [](unsigned char flag) { return flag == 0; };
  const unsigned char* const end = flags + count;
  for (const unsigned char* first = std::find_if(flags, end, is_set); first != end;) {
    const unsigned char* const last = std::find_if(first, end, is_clear);
    ranges_.add(range_of(address + static_cast<std::uint64_t>(first - flags), static_cast<std::uint64_t>(last - first)));
    first = std::find_if(last, end, is_set);
  }
}

bool undefined_ranges::reaches_into(std::uint64_t address, std::uint64_t count) const {
  return boost::icl::intersects(ranges_, range_of(address, count));
}

void undefined_ranges::copy(std::uint64_t address, std::uint64_t count, std::vector<unsigned char>& flags) const {
  flags.assign(count, 0);
  const range all = range_of(address, count);
  const auto [begin, end] = ranges_.equal_range(all);
  for (auto each = begin; each != end; ++each) {
    const std::uint64_t first = std::max(each->lower(), all.lower()), last = std::min(each->upper(), all.upper());
    std::fill_n(flags.begin() + static_cast<std::ptrdiff_t>(first - address), last - first + 1, static_cast<unsigned char>(1));
  }
}

}  // namespace tc::memory
