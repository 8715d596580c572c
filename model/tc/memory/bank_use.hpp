// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tc::memory {

/// The word that each bank delivers or takes in one wavefront. Consecutive words lie in consecutive banks.
class bank_use {
 public:
  /// `banks` is a power of two.
  explicit bank_use(unsigned banks) : last_bank_(banks - 1) {
    while (banks >> bank_shift_ > mask_bits) ++bank_shift_;
  }

  /// A new wavefront: all banks are free.
  void clear() {
    runs_.clear();
    used_ = 0;
  }

  /// Takes the words from `first` to `last` into the wavefront; false, and nothing changed, if a bank already serves another word.
  bool add(std::uint64_t first, std::uint64_t last) {
    if (last - first > last_bank_) return false;
    const std::uint64_t wanted = banks_of(first, last);
    if ((used_ & wanted) != 0 && conflicts(first, last)) return false;
    used_ |= wanted;
    runs_.push_back({first, last});
    return true;
  }

 private:
  /// Words that follow each other.
  struct run {
    std::uint64_t first, last;
  };

  static constexpr unsigned mask_bits = 64;

  /// A bit for each bank, or for some that are neighbours.
  std::uint64_t banks_of(std::uint64_t first, std::uint64_t last) const {
    const std::uint64_t begin = (first & last_bank_) >> bank_shift_, end = (last & last_bank_) >> bank_shift_;
    const std::uint64_t from_begin = ~std::uint64_t{0} << begin, to_end = ~std::uint64_t{0} >> (mask_bits - 1 - end);
    const bool wraps = (first & last_bank_) > (last & last_bank_);
    return wraps ? from_begin | to_end : from_begin & to_end;
  }

  /// Whether a word lies in the bank of another one that the wavefront has.
  bool conflicts(std::uint64_t first, std::uint64_t last) const {
    return std::any_of(runs_.begin(), runs_.end(), [&](const run& each) {
      return is_reached(first, last, each.first, each.last) || is_reached(each.first, each.last, first, last);
    });
  }

  /// Whether a word of the first run lies a multiple of the banks, and not zero, behind one of the second.
  bool is_reached(std::uint64_t first, std::uint64_t last, std::uint64_t other_first, std::uint64_t other_last) const {
    if (last < other_first) return false;
    const std::uint64_t farthest = (last - other_first) & ~last_bank_;
    return farthest != 0 && other_last + farthest >= first;
  }

  std::uint64_t last_bank_;
  unsigned bank_shift_ = 0;
  std::uint64_t used_ = 0;  ///< banks_of() the runs
  std::vector<run> runs_;   ///< of the wavefront
};

}  // namespace tc::memory
