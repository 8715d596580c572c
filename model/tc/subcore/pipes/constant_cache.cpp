// SPDX-License-Identifier: Apache-2.0
#include "constant_cache.hpp"

#include <algorithm>

#include <tc/lanes/part_of_word.hpp>

namespace tc::subcore {

namespace {

/// Banks of kernels lie apart from each other.
std::uint64_t address_of(std::uint32_t kernel, unsigned bank, std::uint32_t offset) {
  return (std::uint64_t{kernel} << 8 | bank) << 32 | offset;
}

}  // namespace

constant_cache::constant_cache(const config::constant_cache_parameters& parameters, fabric::shared_tag_array& l15)
    : params_(parameters),
      l1_({parameters.l1.sets(), parameters.l1.ways, parameters.l1.line_bytes, parameters.l1.sector_bytes}),
      l15_(l15) {}

cycle_t constant_cache::further_cycles(std::uint32_t kernel, const constant_addresses& addresses, cycle_t cycle) {
  cycle_t last = cycle;
  for (unsigned i = 0; i < addresses.count; ++i) {
    ++passes_;
    const cycle_t pass = cycle + cycle_t{i} * params_.pass_cycles;
    last = std::max(last, there(address_of(kernel, addresses.bank, addresses.offset[i]), pass, cycle));
  }
  return last - cycle;
}

/// When a pass has its constant, less the latency of a hit.
cycle_t constant_cache::there(std::uint64_t address, cycle_t pass, cycle_t asked) {
  if (params_.ideal) return pass;
  if (const auto found = l1_.find(address)) {
    ++l1_hits_;
    return std::max(pass, *found);
  }
  ++l1_misses_;
  const auto found = l15_.find(address, asked);
  ++(found ? l15_hits_ : l15_misses_);
  const cycle_t arrival = found ? std::max(pass + params_.l15_hit_cycles, *found) : pass + params_.l2_hit_cycles;
  if (!found) l15_.fill(address, arrival, asked);
  l1_.fill(address, arrival);
  return arrival;
}

void constant_cache::reset() {
  clear();
  passes_ = l1_hits_ = l1_misses_ = l15_hits_ = l15_misses_ = 0;
}

void constant_cache::collect(fabric::statistics_sink& sink) const {
  sink.count("passes", passes_, "passes", "Distinct addresses of constant loads");
  sink.count("l1_hits", l1_hits_, "passes", "Passes that found their constant in the L1 cache");
  sink.count("l1_misses", l1_misses_, "passes", "Passes that did not");
  sink.count("l15_hits", l15_hits_, "passes", "Misses that the L1.5 cache of the SM had");
  sink.count("l15_misses", l15_misses_, "passes", "Misses that came from L2");
}

namespace {

/// The byte offset at which a lane reads.
std::uint32_t offset_of(const links::warp_instruction& instruction, unsigned lane) {
  const isa::operand& source = instruction.code().sources[0];
  return source.value + (is_indexed_by_lane(instruction.code()) ? instruction.operand(0, 0)[lane] : 0);
}

}  // namespace

bool is_indexed_by_lane(const isa::instruction& code) {
  const isa::operand& source = code.sources[0];
  return source.what == isa::operand::kind::constant && source.memory.base != isa::zero_register && source.memory.base_count > 0;
}

constant_addresses addresses_of(const links::warp_instruction& instruction, bool data) {
  constant_addresses addresses;
  addresses.bank = instruction.code().sources[0].bank;
  if (instruction.step.mask == 0) return addresses;
  const bool is_known = data || instruction.warp->is_executed;
  if (!is_known || !is_indexed_by_lane(instruction.code())) {
    addresses.offset[addresses.count++] = instruction.code().sources[0].value;
    return addresses;
  }
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    if ((instruction.step.mask >> lane & 1U) == 0) continue;
    const std::uint32_t offset = data ? offset_of(instruction, lane) : static_cast<std::uint32_t>(instruction.step.addresses[lane]);
    const auto end = addresses.offset.begin() + addresses.count;
    if (std::find(addresses.offset.begin(), end, offset) == end) addresses.offset[addresses.count++] = offset;
  }
  return addresses;
}

bool load_constants(links::warp_instruction& instruction) {
  const isa::operand& source = instruction.code().sources[0];
  const bool is_known = source.what == isa::operand::kind::constant && source.memory.uniform == isa::zero_uniform_register;
  const isa::modifiers& mods = instruction.code().mods;
  const unsigned words = std::max(1U, mods.access_bits / 32U);
  if (!is_known || instruction.warp->constants == nullptr) return false;
  const bool by_lane = is_indexed_by_lane(instruction.code());
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const std::uint32_t offset = offset_of(instruction, lane);
    for (unsigned i = 0; i < words; ++i) {
      const auto part = lanes::constant_part(*instruction.warp->constants, source.bank, offset + 4 * i, mods);
      const std::uint32_t value = part.value_or(0);
      if (by_lane)
        instruction.result_registers[i][lane] = value;
      else
        instruction.result_registers[i] = warp::broadcast(value);
      if (!part) instruction.undefined_lanes |= by_lane ? 1U << lane : 0xffffffffU;
    }
    if (!by_lane) break;
  }
  if (instruction.undefined_lanes != 0) instruction.origin = {&instruction.code(), instruction.step.line};
  return true;
}

}  // namespace tc::subcore
