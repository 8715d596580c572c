// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include <fmt/format.h>

namespace tc::observe {

/// Text of JSON that is put together piece by piece: for files that are too long for a document in memory.
class json_text {
 public:
  template <std::size_t Size>
  json_text& raw(const char (&literal)[Size]) {
    return raw(std::string_view(literal, Size - 1));
  }
  json_text& raw(std::string_view text) {
    if (capacity_ - size_ < text.size()) grow(text.size());
    std::memcpy(text_.get() + size_, text.data(), text.size());
    size_ += text.size();
    return *this;
  }
  json_text& number(std::uint64_t value) {
    const fmt::format_int digits(value);
    return raw(std::string_view(digits.data(), digits.size()));
  }
  /// Digits alone.
  json_text& hexadecimal(std::uint64_t value) {
    char digits[16];
    std::size_t first = sizeof digits;
    do {
      digits[--first] = "0123456789abcdef"[value % 16];
      value /= 16;
    } while (value != 0);
    return raw(std::string_view(digits + first, sizeof digits - first));
  }
  /// A string with its quotes, escaped as RFC 8259 wants it. Bytes above 127 are taken for UTF-8.
  json_text& string(std::string_view value);

  std::string_view view() const { return {text_.get(), size_}; }
  void clear() { size_ = 0; }

 private:
  void grow(std::size_t more);

  std::unique_ptr<char[]> text_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace tc::observe
