// SPDX-License-Identifier: Apache-2.0
#include "shared_run.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tc/device/memory_probe.hpp>
#include <tc/device/run_error.hpp>
#include <tc/device/sm_occupancy.hpp>

namespace tc::parallel {

namespace {

bool is_global_atomic(const isa::instruction& code) {
  const isa::memory_use use = isa::info(code.op).memory;
  return use.action == isa::memory_action::atomic && use.space != isa::memory_space::shared;
}

/// An instruction with which CTAs exchange values; null: there is none.
const isa::instruction* find_atomic(const trace::trace& trace) {
  for (std::uint32_t i = 0; i < trace.code_size(); ++i)
    if (is_global_atomic(trace.code(i))) return &trace.code(i);
  return nullptr;
}

/// What a kernel has written.
std::vector<memory_change> changes_of(device::gpu& gpu) {
  std::vector<memory_change> changes;
  for (const device::memory_region& written : gpu.bytes_written()) {
    memory_change change{written.base, std::vector<std::uint8_t>(written.bytes), {}};
    gpu.peek_global(written.base, change.bytes.data(), change.bytes.size(), &change.undefined);
    changes.push_back(std::move(change));
  }
  return changes;
}

std::uint64_t end_of(const memory_change& change) { return change.address + change.bytes.size(); }
std::uint64_t end_of(const memory_range& range) { return range.address + range.bytes; }

/// Calls visit(x, y, first, end) for all bytes that both lists have, which are in ascending order.
template <class X, class Y, class Visit>
void for_each_common(const std::vector<X>& xs, const std::vector<Y>& ys, const Visit& visit) {
  auto x = xs.begin();
  auto y = ys.begin();
  while (x != xs.end() && y != ys.end()) {
    const std::uint64_t first = std::max(x->address, y->address), end = std::min(end_of(*x), end_of(*y));
    if (first < end) visit(*x, *y, first, end);
    if (end_of(*x) < end_of(*y))
      ++x;
    else
      ++y;
  }
}

constexpr const char* what_to_do = "run them in one process, without --jobs, which knows in what order";

/// Which of two writes of different values to a byte is the last one, no share can tell.
void check_writes(const share_result& x, const share_result& y) {
  const auto value = [](const memory_change& change, std::uint64_t address) {
    const std::uint64_t i = address - change.address;
    return std::pair{change.bytes[i], !change.undefined.empty() && change.undefined[i] != 0};
  };
  for_each_common(x.memory, y.memory, [&](const memory_change& a, const memory_change& b, std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t address = first; address < end; ++address)
      if (value(a, address) != value(b, address))
        throw device::run_error(fmt::format("CTAs of different SMs write different values to {:#x}: {}", address, what_to_do));
  });
}

/// Whether a read comes before a write or behind it, neither.
void check_reads(const share_result& writer, const share_result& reader) {
  for_each_common(writer.memory, reader.read, [](const auto&, const auto&, std::uint64_t first, std::uint64_t) {
    throw device::run_error(fmt::format("a CTA reads {:#x}, to which a CTA of another SM writes: {}", first, what_to_do));
  });
}

/// Shares know nothing of each other: none may have read what another one has written, or written otherwise.
void check_apart(const share_result& own, const std::vector<share_result>& others) {
  std::vector<const share_result*> shares{&own};
  for (const share_result& other : others) shares.push_back(&other);
  for (std::size_t x = 0; x < shares.size(); ++x)
    for (std::size_t y = x + 1; y < shares.size(); ++y) {
      check_writes(*shares[x], *shares[y]);
      check_reads(*shares[x], *shares[y]);
      check_reads(*shares[y], *shares[x]);
    }
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
  own.memory = changes_of(gpu);
  for (const device::memory_region& read : gpu.bytes_read()) own.read.push_back({read.base, read.bytes});
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
