// SPDX-License-Identifier: Apache-2.0
#include "json_text.hpp"

#include <algorithm>
#include <utility>

namespace tc::observe {
namespace {

bool needs_escape(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

}  // namespace

json_text& json_text::string(std::string_view value) {
  raw("\"");
  std::string_view rest = value;
  while (true) {
    const auto* const stop = std::find_if(rest.begin(), rest.end(), needs_escape);
    raw(rest.substr(0, static_cast<std::size_t>(stop - rest.begin())));
    if (stop == rest.end()) return raw("\"");
    if (static_cast<unsigned char>(*stop) < 0x20)
      raw(fmt::format("\\u{:04x}", static_cast<unsigned char>(*stop)));
    else
      raw("\\").raw(std::string_view(stop, 1));
    rest.remove_prefix(static_cast<std::size_t>(stop - rest.begin()) + 1);
  }
}

void json_text::grow(std::size_t more) {
  const std::size_t capacity = std::max(2 * capacity_, size_ + more + 256);
  std::unique_ptr<char[]> larger(new char[capacity]);
  if (size_ != 0) std::memcpy(larger.get(), text_.get(), size_);
  text_ = std::move(larger);
  capacity_ = capacity;
}

}  // namespace tc::observe
