#pragma once

#include <cstdint>
#include <vector>

namespace tc::memory {

/// The word that each bank delivers or takes in one wavefront. Consecutive words lie in consecutive banks.
class bank_use {
 public:
  /// `banks` is a power of two.
  explicit bank_use(unsigned banks) : last_bank_(banks - 1), used_(banks) {}

  /// A new wavefront: all banks are free.
  void clear() { ++current_; }

  /// Takes the words from `first` to `last` into the wavefront; false, and nothing changed, if a bank already serves another word.
  bool add(std::uint64_t first, std::uint64_t last) {
    const std::uint64_t last_bank = last_bank_, current = current_;
    if (last - first > last_bank) return false;
    bank* const banks = used_.data();
    for (std::uint64_t word = first; word <= last; ++word) {
      const bank& each = banks[word & last_bank];
      if (each.wavefront == current && each.word != word) return false;
    }
    for (std::uint64_t word = first; word <= last; ++word) banks[word & last_bank] = {word, current};
    return true;
  }

 private:
  struct bank {
    std::uint64_t word = 0, wavefront = 0;  ///< that it serves, and in which wavefront
  };

  std::uint64_t last_bank_;
  std::vector<bank> used_;
  std::uint64_t current_ = 1;
};

}  // namespace tc::memory
