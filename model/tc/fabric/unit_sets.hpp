// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <systemc>

namespace tc::fabric {

/// So many sets of small numbers. The numbers of a set are visited in ascending order. Entering one takes the same time however many there
/// are; visiting them costs next to nothing for those that are not there.
template <std::size_t Sets>
class unit_sets {
 public:
  /// From now on the numbers below this one, which is not below that of the last call, can be entered.
  void make_room(std::size_t end) {
    const std::size_t words = (end + bits - 1) / bits;
    words_.resize(words * Sets);
    filled_.resize((words + bits - 1) / bits * Sets);
  }

  void insert(std::size_t set, std::size_t id) {
    const std::size_t word = id / bits;
    sc_assert(set < Sets && word * Sets < words_.size());
    words_[word * Sets + set] |= std::uint64_t{1} << id % bits;
    filled_[word / bits * Sets + set] |= std::uint64_t{1} << word % bits;
  }

  /// Whether `is_wanted(id)` holds for one of a set.
  template <class Predicate>
  bool any_of(std::size_t set, const Predicate& is_wanted) const {
    for (std::size_t part = 0; part < filled_.size() / Sets; ++part)
      for (std::uint64_t filled = filled_[part * Sets + set]; filled != 0; filled &= filled - 1) {
        const std::size_t word = part * bits + first_of(filled);
        for (std::uint64_t left = words_[word * Sets + set]; left != 0; left &= left - 1)
          if (is_wanted(word * bits + first_of(left))) return true;
      }
    return false;
  }

  /// Removes all of a set, and calls `visit(id)` for each, which enters none.
  template <class Visit>
  void take_all(std::size_t set, const Visit& visit) {
    any_of(set, [&](std::size_t id) { return visit(id), false; });
    clear(set);
  }

  void clear(std::size_t set) {
    for (std::size_t part = 0; part < filled_.size() / Sets; ++part) {
      std::uint64_t& filled = filled_[part * Sets + set];
      for (; filled != 0; filled &= filled - 1) words_[(part * bits + first_of(filled)) * Sets + set] = 0;
    }
  }
  void clear() {
    for (std::size_t set = 0; set < Sets; ++set) clear(set);
  }

 private:
  static constexpr std::size_t bits = 64;
  static std::size_t first_of(std::uint64_t word) { return static_cast<std::size_t>(__builtin_ctzll(word)); }

  std::vector<std::uint64_t> words_;   ///< a bit for each number: the first word of each set, then the second ones
  std::vector<std::uint64_t> filled_;  ///< likewise a bit for each of these words that is not zero
};

}  // namespace tc::fabric
