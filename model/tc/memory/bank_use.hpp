#pragma once

#include <cstdint>
#include <vector>

namespace tc::memory {

/// The word that each bank delivers or takes in one wavefront. Consecutive words lie in consecutive banks.
class bank_use {
 public:
  /// `banks` is a power of two.
  explicit bank_use(unsigned banks) : last_bank_(banks - 1), word_(banks), wavefront_(banks) {}

  /// A new wavefront: all banks are free.
  void clear() { ++current_; }

  /// Takes the words from `first` to `last` into the wavefront; false, and nothing changed, if a bank already serves another word.
  bool add(std::uint64_t first, std::uint64_t last) {
    if (last - first > last_bank_) return false;
    for (std::uint64_t word = first; word <= last; ++word)
      if (wavefront_[word & last_bank_] == current_ && word_[word & last_bank_] != word) return false;
    for (std::uint64_t word = first; word <= last; ++word) {
      wavefront_[word & last_bank_] = current_;
      word_[word & last_bank_] = word;
    }
    return true;
  }

 private:
  std::uint64_t last_bank_;
  std::vector<std::uint64_t> word_;       // by bank
  std::vector<std::uint64_t> wavefront_;  // by bank: the wavefront that word_ belongs to
  std::uint64_t current_ = 1;
};

}  // namespace tc::memory
