// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tc/packed/packed_format.hpp>
#include <tc/trace/spool_file.hpp>
#include <tc/trace/varint.hpp>

namespace tc::packed {

/// A packed trace, of which nothing but the outline has been read. What is damaged or cut off is a trace_error at its offset.
class packed_file {
 public:
  /// True for the first byte of packed traces, which begins no other kind.
  static bool begins_with(int first_byte) { return first_byte == packed_magic[0]; }

  /// Reads preamble, directory and tail. `name` stands for the file in messages.
  packed_file(trace::positioned_file file, std::string name);

  const std::string& name() const { return name_; }
  const packed_directory& directory() const { return directory_; }
  /// Blocks are no more than this.
  std::uint64_t max_blocks() const { return size_ / block_head::bytes; }

  /// Unpacks the block at `offset`; returns the offset behind it.
  std::uint64_t read_block(std::uint64_t offset, std::vector<std::uint8_t>& plain);
  /// Reads every block.
  void verify();

  [[noreturn]] void fail(std::uint64_t offset, const std::string& message) const;

 private:
  void read_preamble();
  void read_directory();
  void read(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const;

  trace::positioned_file file_;
  std::string name_;
  std::uint64_t size_;
  std::uint64_t directory_offset_ = 0;
  packed_directory directory_;
  block_unpacker unpacker_;
  std::vector<std::uint8_t> block_;  ///< the last one, as it is stored
};

/// Reads what a byte_writer put into a block of a packed trace. What cannot be is a trace_error at the block.
class byte_reader {
 public:
  /// Unpacks the block at `offset`.
  byte_reader(packed_file& file, std::uint64_t offset) : file_(file), offset_(offset), next_offset_(file.read_block(offset, bytes_)) {}

  /// Where the next block is.
  std::uint64_t next_offset() const { return next_offset_; }
  bool at_end() const { return position_ == bytes_.size(); }

  std::uint8_t byte() {
    require(1);
    return bytes_[position_++];
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 7 * trace::max_varint_bytes; shift += 7) {
      const std::uint8_t part = byte();
      value |= std::uint64_t{part & 0x7fU} << shift;
      if (part < 0x80) return value;
    }
    fail();
  }
  /// A number below `limit`.
  std::uint64_t number_below(std::uint64_t limit) {
    const std::uint64_t value = number();
    if (value >= limit) fail();
    return value;
  }
  /// How many of something follow, which may be up to `most`.
  std::uint64_t count(std::string_view what, std::uint64_t most) {
    const std::uint64_t value = number();
    if (value > most) file_.fail(offset_, fmt::format("{} {} in a packed trace; {} are possible", value, what, most));
    return value;
  }
  /// Length and characters, valid as long as the reader.
  std::string_view text() {
    const std::uint64_t count = number();
    require(count);
    const std::string_view characters(reinterpret_cast<const char*>(bytes_.data()) + position_, count);
    position_ += count;
    return characters;
  }

  [[noreturn]] void fail() const { file_.fail(offset_, "the content of the block makes no sense"); }

 private:
  void require(std::uint64_t count) const {
    if (bytes_.size() - position_ < count) fail();
  }

  packed_file& file_;
  std::uint64_t offset_;
  std::vector<std::uint8_t> bytes_;
  std::uint64_t next_offset_;
  std::size_t position_ = 0;
};

}  // namespace tc::packed
