// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <tc/packed/packed_file.hpp>
#include <tc/trace/step_source.hpp>

namespace tc::packed {

/// Bytes that lie in blocks of a packed trace, read at any place; a block is unpacked when it is needed. The last one stays unpacked, so
/// that short reads, as of the many short warps in a block, share it.
class packed_stream {
 public:
  /// `place`: where its blocks are; `block_sizes`: stored bytes of each, heads included. Throws trace_error if they do not fill the place.
  packed_stream(std::shared_ptr<packed_file> file, const stream_place& place, const std::vector<std::uint64_t>& block_sizes);

  std::uint64_t size() const { return place_.bytes; }
  /// Unpacked bytes of each block but the last.
  std::size_t block_bytes() const { return static_cast<std::size_t>(place_.block_bytes); }
  /// Reads some of the `count` bytes from `offset` on, at least one, up to the end of a block. Returns how many. Throws trace_error.
  std::size_t read(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const;
  packed_file& file() const { return *file_; }

 private:
  void unpack(std::size_t block) const;

  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::shared_ptr<packed_file> file_;
  stream_place place_;
  std::vector<std::uint64_t> offsets_;      ///< where each block begins in the file
  mutable std::vector<std::uint8_t> last_;  ///< content of the block that was read last
  mutable std::size_t last_block_ = none;
};

/// The steps of a packed trace.
class packed_steps final : public trace::step_source {
 public:
  explicit packed_steps(packed_stream stream) : stream_(std::move(stream)) {}

  std::size_t piece_bytes() const override { return stream_.block_bytes(); }
  std::size_t read(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const override {
    return stream_.read(offset, destination, count);
  }
  void verify() const override { stream_.file().verify(); }
  bool is_foreign() const override { return true; }

 private:
  packed_stream stream_;
};

}  // namespace tc::packed
