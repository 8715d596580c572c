// SPDX-License-Identifier: Apache-2.0
#include "sm_occupancy.hpp"

#include <algorithm>

#include <systemc>

#include <fmt/format.h>

namespace tc::device {

namespace {

/// Registers are given to a warp in units of 8 for each thread (NVIDIA CUDA Occupancy Calculator: 256 for each warp).
constexpr unsigned register_unit = 8;

unsigned rounded_registers(unsigned registers) { return (registers + register_unit - 1) / register_unit * register_unit; }

}  // namespace

sm_occupancy::sm_occupancy(const config::sm_parameters& machine)
    : machine_(machine), ctas_(machine.max_ctas), warps_(machine.sub_cores), registers_(machine.sub_cores) {}

std::string sm_occupancy::refusal(const cta_demand& demand, const config::sm_parameters& machine) {
  const unsigned warps = warps_in(0, demand.warps, machine.sub_cores);
  if (warps > warp_slots(machine))
    return fmt::format("its {} warps are more than sm.max_warps = {} on sm.sub_cores = {} allow", demand.warps, machine.max_warps,
                       machine.sub_cores);
  if (demand.shared_bytes > machine.shared_memory.bytes)
    return fmt::format("its {} bytes of shared memory are more than sm.shared_memory.bytes = {}", demand.shared_bytes,
                       machine.shared_memory.bytes);
  const unsigned limit = machine.sub_core.register_file.warp_registers;
  if (warps * rounded_registers(demand.registers) > limit)
    return fmt::format("{} warps of {} registers on one sub-core are more than sm.sub_core.register_file.warp_registers = {}", warps,
                       demand.registers, limit);
  return {};
}

unsigned sm_occupancy::capacity(const cta_demand& demand, const config::sm_parameters& machine) {
  sm_occupancy empty(machine);
  while (empty.fits(demand)) empty.take(demand);
  return empty.resident();
}

unsigned sm_occupancy::registers_in(unsigned sub_core, const cta_demand& demand) const {
  return warps_in(sub_core, demand.warps, machine_.sub_cores) * rounded_registers(demand.registers);
}

bool sm_occupancy::fits(const cta_demand& demand) const {
  if (resident_ == machine_.max_ctas) return false;
  for (unsigned s = 0; s < machine_.sub_cores; ++s) {
    if (warps_[s] + warps_in(s, demand.warps, machine_.sub_cores) > warp_slots(machine_)) return false;
    if (registers_[s] + registers_in(s, demand) > machine_.sub_core.register_file.warp_registers) return false;
  }
  return find_window(demand.shared_bytes) != no_window;
}

/// The lowest free window, or no_window.
std::uint64_t sm_occupancy::find_window(std::uint64_t bytes) const {
  if (bytes == 0) return 0;
  const auto aligned = [](std::uint64_t address) { return (address + window_alignment - 1) / window_alignment * window_alignment; };
  std::uint64_t best = no_window;
  const auto consider = [&](std::uint64_t base) {
    if (base + bytes > machine_.shared_memory.bytes) return;
    const bool free = std::none_of(ctas_.begin(), ctas_.end(), [&](const cta& other) {
      return other.taken && base < other.shared_base + other.demand.shared_bytes && other.shared_base < base + bytes;
    });
    if (free) best = std::min(best, base);
  };
  consider(0);
  for (const cta& other : ctas_)
    if (other.taken) consider(aligned(other.shared_base + other.demand.shared_bytes));
  return best;
}

void sm_occupancy::count(const cta& resident, bool enters) {
  for (unsigned s = 0; s < machine_.sub_cores; ++s) {
    const unsigned warps = warps_in(s, resident.demand.warps, machine_.sub_cores), registers = registers_in(s, resident.demand);
    warps_[s] = enters ? warps_[s] + warps : warps_[s] - warps;
    registers_[s] = enters ? registers_[s] + registers : registers_[s] - registers;
  }
  resident_ = enters ? resident_ + 1 : resident_ - 1;
}

sm_occupancy::place sm_occupancy::take(const cta_demand& demand) {
  sc_assert(fits(demand));
  const auto free = std::find_if(ctas_.begin(), ctas_.end(), [](const cta& slot) { return !slot.taken; });
  const std::uint64_t base = find_window(demand.shared_bytes);
  *free = {true, demand, base};
  count(*free, true);
  return {static_cast<std::uint32_t>(free - ctas_.begin()), free->shared_base};
}

void sm_occupancy::release(std::uint32_t cta_slot) {
  sc_assert(ctas_[cta_slot].taken);
  count(ctas_[cta_slot], false);
  ctas_[cta_slot] = {};
}

}  // namespace tc::device
