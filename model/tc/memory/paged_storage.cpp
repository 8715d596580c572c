#include "paged_storage.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tc::memory {

void paged_storage::add_region(std::uint64_t base, std::uint64_t bytes, content initial) {
  const auto is_covered = [&](const image& i) { return base <= i.base && i.base + (i.bytes - 1) <= base + (bytes - 1); };
  images_.erase(std::remove_if(images_.begin(), images_.end(), is_covered), images_.end());  // nothing of them can be seen any more
  images_.push_back({base, bytes, std::move(initial)});
  for (auto& [number, page] : pages_) fill(page.get(), number * page_bytes, images_.back());

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

std::uint8_t* paged_storage::fetch(std::uint64_t number) {
  auto& bytes = pages_[number];
  if (bytes == nullptr) {
    bytes.reset(new std::uint8_t[page_bytes]);  // not cleared, which would take as long as to fill it
    const std::uint64_t base = number * page_bytes;
    const auto covers = [base](const image& i) { return i.base <= base && base + (page_bytes - 1) <= i.base + (i.bytes - 1); };
    const auto covering = std::find_if(images_.rbegin(), images_.rend(), covers);  // nothing of those before it can be seen
    if (covering == images_.rend()) std::fill_n(bytes.get(), page_bytes, std::uint8_t{0});
    for (auto i = covering == images_.rend() ? images_.begin() : std::prev(covering.base()); i != images_.end(); ++i)
      fill(bytes.get(), base, *i);
  }
  return bytes.get();
}

/// Puts the part of an image that lies in a page there.
void paged_storage::fill(std::uint8_t* page, std::uint64_t page_base, const image& from) {
  const std::uint64_t first = std::max(page_base, from.base);
  const std::uint64_t last = std::min(page_base + (page_bytes - 1), from.base + (from.bytes - 1));  // the end of the last page wraps around
  if (first > last) return;
  std::uint8_t* const destination = page + (first - page_base);
  if (from.initial) {
    from.initial(first - from.base, destination, last - first + 1);
  } else {
    std::fill_n(destination, last - first + 1, std::uint8_t{0});
  }
}

}  // namespace tc::memory
