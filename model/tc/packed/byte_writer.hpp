// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <tc/trace/varint.hpp>

namespace tc::packed {

/// Bytes of a packed trace, put one behind the other.
class byte_writer {
 public:
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

  void byte(std::uint8_t value) { bytes_.push_back(value); }
  void number(std::uint64_t value) {
    std::array<std::uint8_t, trace::max_varint_bytes> packed{};
    append(packed.data(), trace::put_varint(packed.data(), value));
  }
  /// Length and characters.
  void text(std::string_view characters) {
    number(characters.size());
    bytes_.insert(bytes_.end(), characters.begin(), characters.end());
  }
  /// A number of `Bytes` bytes, low ones first.
  template <std::size_t Bytes>
  void fixed(std::uint64_t value) {
    for (std::size_t i = 0; i < Bytes; ++i) byte(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void append(const std::uint8_t* begin, const std::uint8_t* end) { bytes_.insert(bytes_.end(), begin, end); }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Reads what byte_writer::fixed wrote.
template <std::size_t Bytes>
std::uint64_t get_fixed(const std::uint8_t* in) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < Bytes; ++i) value |= std::uint64_t{in[i]} << (8 * i);
  return value;
}

}  // namespace tc::packed
