// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tc::memory {

/// Bytes of a large address space, of which only the pages that somebody touched take memory. What exists are regions with an initial
/// content, which is fetched page by page.
class paged_storage {
 public:
  static constexpr std::size_t page_bytes = 65536;

  /// Copies `count` bytes from `offset` on of a region's initial content. Empty: the region is zero.
  using content = std::function<void(std::uint64_t offset, std::uint8_t* destination, std::size_t count)>;

  /// `most_pages` may take memory at a time. Who uses at() asks has_room() before.
  explicit paged_storage(std::uint64_t most_pages = std::numeric_limits<std::uint64_t>::max()) : most_pages_(most_pages) {}

  /// Adds a region. Where it overlaps an earlier one, its content replaces what is there. It must hold at least a byte and not wrap around.
  void add_region(std::uint64_t base, std::uint64_t bytes, content initial);

  /// Whether all of [address, address + bytes) exists.
  bool contains(std::uint64_t address, std::uint64_t bytes) const { return bytes <= available(address); }
  /// Bytes that exist from `address` on without a gap.
  std::uint64_t available(std::uint64_t address) const {
    const region around = region_of(address);
    return around.end > address ? around.end - address : 0;
  }
  /// First byte that exists before `address` without a gap; `address` must exist.
  std::uint64_t region_begin(std::uint64_t address) const;

  /// The byte at `address` and the rest of its page. The pointer stays valid until reset().
  std::uint8_t* at(std::uint64_t address) {
    const std::uint64_t number = address / page_bytes;
    if (latest_page_.bytes == nullptr || latest_page_.number != number) latest_page_ = {number, fetch(number)};
    return latest_page_.bytes + address % page_bytes;
  }

  /// Copies bytes that exist. Pages that nobody has touched take no memory for it.
  void copy(std::uint64_t address, std::uint8_t* destination, std::size_t count) const;

  /// All regions have their initial content again.
  void reset() {
    pages_.clear();
    latest_page_ = {};
  }
  /// No region exists.
  void clear();
  /// Pages that take memory.
  std::size_t pages() const { return pages_.size(); }
  /// Whether so many more pages may take memory.
  bool has_room(std::uint64_t pages) const { return pages <= most_pages_ && pages_.size() <= most_pages_ - pages; }
  /// Whether all pages of [address, address + bytes) take memory, or may.
  bool has_room(std::uint64_t address, std::uint64_t bytes) const {
    return has_room(bytes / page_bytes + 2) || has_room(pages_to_come(address, bytes));
  }
  /// Initial contents that are kept.
  std::size_t contents() const { return images_.size(); }

 private:
  struct image {
    std::uint64_t base, bytes;
    content initial;
  };

  struct region {
    std::uint64_t begin = 0, end = 0;
  };
  struct known_page {
    std::uint64_t number = 0;
    std::uint8_t* bytes = nullptr;
  };

  /// The region around an address; empty if there is none.
  region region_of(std::uint64_t address) const {
    if (address >= latest_region_.begin && address < latest_region_.end) return latest_region_;
    return look_for_region(address);
  }
  region look_for_region(std::uint64_t address) const;
  /// Whether some of these bytes exist.
  bool overlaps(std::uint64_t base, std::uint64_t bytes) const;
  /// Pages of [address, address + bytes) that take no memory yet.
  std::uint64_t pages_to_come(std::uint64_t address, std::uint64_t bytes) const;
  std::uint8_t* fetch(std::uint64_t number);
  void fill(std::uint8_t* bytes, std::uint64_t base, std::size_t count) const;
  static void fill(std::uint8_t* bytes, std::uint64_t base, std::size_t count, const image& from);

  const std::uint64_t most_pages_;
  std::map<std::uint64_t, std::uint64_t> regions_;  // first byte to end, without overlaps
  std::vector<image> images_;                       // in the order of add_region(), without those that a later one covers
  std::unordered_map<std::uint64_t, std::unique_ptr<std::uint8_t[]>> pages_;
  mutable region latest_region_;  // that an address was in; empty: none
  known_page latest_page_;        // of the address that was asked for last
};

}  // namespace tc::memory
