// SPDX-License-Identifier: Apache-2.0
#include "cta_state.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/execution/kernel_fault.hpp>

namespace tc::execution {

namespace {

std::uint32_t lanes_of_warp(const trace::dim3& block, unsigned warp) {
  const std::uint64_t threads = block.count() - std::uint64_t{warp} * warp::lanes_per_warp;
  return threads >= warp::lanes_per_warp ? ~0U : (1U << threads) - 1;
}

warp::warp_context context_of(const grid_setting& setting, std::uint64_t number) {
  warp::warp_context context;
  const trace::dim3 &grid = setting.grid, &cluster = setting.cluster, &block = setting.block;
  const auto x = static_cast<std::uint32_t>(number % grid.x), y = static_cast<std::uint32_t>(number / grid.x % grid.y),
             z = static_cast<std::uint32_t>(number / grid.x / grid.y);
  context.cta = static_cast<std::uint32_t>(number);
  context.cta_id = {x, y, z};
  context.grid = {grid.x, grid.y, grid.z};
  context.block = {block.x, block.y, block.z};
  context.cluster_rank = x % cluster.x + cluster.x * (y % cluster.y + cluster.y * (z % cluster.z));
  context.constants = &setting.code.constants();
  context.shared_bytes = static_cast<std::uint32_t>(setting.shared_bytes);
  return context;
}

}  // namespace

cta_state::cta_state(const grid_setting& setting, std::uint64_t number)
    : setting_(setting), number_(number), shared_(setting.shared_bytes), local_(setting.block.count()) {
  warp::warp_context context = context_of(setting, number);
  const auto warps = static_cast<unsigned>((setting.block.count() + warp::lanes_per_warp - 1) / warp::lanes_per_warp);
  for (unsigned w = 0; w < warps; ++w) {
    context.warp_in_cta = w;
    warps_.emplace_back(setting.code, *this, context, lanes_of_warp(setting.block, w), setting.counts);
  }
  ++setting.counts.ctas;
}

std::uint64_t cta_state::run(std::uint64_t most) {
  std::uint64_t executed = 0;
  for (warp_state& warp : warps_) executed += warp.run(most);
  if (executed != 0 || has_ended()) return executed;
  std::string waiting;
  for (const warp_state& warp : warps_)
    if (!warp.has_ended()) waiting += (waiting.empty() ? "" : "; ") + warp.waiting_text();
  throw kernel_fault(fmt::format("{}: CTA {} waits for ever: {}", setting_.code.kernel().file, number_, waiting));
}

bool cta_state::has_ended() const {
  return std::all_of(warps_.begin(), warps_.end(), [](const warp_state& warp) { return warp.has_ended(); });
}

std::string cta_state::place() const {
  for (const warp_state& warp : warps_)
    if (!warp.has_ended())
      return fmt::format(
          "{}, warp {} of CTA {}",
          setting_.code.place(setting_.code.operations()[std::min<std::size_t>(warp.pc(), setting_.code.operations().size() - 1)]),
          warp.context().warp_in_cta, number_);
  return setting_.code.kernel().file;
}

std::uint8_t* cta_state::local(unsigned warp, unsigned lane) {
  auto& own = local_[std::size_t{warp} * warp::lanes_per_warp + lane];
  if (!own) own = std::make_unique<zeroed_bytes>(window_bytes - local_begin());
  return own->data();
}

unsigned cta_state::live_lanes() const {
  unsigned lanes = 0;
  for (const warp_state& warp : warps_) lanes += static_cast<unsigned>(__builtin_popcount(warp.live()));
  return lanes;
}

/// A barrier for some threads counts whole warps: a warp whose lanes are all there stands for 32 threads (PTX ISA, bar).
void cta_state::arrive(warp_state& warp, std::uint32_t mask, unsigned barrier, unsigned threads, const ballot& votes) {
  cta_barrier& at = barriers_[barrier];
  const auto lanes = static_cast<unsigned>(__builtin_popcount(mask));
  at.threads = threads;
  at.arrived += threads != 0 && mask == warp.live() ? warp::lanes_per_warp : lanes;
  at.lanes += lanes;
  at.votes += static_cast<unsigned>(__builtin_popcount(votes.lanes & mask));
  at.asks_for_all = votes.asks_for_all;
  open_if_complete(barrier);
}

void cta_state::open_if_complete(unsigned barrier) {
  cta_barrier& at = barriers_[barrier];
  const unsigned needed = at.threads != 0 ? at.threads : live_lanes();
  if (at.arrived == 0 || at.arrived < needed) return;
  const barrier_vote result{at.votes, at.asks_for_all ? at.votes == at.lanes : at.votes != 0};
  at = {};
  for (warp_state& warp : warps_) {
    warp.last_vote() = result;
    warp.release_barrier(barrier);
  }
}

void cta_state::lanes_ended() {
  for (unsigned barrier = 0; barrier < barriers; ++barrier)
    if (barriers_[barrier].arrived != 0 && barriers_[barrier].threads == 0) open_if_complete(barrier);
}

}  // namespace tc::execution
