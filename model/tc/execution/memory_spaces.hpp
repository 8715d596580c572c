// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tc::execution {

/// Bytes that are zero, of which only the pages that are touched take memory.
class zeroed_bytes {
 public:
  explicit zeroed_bytes(std::uint64_t bytes);

  std::uint8_t* data() const { return bytes_.get(); }

 private:
  struct release {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<std::uint8_t, release> bytes_;
};

/// Global memory: the allocations of a launch, and nothing between them.
class global_memory {
 public:
  static constexpr unsigned sector_bytes = 32;  ///< touched memory is counted in these

  struct range {
    std::uint64_t base, bytes;
    zeroed_bytes content, read, written;  ///< the last two: a byte for each sector, 1 if it was

    range(std::uint64_t first, std::uint64_t count);
    std::uint64_t sectors() const { return (bytes + sector_bytes - 1) / sector_bytes; }
    bool was_written() const;
  };

  /// Ranges come by address and do not overlap. A range ends where memory does: where the next one may begin.
  range& add(std::uint64_t base, std::uint64_t bytes);

  /// From now on there is memory at each address: it comes into being in pages that are filled when they are touched. For memory without
  /// other ranges.
  void exist_everywhere(std::function<void(range& page)> fill) { fill_ = std::move(fill); }
  /// Makes the pages of some bytes come into being, if they have not.
  void cover(std::uint64_t address, std::uint64_t bytes);

  /// Where the bytes from an address on lie; null if not all are in one allocation.
  std::uint8_t* read(std::uint64_t address, unsigned bytes) {
    range* const found = find(address, bytes);
    if (found == nullptr) return nullptr;
    const std::uint64_t offset = address - found->base;
    found->read.data()[offset / sector_bytes] = 1;
    return found->content.data() + offset;
  }
  std::uint8_t* write(std::uint64_t address, unsigned bytes) {
    range* const found = find(address, bytes);
    if (found == nullptr) return nullptr;
    const std::uint64_t offset = address - found->base;
    found->written.data()[offset / sector_bytes] = 1;
    return found->content.data() + offset;
  }

  /// The allocation next to an address and how far it is, for messages.
  std::string nearest(std::uint64_t address) const;

  const std::vector<range>& ranges() const { return ranges_; }
  /// Bytes of the sectors that were read, and that were written.
  std::uint64_t bytes_read() const;
  std::uint64_t bytes_written() const;

 private:
  range* find(std::uint64_t address, unsigned bytes) {
    if (last_ != nullptr && address - last_->base < last_->bytes && last_->bytes - (address - last_->base) >= bytes) return last_;
    return search(address, bytes);
  }
  range* search(std::uint64_t address, unsigned bytes);
  range* find_existing(std::uint64_t address, std::uint64_t bytes);

  static constexpr std::uint64_t page_bytes = std::uint64_t{1} << 16;

  std::vector<range> ranges_;
  range* last_ = nullptr;
  std::function<void(range& page)> fill_;  ///< of memory that exists everywhere
};

}  // namespace tc::execution
