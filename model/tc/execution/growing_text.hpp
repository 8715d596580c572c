// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace tc::execution {

/// A text to which lines are appended, of which there may be many that grow to any length: all but its end is kept compressed.
class growing_text {
 public:
  /// Where to append to; valid until settle().
  std::string& end() { return end_; }
  /// Compresses what has been appended, if it is long enough.
  void settle() {
    if (end_.size() > piece_bytes) compress();
  }
  void write(std::ostream& out) const;

 private:
  static constexpr std::size_t piece_bytes = std::size_t{1} << 16;

  struct piece {
    std::vector<char> compressed;
    std::size_t bytes = 0;  ///< of the text
  };

  void compress();

  std::vector<piece> pieces_;
  std::string end_;
};

}  // namespace tc::execution
