#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace tc::observe {

/// Text of JSON that is put together piece by piece: for files that are too long for a document in memory.
class json_text {
 public:
  json_text& raw(std::string_view text) {
    text_.append(text);
    return *this;
  }
  json_text& number(std::uint64_t value) {
    const fmt::format_int digits(value);
    text_.append(digits.data(), digits.size());
    return *this;
  }
  /// A string with its quotes, escaped as RFC 8259 wants it. Bytes above 127 are taken for UTF-8.
  json_text& string(std::string_view value);

  std::string_view view() const { return text_; }
  void clear() { text_.clear(); }

 private:
  std::string text_;
};

}  // namespace tc::observe
