#include "memory_regions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/device/run_error.hpp>

namespace tc::device {

/// A later kernel may name a region again, whole, or add others; it may not cut across one.
void memory_regions::check(const kernel& later) const {
  for (const trace::memory_image& x : later.header().memory) {
    const std::uint64_t bytes = x.content.bytes();
    for (const region& y : known_) {
      const bool same = x.base == y.base && bytes == y.bytes;
      if (!same && x.base < y.base + y.bytes && y.base < x.base + bytes)
        throw run_error(fmt::format("{}: memory {:#x} {} overlaps memory {:#x} {} of {}; kernels of a run share regions whole",
                                    later.file(), x.base, bytes, y.base, y.bytes, y.file));
    }
  }
}

void memory_regions::check_expectations(const kernel& expecting) const {
  for (const trace::memory_image& expected : expecting.header().expectations) {
    std::uint64_t known = 0;  // bytes of it
    for (const region& each : known_) {
      const std::uint64_t first = std::max(expected.base, each.base);
      const std::uint64_t end = std::min(expected.base + expected.content.bytes(), each.base + each.bytes);
      if (first < end) known += end - first;
    }
    if (known < expected.content.bytes())
      throw run_error(fmt::format("{}: expect {:#x} {} names bytes that no memory line gives", expecting.file(), expected.base,
                                  expected.content.bytes()));
  }
}

void memory_regions::add(const kernel& next) {
  for (const trace::memory_image& image : next.header().memory) {
    const auto is_same = [&image](const region& each) { return each.base == image.base; };
    if (std::none_of(known_.begin(), known_.end(), is_same)) known_.push_back({image.base, image.content.bytes(), next.file()});
  }
}

}  // namespace tc::device
