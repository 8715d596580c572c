#include "json_text.hpp"

#include <algorithm>

namespace tc::observe {
namespace {

bool needs_escape(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

}  // namespace

json_text& json_text::string(std::string_view value) {
  text_.push_back('"');
  if (std::none_of(value.begin(), value.end(), needs_escape)) {
    text_.append(value);
  } else {
    for (const char c : value) {
      if (static_cast<unsigned char>(c) < 0x20) {
        fmt::format_to(std::back_inserter(text_), "\\u{:04x}", static_cast<unsigned char>(c));
        continue;
      }
      if (needs_escape(c)) text_.push_back('\\');
      text_.push_back(c);
    }
  }
  text_.push_back('"');
  return *this;
}

}  // namespace tc::observe
