// SPDX-License-Identifier: Apache-2.0
#include "paged_storage.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tc::memory {

void paged_storage::add_region(std::uint64_t base, std::uint64_t bytes, content initial) {
  const auto is_covered = [&](const image& i) { return base <= i.base && i.base + (i.bytes - 1) <= base + (bytes - 1); };
  if (overlaps(base, bytes))
    images_.erase(std::remove_if(images_.begin(), images_.end(), is_covered), images_.end());  // nothing of them can be seen any more
  images_.push_back({base, bytes, std::move(initial)});
  for (auto& [number, page] : pages_) fill(page.get(), number * page_bytes, page_bytes, images_.back());

  std::uint64_t first = base, end = base + bytes;
  auto next = regions_.upper_bound(base);
  if (next != regions_.begin() && std::prev(next)->second >= first) --next;
  while (next != regions_.end() && next->first <= end) {
    first = std::min(first, next->first);
    end = std::max(end, next->second);
    next = regions_.erase(next);
  }
  regions_.emplace(first, end);
  latest_region_ = {};
}

bool paged_storage::overlaps(std::uint64_t base, std::uint64_t bytes) const {
  const auto next = regions_.upper_bound(base + (bytes - 1));
  return next != regions_.begin() && std::prev(next)->second > base;
}

void paged_storage::clear() {
  regions_.clear();
  images_.clear();
  latest_region_ = {};
  reset();
}

paged_storage::region paged_storage::look_for_region(std::uint64_t address) const {
  const auto next = regions_.upper_bound(address);
  if (next == regions_.begin()) return {};
  const auto& [begin, end] = *std::prev(next);
  return latest_region_ = end > address ? region{begin, end} : region{};
}

std::uint64_t paged_storage::region_begin(std::uint64_t address) const { return region_of(address).begin; }

std::uint64_t paged_storage::pages_to_come(std::uint64_t address, std::uint64_t bytes) const {
  std::uint64_t count = 0;
  if (bytes == 0) return count;
  for (std::uint64_t number = address / page_bytes, last = (address + (bytes - 1)) / page_bytes; number <= last; ++number)
    if (pages_.count(number) == 0) ++count;
  return count;
}

std::uint8_t* paged_storage::fetch(std::uint64_t number) {
  auto& bytes = pages_[number];
  if (bytes == nullptr) {
    bytes.reset(new std::uint8_t[page_bytes]);  // not cleared, which would take as long as to fill it
    fill(bytes.get(), number * page_bytes, page_bytes);
  }
  return bytes.get();
}

void paged_storage::copy(std::uint64_t address, std::uint8_t* destination, std::size_t count) const {
  while (count != 0) {
    const auto of_page = static_cast<std::size_t>(std::min<std::uint64_t>(count, page_bytes - address % page_bytes));
    const auto page = pages_.find(address / page_bytes);
    if (page != pages_.end() && page->second != nullptr)
      std::copy_n(page->second.get() + address % page_bytes, of_page, destination);
    else
      fill(destination, address, of_page);
    address += of_page;
    destination += of_page;
    count -= of_page;
  }
}

/// Puts there what bytes of one page have at first.
void paged_storage::fill(std::uint8_t* bytes, std::uint64_t base, std::size_t count) const {
  const auto covers = [=](const image& i) { return i.base <= base && base + (count - 1) <= i.base + (i.bytes - 1); };
  const auto covering = std::find_if(images_.rbegin(), images_.rend(), covers);  // nothing of those before it can be seen
  if (covering == images_.rend()) std::fill_n(bytes, count, std::uint8_t{0});
  for (auto i = covering == images_.rend() ? images_.begin() : std::prev(covering.base()); i != images_.end(); ++i)
    fill(bytes, base, count, *i);
}

/// Puts the part of an image that lies in bytes of a page there.
void paged_storage::fill(std::uint8_t* bytes, std::uint64_t base, std::size_t count, const image& from) {
  const std::uint64_t first = std::max(base, from.base);
  const std::uint64_t last = std::min(base + (count - 1), from.base + (from.bytes - 1));  // the end of the last page wraps around
  if (first > last) return;
  std::uint8_t* const destination = bytes + (first - base);
  if (from.initial) {
    from.initial(first - from.base, destination, last - first + 1);
  } else {
    std::fill_n(destination, last - first + 1, std::uint8_t{0});
  }
}

}  // namespace tc::memory
