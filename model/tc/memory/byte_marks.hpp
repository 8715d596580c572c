// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tc/fabric/extensions.hpp>
#include <tc/fabric/zeroed_allocator.hpp>
#include <tc/links/shared_memory_link.hpp>

namespace tc::memory {

/// Consecutive bytes of a memory.
struct byte_range {
  std::uint64_t first = 0;
  std::size_t count = 0;
};

/// What is to be known of each byte of a shared memory before it is read: whether it has a value at all, and whether the reader may rely on
/// it. Costs an access a memset or a few searches of its bytes.
class byte_marks {
 public:
  explicit byte_marks(std::size_t bytes) : marks_(bytes) {}

  /// The part of [first, first + count) that exists.
  byte_range clip(std::uint64_t first, std::uint64_t count) const;

  /// The bytes begin a new life, undefined.
  void begin(byte_range bytes);
  void write(byte_range bytes, links::memory_user writer);
  /// What has been written has no value where the flag of a byte is not 0.
  void undefine(byte_range bytes, const unsigned char* flags);

  /// What warps have written is visible to the asynchronous proxy.
  void fence(byte_range bytes);
  /// A bulk copy writes to the bytes from now on.
  void arrive(byte_range bytes);
  /// Somebody has waited for the bulk copies that wrote to the bytes.
  void settle(byte_range bytes);

  bool any_undefined(byte_range bytes) const;
  /// Whether a warp that reads the bytes may rely on them, and all have a value.
  bool is_plain(byte_range bytes) const {
    std::uint32_t position = 0;
    return !any_undefined(bytes) && !(any_arriving_ && find(bytes, arriving, position));
  }
  /// Whether any is undefined, and which of them is the first.
  bool find_undefined(byte_range bytes, std::uint32_t& first) const { return find(bytes, undefined, first); }
  /// By byte: 1 if it is undefined, else 0.
  void copy_undefined(byte_range bytes, unsigned char* flags) const;
  /// Whether the bytes have values that everybody may rely on.
  bool are_settled(byte_range bytes) const;
  /// What is unreliable for a read through a proxy, and from which of its bytes on.
  struct hazard {
    fabric::proxy_hazard what = fabric::proxy_hazard::none;
    std::uint32_t first = 0;
  };
  hazard find_hazard(byte_range bytes, bool asynchronous) const;

  /// Nobody has written any byte.
  void reset();

 private:
  enum mark : unsigned char { undefined, settled, unfenced, arriving };

  unsigned char* at(byte_range bytes) { return marks_.data() + bytes.first; }
  void replace(byte_range bytes, mark from, mark to);
  bool find(byte_range bytes, mark wanted, std::uint32_t& position) const;

  fabric::zeroed_vector<unsigned char> marks_;  // by byte
  bool any_arriving_ = false;                   // since reset: without bulk copies nobody looks for their bytes
};

/// Eight bytes at a time: taking one from each byte sets the top bit of a byte if it was zero, since no mark has that bit.
inline bool byte_marks::any_undefined(byte_range bytes) const {
  static_assert(undefined == 0);
  constexpr std::uint64_t ones = 0x0101010101010101, tops = ones << 7U;
  const unsigned char* next = marks_.data() + bytes.first;
  std::size_t left = bytes.count;
  for (std::array<std::uint64_t, 2> row; left >= sizeof row; left -= sizeof row, next += sizeof row) {  // of matrices there are many
    std::memcpy(&row, next, sizeof row);
    if ((((row[0] - ones) | (row[1] - ones)) & tops) != 0) return true;
  }
  for (std::uint64_t word = 0; left >= sizeof word; left -= sizeof word, next += sizeof word) {
    std::memcpy(&word, next, sizeof word);
    if (((word - ones) & tops) != 0) return true;
  }
  return left != 0 && std::find(next, next + left, undefined) != next + left;
}

}  // namespace tc::memory
