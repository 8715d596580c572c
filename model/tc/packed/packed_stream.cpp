// SPDX-License-Identifier: Apache-2.0
#include "packed_stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tc::packed {

packed_stream::packed_stream(std::shared_ptr<packed_file> file, const stream_place& place, const std::vector<std::uint64_t>& block_sizes)
    : file_(std::move(file)), place_(place) {
  std::uint64_t offset = place.begin;
  for (const std::uint64_t size : block_sizes) {
    offsets_.push_back(offset);
    offset += size;
  }
  const std::uint64_t block = place.block_bytes;
  if (block == 0 || block > max_block_bytes || offset != place.end ||
      block_sizes.size() != place.bytes / block + (place.bytes % block == 0 ? 0 : 1))
    file_->fail(place.begin, "the packed trace is damaged: blocks do not fill their place");
}

std::size_t packed_stream::read(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const {
  const auto block = static_cast<std::size_t>(offset / block_bytes());
  if (block != last_block_) unpack(block);
  const auto begin = static_cast<std::size_t>(offset % block_bytes());
  const std::size_t copied = std::min(count, last_.size() - begin);
  std::memcpy(destination, last_.data() + begin, copied);
  return copied;
}

void packed_stream::unpack(std::size_t block) const {
  last_block_ = none;
  file_->read_block(offsets_[block], last_);
  const std::uint64_t begin = std::uint64_t{block} * block_bytes();
  if (last_.size() != std::min<std::uint64_t>(block_bytes(), size() - begin))
    file_->fail(offsets_[block], "the packed trace is damaged: the block has another length than the directory says");
  last_block_ = block;
}

}  // namespace tc::packed
