// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <tc/trace/varint.hpp>

namespace tc::packed {

// The outline of a packed trace (docs/traces.md, "Packed traces"): a preamble, blocks, a directory block, and a tail that says where the
// directory is. Numbers of fixed width have their low bytes first.

/// First bytes of the file. The first one begins no text in UTF-8, and the line ends show what a transfer as text has done to it.
inline constexpr std::array<std::uint8_t, 8> packed_magic{0x89, 'T', 'C', 'T', '\r', '\n', 0x1a, '\n'};
inline constexpr std::uint32_t packed_version = 1;
/// Magic, version (4 bytes), and the checksum of both (4 bytes).
inline constexpr std::size_t preamble_bytes = 16;
/// Offset of the directory (8 bytes), the checksum of these (4 bytes), and the last of the magic's letters.
inline constexpr std::size_t tail_bytes = 16;
inline constexpr std::array<std::uint8_t, 4> tail_magic{'T', 'C', 'T', '\n'};

/// Bytes of packed steps in a block. More would be compressed better, and take more memory for each warp that is played.
inline constexpr std::size_t step_block_bytes = std::size_t{1} << 13;
/// Bytes of images in a block.
inline constexpr std::size_t image_block_bytes = std::size_t{1} << 16;
/// A reader takes blocks of steps and images of up to so many bytes.
inline constexpr std::size_t max_block_bytes = std::size_t{1} << 24;
/// Unpacked bytes that any block may have: a few bytes of a file can stand for as many as they like, and those must not fill the memory.
inline constexpr std::size_t max_plain_bytes = std::size_t{1} << 28;
/// Bytes of text in a block, about.
inline constexpr std::size_t text_block_bytes = std::size_t{1} << 16;

/// Blocks that lie behind each other and hold a stream of bytes.
struct stream_place {
  std::uint64_t begin = 0, end = 0;  ///< offsets in the file
  std::uint64_t block_bytes = 0;     ///< unpacked, of each block but the last
  std::uint64_t bytes = 0;           ///< unpacked, of all
};

/// Where the parts of a packed trace are, in the order of the file.
struct packed_directory {
  stream_place images;            ///< bytes that the header gives as hexadecimal digits
  stream_place steps;             ///< packed steps of all warps
  std::uint64_t text = 0;         ///< blocks with the lines that no step gives back; they end where the next part begins
  std::uint64_t kernel = 0;       ///< the block with the header
  std::uint64_t code = 0;         ///< the block with the distinct instructions
  std::uint64_t warps = 0;        ///< the block with CTAs and warps
  std::uint64_t block_sizes = 0;  ///< the block with the stored bytes of each block of images and steps

  /// Calls visit(number) for each number of it, in the order of the file.
  template <typename Directory, typename Visitor>
  static void visit(Directory& directory, Visitor visit) {
    for (auto* const stream : {&directory.images, &directory.steps})
      for (auto* const number : {&stream->begin, &stream->end, &stream->block_bytes, &stream->bytes}) visit(*number);
    for (auto* const number : {&directory.text, &directory.kernel, &directory.code, &directory.warps, &directory.block_sizes})
      visit(*number);
  }
};

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
