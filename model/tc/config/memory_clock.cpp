// SPDX-License-Identifier: Apache-2.0
#include "memory_clock.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tc::config {

namespace {

/// To the nearest cycle. What takes time takes at least one.
unsigned scaled(unsigned cycles, double factor) {
  if (cycles == 0) return 0;
  const double wanted = std::round(cycles * factor);
  return static_cast<unsigned>(std::clamp(wanted, 1.0, static_cast<double>(std::numeric_limits<unsigned>::max())));
}

/// Of a latency only what lies behind the SM is scaled.
unsigned scaled_beyond(unsigned cycles, unsigned inside_sm, double factor) {
  return cycles <= inside_sm ? cycles : inside_sm + scaled(cycles - inside_sm, factor);
}

}  // namespace

double sm_cycles_of_memory_cycle(const machine& machine) {
  return machine.clock_mhz / machine.global_memory.clock_mhz.value_or(machine.clock_mhz);
}

machine in_sm_cycles(machine machine) {
  const double factor = sm_cycles_of_memory_cycle(machine);
  machine.global_memory.clock_mhz = machine.clock_mhz;
  global_memory_parameters& memory = machine.global_memory;
  memory.latency_cycles = scaled(memory.latency_cycles, factor);
  memory.hierarchy.translation.miss_cycles = scaled(memory.hierarchy.translation.miss_cycles, factor);
  memory.hierarchy.l2_hit_cycles = scaled(memory.hierarchy.l2_hit_cycles, factor);
  memory.hierarchy.l2_miss_cycles = scaled(memory.hierarchy.l2_miss_cycles, factor);
  if (memory.peak.l2_bytes_per_cycle) *memory.peak.l2_bytes_per_cycle /= factor;
  constant_cache_parameters& constants = machine.sm.sub_core.constant_cache;
  constants.l2_hit_cycles = scaled_beyond(constants.l2_hit_cycles, constants.l15_hit_cycles, factor);
  fetch_parameters& fetch = machine.sm.sub_core.fetch;
  fetch.l2_hit_cycles = scaled_beyond(fetch.l2_hit_cycles, fetch.l1_hit_cycles, factor);
  return machine;
}

}  // namespace tc::config
