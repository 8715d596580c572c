// SPDX-License-Identifier: Apache-2.0
#include "program_shape.hpp"

#include <algorithm>
#include <vector>

#include <tc/device/sm_occupancy.hpp>

#include "memory_accesses.hpp"
#include "warp_text.hpp"

namespace tcsim::random_programs {

namespace isa = tc::isa;

namespace {

constexpr unsigned most_warps = 64, most_threads_along_z = 64;

unsigned random_divisor(unsigned of, random_numbers& random) {
  std::vector<unsigned> divisors;
  for (unsigned i = 1; i <= of; ++i)
    if (of % i == 0) divisors.push_back(i);
  return divisors[random.below(static_cast<unsigned>(divisors.size()))];
}

/// Extents with so many elements; mostly all along x.
extents random_extents(unsigned count, random_numbers& random) {
  if (random.chance(60)) return {count, 1, 1};
  const unsigned x = random_divisor(count, random), y = random_divisor(count / x, random);
  const unsigned z = count / x / y;
  return z > most_threads_along_z ? extents{x, z, y} : extents{x, y, z};
}

unsigned count_of(const extents& of) { return of[0] * of[1] * of[2]; }

}  // namespace

unsigned program_shape::threads_of(unsigned warp) const { return std::min(lanes_of_warp, threads - warp * lanes_of_warp); }

extents program_shape::place_of(unsigned cta) const { return {cta % grid[0], cta / grid[0] % grid[1], cta / grid[0] / grid[1]}; }

program_shape random_shape(random_numbers& random, const tc::config::machine& machine, isa::architecture arch, unsigned bytes_before) {
  program_shape shape;
  const unsigned size = random.below(100);
  shape.warps = size < 55 ? random.between(1, 4) : size < 90 ? random.between(1, 8) : random.between(8, 16);
  const bool is_of_warpgroups = arch == isa::architecture::sm_90 && random.chance(50);
  if (is_of_warpgroups) shape.warps = warpgroup_warps * random.between(1, 3);
  shape.threads = lanes_of_warp * shape.warps - (random.chance(is_of_warpgroups ? 8 : 25) ? random.below(lanes_of_warp) : 0);
  shape.block = random_extents(shape.threads, random);
  shape.shared_blocks = random.between(2, 2 + 2 * shape.warps);
  shape.global_blocks = random.between(2, 2 + 2 * shape.warps);
  if (is_of_warpgroups) shape.shared_blocks += random.between(4, 40);

  const unsigned most_ctas = most_warps / shape.warps;
  shape.ctas = std::min(most_ctas, size < 60 ? random.between(1, 2) : random.between(1, std::max(1U, most_ctas / 2)));
  shape.grid = random_extents(shape.ctas, random);
  if (!isa::info(arch).clusters || random.chance(70)) return shape;
  const unsigned room = machine.sms * tc::device::sm_occupancy::capacity(
                                          {shape.warps, used_registers, bytes_before + shape.shared_blocks * block_bytes}, machine.sm);
  const unsigned most = std::max(1U, std::min({8U, room, most_ctas}));
  const extents cluster = random_extents(random.between(1, most), random);
  const extents clusters = random_extents(random.between(1, most_ctas / count_of(cluster)), random);
  shape.cluster = cluster;
  for (unsigned d = 0; d < cluster.size(); ++d) shape.grid.at(d) = cluster.at(d) * clusters.at(d);
  shape.ctas = count_of(shape.grid);
  return shape;
}

}  // namespace tcsim::random_programs
