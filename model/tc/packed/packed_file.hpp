// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tc/packed/packed_block.hpp>
#include <tc/packed/packed_format.hpp>
#include <tc/trace/positioned_file.hpp>

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

}  // namespace tc::packed
