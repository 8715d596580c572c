#pragma once

#include <cstdint>
#include <vector>

namespace tc::memory {

/// The word that each bank delivers or takes in one wavefront. Consecutive words lie in consecutive banks.
class bank_use {
 public:
  explicit bank_use(unsigned banks) : word_(banks), wavefront_(banks) {}

  /// A new wavefront: all banks are free.
  void clear() { ++current_; }

  /// Takes the words from `first` to `last` into the wavefront; false, and nothing changed, if a bank already serves another word.
  bool add(std::uint64_t first, std::uint64_t last) {
    const std::uint64_t banks = word_.size();
    if (last - first >= banks) return false;
    for (std::uint64_t word = first; word <= last; ++word)
      if (wavefront_[word % banks] == current_ && word_[word % banks] != word) return false;
    for (std::uint64_t word = first; word <= last; ++word) {
      wavefront_[word % banks] = current_;
      word_[word % banks] = word;
    }
    return true;
  }

 private:
  std::vector<std::uint64_t> word_;       // by bank
  std::vector<std::uint64_t> wavefront_;  // by bank: the wavefront that word_ belongs to
  std::uint64_t current_ = 1;
};

}  // namespace tc::memory
