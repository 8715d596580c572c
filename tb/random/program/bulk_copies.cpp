// SPDX-License-Identifier: Apache-2.0
#include "bulk_copies.hpp"

#include <fmt/format.h>

namespace tcsim::random_programs {

namespace {

constexpr unsigned unit_bytes = 16, most_copies = 3;

/// Orders what the warp wrote before what the asynchronous units do.
constexpr const char* fence = "fence.proxy.async";

}  // namespace

bulk_copies::part bulk_copies::random_part(const std::vector<std::uint64_t>& shared, const std::vector<std::uint64_t>& global) {
  const auto any = [this](const std::vector<std::uint64_t>& blocks) { return blocks[random_.below(static_cast<unsigned>(blocks.size()))]; };
  constexpr unsigned units = block_bytes / unit_bytes;
  const unsigned count = random_.chance(30) ? units : random_.between(1, units);
  const auto place = [&] { return random_.below(units - count + 1) * unit_bytes; };
  const std::uint64_t from = any(shared) + place(), to = any(global) + place();
  return {from, to, count * unit_bytes};
}

bool bulk_copies::add_loads(warp_text& warp, const warp_blocks& shared, const warp_blocks& global, std::uint32_t barrier, bool parity) {
  if (shared.written.empty() || global.read.empty()) return false;
  std::vector<part> parts;
  unsigned bytes = 0;
  // Copies that overlap may end in any order, so each has a block of its own.
  for (std::size_t block = 0; block < shared.written.size() && parts.size() < most_copies; ++block) {
    if (block > 0 && random_.chance(40)) continue;
    parts.push_back(random_part({shared.written[block]}, global.read));
    bytes += parts.back().bytes;
  }
  warp.add_ptx(fence);
  warp.add_ptx(fmt::format("mbarrier.arrive.expect_tx.shared::cta.b64 _, [{:#x}], {}", barrier, bytes), warp.first_lane());
  for (const part& each : parts)
    warp.add_ptx(fmt::format("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [{:#x}], [{:#x}], {}, [{:#x}]", each.shared,
                             each.global, each.bytes, barrier),
                 warp.first_lane());
  warp.add_ptx(fmt::format("mbarrier.try_wait.parity.shared::cta.b64 [{:#x}], {}", barrier, parity ? 1 : 0));
  return true;
}

void bulk_copies::add_stores(warp_text& warp, const warp_blocks& shared, const warp_blocks& global) {
  if (shared.read.empty() || global.written.empty()) return;
  warp.add_ptx(fence);
  for (unsigned groups = random_.between(1, 2), block = 0; groups > 0 && block < global.written.size(); --groups, ++block) {
    const part each = random_part(shared.read, {global.written[block]});
    warp.add_ptx(fmt::format("cp.async.bulk.global.shared::cta.bulk_group [{:#x}], [{:#x}], {}", each.global, each.shared, each.bytes),
                 warp.first_lane());
    warp.add_ptx("cp.async.bulk.commit_group", warp.first_lane());
  }
  warp.add_ptx("cp.async.bulk.wait_group 0", warp.first_lane());
}

}  // namespace tcsim::random_programs
