// SPDX-License-Identifier: Apache-2.0
#include "kernel_queue.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <tc/device/run_error.hpp>

namespace tc::device {

memory_regions::region_map::const_iterator memory_regions::first_behind(std::uint64_t address) const {
  const auto next = known_.upper_bound(address);
  if (next == known_.begin()) return next;
  const auto last = std::prev(next);
  return last->first + last->second.bytes > address ? last : next;
}

/// A later kernel may name a region again, whole, or add others; it may not cut across one.
void memory_regions::check(const kernel& later) const {
  for (const trace::memory_image& x : later.header().memory) {
    const std::uint64_t bytes = x.content.bytes();
    for (auto y = first_behind(x.base); y != known_.end() && y->first < x.base + bytes; ++y) {
      const auto& [base, known] = *y;
      if (x.base == base && bytes == known.bytes) continue;
      throw run_error(fmt::format("{}: memory {:#x} {} overlaps memory {:#x} {} of {}; kernels of a run share regions whole", later.file(),
                                  x.base, bytes, base, known.bytes, known.file));
    }
  }
}

void memory_regions::check_expectations(const kernel& expecting) const {
  for (const trace::memory_image& expected : expecting.header().expectations) {
    const std::uint64_t expected_end = expected.base + expected.content.bytes();
    std::uint64_t known = 0;  // bytes of it
    for (auto each = first_behind(expected.base); each != known_.end() && each->first < expected_end; ++each)
      known += std::min(expected_end, each->first + each->second.bytes) - std::max(expected.base, each->first);
    if (known < expected.content.bytes())
      throw run_error(
          fmt::format("{}: `expect {:#x} {}` compares bytes that no `memory` line gives; one with what they hold before the "
                      "kernel belongs beside it, such as `memory {:#x} {} zero`",
                      expecting.file(), expected.base, expected.content.bytes(), expected.base, expected.content.bytes()));
  }
}

void memory_regions::add(const kernel& next) {
  for (const trace::memory_image& image : next.header().memory) known_.try_emplace(image.base, region{image.content.bytes(), next.file()});
}

namespace {

accounting::kernel_result describe(const kernel& kernel) {
  accounting::kernel_result result;
  const trace::kernel_header& header = kernel.header();
  result.file = kernel.file();
  result.kernel = header.kernel;
  result.arch = header.arch;
  result.grid = header.grid;
  result.block = header.block;
  result.cluster = header.cluster;
  result.ctas = kernel.cta_count();
  for (const trace::cta_entry& cta : kernel.trace().ctas()) result.warps += cta.warp_count;
  return result;
}

}  // namespace

kernel_queue::kernel_queue(kernel_list kernels) {
  for (auto& kernel : kernels) {
    accounting::kernel_result result = describe(*kernel);
    entries_.push_back({std::move(kernel), std::move(result)});
  }
}

std::uint32_t kernel_queue::submit(const kernel_source& source, const config::machine& machine) {
  auto next = std::make_unique<kernel>(end(), source, machine);
  if (source.images == image_use::regions) {
    regions_.check(*next);
    memory_regions with_own = regions_;
    with_own.add(*next);
    with_own.check_expectations(*next);
    regions_ = std::move(with_own);
  }
  accounting::kernel_result result = describe(*next);
  entries_.push_back({std::move(next), std::move(result)});
  return end() - 1;
}

kernel_queue::entry kernel_queue::take() {
  entry taken = std::move(entries_.front());
  entries_.pop_front();
  ++first_;
  ++ended_;
  return taken;
}

}  // namespace tc::device
