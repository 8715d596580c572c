#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tc::fabric {

/// A set of small numbers, which are visited in ascending order. Entering one takes the same time however many there are; visiting them
/// costs next to nothing for those that are not there.
class unit_set {
 public:
  void insert(std::size_t id) {
    const std::size_t word = id / bits;
    if (word >= words_.size()) grow(word);
    words_[word] |= std::uint64_t{1} << id % bits;
    filled_[word / bits] |= std::uint64_t{1} << word % bits;
  }

  /// Whether `is_wanted(id)` holds for one of them.
  template <class Predicate>
  bool any_of(const Predicate& is_wanted) const {
    for (std::size_t part = 0; part < filled_.size(); ++part)
      for (std::uint64_t filled = filled_[part]; filled != 0; filled &= filled - 1) {
        const std::size_t word = part * bits + first_of(filled);
        for (std::uint64_t left = words_[word]; left != 0; left &= left - 1)
          if (is_wanted(word * bits + first_of(left))) return true;
      }
    return false;
  }

  /// Removes all, and calls `visit(id)` for each, which enters none.
  template <class Visit>
  void take_all(const Visit& visit) {
    any_of([&](std::size_t id) { return visit(id), false; });
    clear();
  }

  void clear() {
    for (std::size_t part = 0; part < filled_.size(); ++part) {
      for (std::uint64_t filled = filled_[part]; filled != 0; filled &= filled - 1) words_[part * bits + first_of(filled)] = 0;
      filled_[part] = 0;
    }
  }

 private:
  static constexpr std::size_t bits = 64;
  static std::size_t first_of(std::uint64_t word) { return static_cast<std::size_t>(__builtin_ctzll(word)); }

  void grow(std::size_t word) {
    words_.resize(word + 1);
    filled_.resize(word / bits + 1);
  }

  std::vector<std::uint64_t> words_;   ///< a bit for each number
  std::vector<std::uint64_t> filled_;  ///< a bit for each of these that is not zero
};

}  // namespace tc::fabric
