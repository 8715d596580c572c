// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace tc::trace {

/// Byte ranges that must not overlap, each with the line that declared it.
class range_set {
 public:
  /// Adds [base, base + bytes). Returns 0, or the line of a range that it overlaps; it is not added then.
  std::uint64_t add(std::uint64_t base, std::uint64_t bytes, std::uint64_t line) {
    const auto after = ranges_.lower_bound(base);
    if (after != ranges_.end() && after->first < base + bytes) return after->second.line;
    if (after != ranges_.begin() && std::prev(after)->second.end > base) return std::prev(after)->second.line;
    ranges_.emplace_hint(after, base, range{base + bytes, line});
    return 0;
  }

 private:
  struct range {
    std::uint64_t end, line;
  };
  std::map<std::uint64_t, range> ranges_;  ///< by base
};

}  // namespace tc::trace
