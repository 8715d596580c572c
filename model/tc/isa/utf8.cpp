// SPDX-License-Identifier: Apache-2.0
#include "utf8.hpp"

namespace tc::isa {
namespace {

/// Bytes of the sequence that starts at text[0], 0 if none does.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const unsigned second = byte(1);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool surrogate = lead == 0xed && second > 0x9f;
  const bool beyond = lead == 0xf4 && second > 0x8f;
  return overlong || surrogate || beyond ? 0 : length;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Offset of the first byte that begins no sequence, or that is a control character if those count.
std::size_t find_bad(std::string_view text, bool control_is_bad) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = sequence_length(text.substr(at));
    if (length == 0 || (control_is_bad && is_control(text[at]))) return at;
    at += length;
  }
  return at;
}

}  // namespace

std::size_t find_malformed_utf8(std::string_view text) { return find_bad(text, false); }

std::size_t find_unprintable(std::string_view text) { return find_bad(text, true); }

std::string to_utf8(std::string_view text) {
  std::string good;
  while (true) {
    const std::size_t bad = find_malformed_utf8(text);
    good += text.substr(0, bad);
    if (bad == text.size()) return good;
    good += "\xef\xbf\xbd";
    text.remove_prefix(bad + 1);
  }
}

}  // namespace tc::isa
