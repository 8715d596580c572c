// SPDX-License-Identifier: Apache-2.0
#include "memory_spaces.hpp"

#include <algorithm>
#include <new>

#include <fmt/format.h>

namespace tc::execution {

namespace {

std::uint64_t touched_bytes(const std::vector<global_memory::range>& ranges, zeroed_bytes global_memory::range::*marks) {
  std::uint64_t sectors = 0;
  for (const auto& each : ranges) {
    const std::uint8_t* const first = (each.*marks).data();
    sectors += static_cast<std::uint64_t>(std::count(first, first + each.sectors(), std::uint8_t{1}));
  }
  return sectors * global_memory::sector_bytes;
}

}  // namespace

zeroed_bytes::zeroed_bytes(std::uint64_t bytes) : bytes_(static_cast<std::uint8_t*>(std::calloc(std::max<std::uint64_t>(bytes, 1), 1))) {
  if (!bytes_) throw std::bad_alloc();
}

global_memory::range::range(std::uint64_t first, std::uint64_t count)
    : base(first), bytes(count), content(count), read(sectors()), written(sectors()) {}

bool global_memory::range::was_written() const {
  return std::find(written.data(), written.data() + sectors(), std::uint8_t{1}) != written.data() + sectors();
}

global_memory::range& global_memory::add(std::uint64_t base, std::uint64_t bytes) {
  last_ = nullptr;
  return ranges_.emplace_back(base, bytes);
}

void global_memory::cover(std::uint64_t address, std::uint64_t bytes) {
  for (std::uint64_t base = address / page_bytes * page_bytes; base < address + bytes; base += page_bytes) {
    if (find_existing(base, 1) != nullptr) continue;
    const auto behind = std::upper_bound(ranges_.begin(), ranges_.end(), base, [](std::uint64_t a, const range& r) { return a < r.base; });
    range& page = *ranges_.emplace(behind, base, page_bytes);
    last_ = nullptr;
    fill_(page);
  }
}

global_memory::range* global_memory::search(std::uint64_t address, unsigned bytes) {
  if (fill_) cover(address, bytes);
  return find_existing(address, bytes);
}

global_memory::range* global_memory::find_existing(std::uint64_t address, std::uint64_t bytes) {
  auto next = std::upper_bound(ranges_.begin(), ranges_.end(), address, [](std::uint64_t a, const range& r) { return a < r.base; });
  if (next == ranges_.begin()) return nullptr;
  range& found = *--next;
  const std::uint64_t offset = address - found.base;
  if (offset >= found.bytes || found.bytes - offset < bytes) return nullptr;
  last_ = &found;
  return last_;
}

std::string global_memory::nearest(std::uint64_t address) const {
  const range* best = nullptr;
  std::uint64_t distance = 0;
  bool is_behind = false;
  for (const range& each : ranges_) {
    const bool behind = address >= each.base;
    const std::uint64_t end = each.base + each.bytes, away = behind ? (address < end ? 0 : address - end) : each.base - address;
    if (best != nullptr && away >= distance) continue;
    best = &each;
    distance = away;
    is_behind = behind;
  }
  if (best == nullptr) return "the launch has no memory";
  return fmt::format("the nearest allocation is {:#x} to {:#x}, {} bytes {} it", best->base, best->base + best->bytes, distance,
                     is_behind ? "in front of" : "behind");
}

std::uint64_t global_memory::bytes_read() const { return touched_bytes(ranges_, &range::read); }
std::uint64_t global_memory::bytes_written() const { return touched_bytes(ranges_, &range::written); }

}  // namespace tc::execution
