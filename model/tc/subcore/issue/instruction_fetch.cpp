// SPDX-License-Identifier: Apache-2.0
#include "instruction_fetch.hpp"

#include <algorithm>

namespace tc::subcore {

namespace {

constexpr std::uint32_t instruction_bytes = 16;

/// Kernels lie apart from each other.
std::uint64_t address_of(std::uint32_t kernel, std::uint32_t pc) { return std::uint64_t{kernel} << 32 | pc; }

}  // namespace

instruction_fetch::instruction_fetch(const sc_core::sc_module_name& module_name, const config::fetch_parameters& parameters,
                                     unsigned warp_slots, fabric::shared_tag_array& l1)
    : sc_module(module_name),
      params_(parameters),
      buffers_(warp_slots),
      l0_({parameters.l0.sets(), parameters.l0.ways, parameters.l0.line_bytes, parameters.l0.sector_bytes}),
      l1_(l1) {}

instruction_fetch::~instruction_fetch() = default;

void instruction_fetch::launch(std::uint32_t slot) { buffers_[slot] = {}; }

cycle_t instruction_fetch::next(std::uint32_t slot, std::uint32_t kernel, std::uint32_t pc, cycle_t cycle) {
  buffer& b = buffers_[slot];
  const std::uint64_t address = address_of(kernel, pc);
  if (!b.running || address != b.last_address + instruction_bytes) {
    jumps_ += b.running ? 1 : 0;
    b = {};
    b.running = true;
    b.line = ~std::uint64_t{0};
    b.last_fetch = cycle;
  }
  ++instructions_;
  b.last_address = address;
  const cycle_t fetch = room(b, cycle);
  const std::uint64_t line = l0_.sector_of(address);
  if (line != b.line) b.line_there = line_there(line, fetch, cycle);
  b.line = line;
  b.last_fetch = std::max(fetch, b.line_there);
  return b.last_fetch + params_.fetch_cycles;
}

/// When the next instruction is fetched: one cycle behind the last one, and not before its entry of the buffer is free, which the
/// instruction has left that is as far before it as there are entries.
cycle_t instruction_fetch::room(buffer& b, cycle_t issued) {
  if (b.issued.size() < params_.buffer_entries) {
    b.issued.push_back(issued);
    return b.issued.size() == 1 ? b.last_fetch : b.last_fetch + 1;
  }
  b.issued[b.oldest] = issued;
  b.oldest = (b.oldest + 1) % b.issued.size();
  return std::max(b.last_fetch + 1, b.issued[b.oldest]);
}

/// When a line is in the L0 cache, fetched in a cycle. The stream buffer asks for the lines behind it as well.
cycle_t instruction_fetch::line_there(std::uint64_t line, cycle_t fetch, cycle_t asked) {
  const auto found = l0_.find(line);
  ++(found ? l0_hits_ : l0_misses_);
  const cycle_t there = found ? std::max(*found, fetch) : request(line, fetch, asked);
  for (unsigned i = 1; i <= params_.prefetch_lines; ++i) {
    const std::uint64_t ahead = line + std::uint64_t{i} * params_.l0.sector_bytes;
    if (l0_.find(ahead)) continue;
    ++prefetches_;
    request(ahead, fetch, asked);
  }
  return there;
}

/// Brings a line from the L1 cache, or from L2, into both caches.
cycle_t instruction_fetch::request(std::uint64_t line, cycle_t fetch, cycle_t asked) {
  const cycle_t start = std::max(fetch, link_free_);
  const auto found = l1_.find(line, asked);
  ++(found ? l1_hits_ : l1_misses_);
  cycle_t there = start + (found ? params_.l1_hit_cycles : params_.l2_hit_cycles);
  if (found) there = std::max(there, *found);
  link_free_ = start + (found ? params_.l1_line_cycles : params_.l2_line_cycles);
  if (!found) l1_.fill(line, there, asked);
  l0_.fill(line, there);
  return there;
}

void instruction_fetch::begin_kernel() {
  l0_.clear();
  link_free_ = 0;
}

void instruction_fetch::reset() {
  begin_kernel();
  std::fill(buffers_.begin(), buffers_.end(), buffer{});
  instructions_ = jumps_ = l0_hits_ = l0_misses_ = prefetches_ = l1_hits_ = l1_misses_ = 0;
}

void instruction_fetch::collect(fabric::statistics_sink& sink) const {
  sink.count("instructions", instructions_, "instructions", "Instructions fetched");
  sink.count("jumps", jumps_, "jumps", "Times that an instruction buffer was emptied");
  sink.count("l0_hits", l0_hits_, "lines", "Lines that the L0 cache had, or that were on their way there");
  sink.count("l0_misses", l0_misses_, "lines", "Lines that it had to ask for when they were needed");
  sink.count("prefetches", prefetches_, "lines", "Lines that the stream buffer asked for");
  sink.count("l1_hits", l1_hits_, "lines", "Lines asked for that the L1 cache of the SM had");
  sink.count("l1_misses", l1_misses_, "lines", "Lines asked for that came from L2");
}

}  // namespace tc::subcore
