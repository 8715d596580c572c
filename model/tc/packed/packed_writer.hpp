// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string_view>
#include <vector>

#include <tc/packed/packed_contents.hpp>
#include <tc/packed/packed_format.hpp>
#include <tc/trace/spool_file.hpp>

namespace tc::packed {

/// Writes the outline of a packed trace: images and then steps as they come, lines of text kept in a temporary file until all steps are
/// written, then the parts that are known at the end. Throws spool_error; errors of the stream are the caller's to see.
class packed_writer {
 public:
  /// Writes the preamble. `spool_folder`: as in open_options.
  packed_writer(std::ostream& out, const std::filesystem::path& spool_folder);

  /// Appends to the images, before the first step; returns at which offset.
  std::uint64_t add_image(const std::vector<std::uint8_t>& bytes);
  /// Appends to the packed steps; returns how many bytes there are then.
  std::uint64_t add_steps(const std::uint8_t* begin, const std::uint8_t* end);
  /// Adds a line that is kept as text; lines come in their order.
  void add_text(std::uint64_t line, std::string_view text);
  /// Writes the rest.
  void finish(const byte_writer& kernel, const byte_writer& code, const byte_writer& warps);

 private:
  struct block_stream {
    stream_place& place;
    std::vector<std::uint64_t>& sizes;
    std::vector<std::uint8_t> waiting;  ///< bytes that are not yet in a block
  };
  void append(block_stream& stream, const std::uint8_t* begin, const std::uint8_t* end);
  void write_block(block_stream& stream, const std::uint8_t* bytes, std::size_t count);
  void end(block_stream& stream);
  void end_images();
  void flush_text();
  void write_text();
  std::uint64_t write_block(const std::vector<std::uint8_t>& plain);
  void write_tail(std::uint64_t directory_offset);
  void write(const std::uint8_t* bytes, std::size_t count);

  std::ostream& out_;
  std::uint64_t offset_ = 0;
  packed_directory directory_;
  packed_block_sizes sizes_;
  block_stream images_{directory_.images, sizes_.images, {}}, steps_{directory_.steps, sizes_.steps, {}};
  std::vector<std::uint8_t> block_;
  trace::spool_file text_blocks_;
  byte_writer text_;             ///< that is not yet in a block
  std::uint64_t text_line_ = 0;  ///< the last one
};

}  // namespace tc::packed
