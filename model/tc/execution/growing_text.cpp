// SPDX-License-Identifier: Apache-2.0
#include "growing_text.hpp"

#include <ostream>
#include <stdexcept>
#include <zstd.h>

namespace tc::execution {

void growing_text::compress() {
  constexpr int fastest = 1;
  std::vector<char> place(ZSTD_compressBound(end_.size()));
  const std::size_t used = ZSTD_compress(place.data(), place.size(), end_.data(), end_.size(), fastest);
  if (ZSTD_isError(used) != 0) throw std::runtime_error(ZSTD_getErrorName(used));
  pieces_.push_back({{place.begin(), place.begin() + static_cast<std::ptrdiff_t>(used)}, end_.size()});
  end_.clear();
}

void growing_text::write(std::ostream& out) const {
  std::string text;
  for (const piece& each : pieces_) {
    text.resize(each.bytes);
    const std::size_t got = ZSTD_decompress(text.data(), text.size(), each.compressed.data(), each.compressed.size());
    if (got != each.bytes) throw std::runtime_error("a text that was compressed cannot be read again");
    out << text;
  }
  out << end_;
}

}  // namespace tc::execution
