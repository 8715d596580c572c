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

namespace {

constexpr std::uint64_t first_map = 0x10000, map_bytes = 128;
constexpr unsigned input_tensors = 4, box_alignment = 128, no_place = 0;
constexpr const char* proxy_fence = "fence.proxy.async";

}  // namespace

std::uint64_t tensor_copies::add(const random_tensor& tensor) {
  const std::uint64_t address = first_map + maps_.size() * map_bytes;
  maps_[address] = tensor;
  return address;
}

void tensor_copies::add_inputs(std::uint64_t base, std::uint64_t bytes) {
  for (unsigned i = 0; i < input_tensors; ++i)
    inputs_.push_back(add(make_random_tensor(random_, base, static_cast<unsigned>(bytes), false)));
}

std::uint64_t tensor_copies::own_tensor(std::uint64_t base) {
  const auto known = own_.find(base);
  if (known != own_.end()) return known->second;
  return own_[base] = add(make_random_tensor(random_, base, warp_bytes, true));
}

/// Where a box may lie in blocks that follow each other; no_place if there are too few.
std::uint64_t tensor_copies::random_place(const std::vector<std::uint64_t>& blocks, unsigned bytes) {
  std::vector<std::uint64_t> places;
  std::uint64_t begin = 0, end = 0;
  for (const std::uint64_t block : blocks) {
    if (block != end) begin = block;
    end = block + block_bytes;
    // Each place is taken once: those at which the box ends in this block.
    for (std::uint64_t place = begin; place + bytes <= end; place += box_alignment)
      if (place + bytes > block) places.push_back(place);
  }
  return places.empty() ? no_place : places[random_.below(static_cast<unsigned>(places.size()))];
}

bool tensor_copies::add_load(warp_text& warp, const warp_blocks& shared, std::uint64_t own, std::uint32_t barrier, bool parity) {
  const std::uint64_t map = random_.chance(30) ? own_tensor(own) : inputs_[random_.below(input_tensors)];
  const random_tensor& tensor = maps_.at(map);
  const std::uint64_t place = random_place(shared.written, tensor.span());
  if (place == no_place) return false;
  warp.add_ptx(proxy_fence);
  warp.add_ptx(fmt::format("mbarrier.arrive.expect_tx.shared::cta.b64 _, [{:#x}], {}", barrier, tensor.bytes()), warp.first_lane());
  warp.add_ptx(fmt::format("cp.async.bulk.tensor.{}.shared::{}.global.{}.mbarrier::complete_tx::bytes [{:#x}], [{:#x}, {}], [{:#x}]{}",
                           tensor.dimensions(), random_.chance(50) ? "cta" : "cluster", tensor.is_im2col ? "im2col" : "tile", place, map,
                           tensor.random_coordinates(random_), barrier, tensor.random_offsets(random_)),
               warp.first_lane());
  warp.add_ptx(fmt::format("mbarrier.try_wait.parity.shared::cta.b64 [{:#x}], {}", barrier, parity ? 1 : 0));
  return true;
}

void tensor_copies::add_store(warp_text& warp, const warp_blocks& shared, std::uint64_t own) {
  const std::uint64_t map = own_tensor(own);
  const random_tensor& tensor = maps_.at(map);
  const std::uint64_t place = random_place(shared.read, tensor.span());
  if (place == no_place) return;
  warp.add_ptx(proxy_fence);
  warp.add_ptx(fmt::format("cp.async.bulk.tensor.{}.global.shared::cta.tile.bulk_group [{:#x}, {}], [{:#x}]", tensor.dimensions(), map,
                           tensor.random_coordinates(random_), place),
               warp.first_lane());
  warp.add_ptx("cp.async.bulk.commit_group", warp.first_lane());
  warp.add_ptx("cp.async.bulk.wait_group 0", warp.first_lane());
}

std::string tensor_copies::header() const {
  std::string text;
  for (const auto& [address, tensor] : maps_) text += tensor.header_line(address);
  return text;
}

}  // namespace tcsim::random_programs
