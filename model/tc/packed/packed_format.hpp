// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

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

}  // namespace tc::packed
