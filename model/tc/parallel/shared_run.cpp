// SPDX-License-Identifier: Apache-2.0
#include "shared_run.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <tc/device/memory_probe.hpp>
#include <tc/device/run_error.hpp>
#include <tc/device/sm_occupancy.hpp>
#include <tc/device/trace_content.hpp>

namespace tc::parallel {

namespace {

/// Bytes of memory that are looked at together.
constexpr std::uint64_t piece_bytes = 65536;

bool is_global_atomic(const isa::instruction& code) {
  const isa::memory_use use = isa::info(code.op).memory;
  return use.action == isa::memory_action::atomic && use.space == isa::memory_space::global;
}

/// An instruction with which CTAs exchange values; null: there is none.
const isa::instruction* find_atomic(const trace::trace& trace) {
  for (std::uint32_t i = 0; i < trace.code_size(); ++i)
    if (is_global_atomic(trace.code(i))) return &trace.code(i);
  return nullptr;
}

/// Bytes of a region that are not as when the kernel began: other ones, or undefined.
std::vector<memory_change> changes_of(const trace::memory_image& image, device::gpu& gpu) {
  std::vector<memory_change> changes;
  std::vector<std::uint8_t> before(piece_bytes), now(piece_bytes);
  device::memory_probe::undefined_flags undefined;
  const auto is_changed = [&](std::size_t i) { return now[i] != before[i] || (!undefined.empty() && undefined[i] != 0); };
  const auto add = [&](std::uint64_t address, std::size_t first, std::size_t end) {
    const auto part = [&](const std::vector<std::uint8_t>& all) {
      return all.empty() ? all
                         : std::vector<std::uint8_t>(all.begin() + static_cast<std::ptrdiff_t>(first),
                                                     all.begin() + static_cast<std::ptrdiff_t>(end));
    };
    changes.push_back({address + first, part(now), part(undefined)});
  };
  for (std::uint64_t offset = 0; offset < image.content.bytes(); offset += piece_bytes) {
    const auto count = static_cast<std::size_t>(std::min(piece_bytes, image.content.bytes() - offset));
    device::copy_content(gpu, image.content, offset, before.data(), count);
    gpu.peek_global(image.base + offset, now.data(), count, &undefined);
    if (undefined.empty() && std::equal(now.begin(), now.begin() + static_cast<std::ptrdiff_t>(count), before.begin())) continue;
    for (std::size_t i = 0; i < count;) {
      while (i < count && !is_changed(i)) ++i;
      const std::size_t first = i;
      while (i < count && is_changed(i)) ++i;
      if (first < i) add(image.base + offset, first, i);
    }
  }
  return changes;
}

/// Which of two writes to a byte is the last one, no share can tell.
void check_apart(const share_result& own, const std::vector<share_result>& others) {
  std::vector<const memory_change*> changes;
  const auto add = [&changes](const share_result& share) {
    for (const memory_change& change : share.memory) changes.push_back(&change);
  };
  add(own);
  for (const share_result& other : others) add(other);
  std::sort(changes.begin(), changes.end(), [](const auto* x, const auto* y) { return x->address < y->address; });
  for (std::size_t i = 1; i < changes.size(); ++i)
    if (changes[i - 1]->address + changes[i - 1]->bytes.size() > changes[i]->address)
      throw device::run_error(
          fmt::format("CTAs of different SMs write to {:#x}: run them in one process, which knows in what order", changes[i]->address));
}

}  // namespace

std::string coupling(const device::gpu& gpu) {
  const config::machine& machine = gpu.machine();
  if (gpu.kernels().entries().size() != 1) return "kernels follow each other: run one at a time";
  if (machine.units.global_memory != "model")
    return fmt::format("units.global_memory is {}, which may couple SMs; with \"model\" they can be told apart",
                       machine.units.global_memory);
  if (machine.global_memory.hierarchy.enabled)
    return "the SMs share the L2 cache and DRAM: set global_memory.hierarchy.enabled=false for a memory of fixed latency";
  const device::kernel& only = *gpu.kernels().entries().front().of;
  if (only.header().cluster.count() > 1) return "the CTAs of a cluster work together: the trace's cluster is not 1 1 1";
  if (const isa::instruction* const atomic = find_atomic(only.trace()))
    return fmt::format("CTAs exchange values through global memory: {}", atomic->text);
  const std::uint64_t room = std::uint64_t{device::sm_occupancy::capacity(only.demand(), machine.sm)} * machine.sms;
  if (only.cta_count() > room)
    return fmt::format(
        "{} CTAs do not fit at once, and a CTA goes to the SM that is free first: sms = {} hold {}; set sms, or run a smaller grid",
        only.cta_count(), machine.sms, room);
  return {};
}

share_result run_share(device::gpu& gpu, const device::sm_share& share, device::run_pauses* pauses) {
  gpu.simulate_only(share);
  share_result own;
  own.result = gpu.run(pauses);
  own.statistics = fabric::kept_statistics();
  if (!gpu.computes_values()) return own;
  for (const trace::memory_image& image : gpu.kernels().entries().front().of->header().memory) {
    std::vector<memory_change> changes = changes_of(image, gpu);
    std::move(changes.begin(), changes.end(), std::back_inserter(own.memory));
  }
  return own;
}

accounting::run_result join(device::gpu& gpu, share_result own, const std::vector<share_result>& others) {
  check_apart(own, others);
  accounting::run_result all = std::move(own.result);
  for (const share_result& other : others) {
    join(all, other.result);
    fabric::add_statistics(other.statistics);
    for (const memory_change& change : other.memory) {
      std::vector<std::uint8_t> bytes = change.bytes;
      gpu.poke_global(change.address, bytes.data(), bytes.size(), change.undefined);
    }
  }
  const device::kernel& only = *gpu.kernels().entries().front().of;
  if (all.kernels.front().finished) gpu.compare(only, all.kernels.front());
  return all;
}

}  // namespace tc::parallel
