// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tc::packed {

/// What a block of a packed trace begins with: three numbers of 32 bits, low bytes first. The stored bytes behind them are a frame of
/// Zstandard (RFC 8878), or the bytes themselves if that were not shorter: then both counts are equal.
struct block_head {
  static constexpr std::size_t bytes = 12;

  std::uint32_t checksum = 0;  ///< of all that follows: the two counts and the stored bytes
  std::uint32_t stored = 0;    ///< bytes behind the head
  std::uint32_t plain = 0;     ///< bytes that they hold

  static block_head decode(const std::uint8_t* in);
};

/// CRC-32 (ITU-T V.42).
std::uint32_t checksum_of(const std::uint8_t* bytes, std::size_t count);

/// Appends a block that holds `count` bytes. Throws std::bad_alloc without enough memory.
void append_block(const std::uint8_t* plain, std::size_t count, std::vector<std::uint8_t>& out);

/// Unpacks blocks one after the other with the same working memory.
class block_unpacker {
 public:
  block_unpacker();
  ~block_unpacker();
  block_unpacker(const block_unpacker&) = delete;
  block_unpacker& operator=(const block_unpacker&) = delete;

  /// Unpacks the block at `block`, head and stored bytes. False if the checksum is not that of the block, or the frame is not as long as it
  /// says. Throws std::bad_alloc without enough memory.
  bool unpack(const std::uint8_t* block, std::vector<std::uint8_t>& plain);

 private:
  struct working_memory;
  bool expand(const std::uint8_t* stored, const block_head& head, std::vector<std::uint8_t>& plain);

  std::unique_ptr<working_memory> memory_;
};

}  // namespace tc::packed
