// SPDX-License-Identifier: Apache-2.0
#include "memory_hierarchy.hpp"

#include <algorithm>

namespace tc::memory {

namespace {

fabric::tag_array::shape shape_of(const config::cache_parameters& cache) {
  return {cache.sets(), cache.ways, cache.line_bytes, cache.sector_bytes};
}

/// The number of sectors that follow each other.
unsigned count_of(std::uint64_t sectors) {
  return 64U - static_cast<unsigned>(__builtin_clzll(sectors)) - static_cast<unsigned>(__builtin_ctzll(sectors));
}

/// Whether an access lies in one of the lines of a size, which is a power of two.
bool is_in_line(const memory_hierarchy::request& r, std::uint64_t line_bytes) {
  return (r.address & (line_bytes - 1)) + r.bytes <= line_bytes;
}

fabric::tag_array::shape shape_of(const config::translation_parameters& translation) {
  const std::uint64_t page = std::uint64_t{translation.page_kib} * 1024;
  return {1, translation.entries, page, page};
}

}  // namespace

memory_hierarchy::memory_hierarchy(const config::memory_hierarchy_parameters& parameters)
    : params_(parameters),
      sectors_are_equal_(parameters.l1.sector_bytes == parameters.l2.sector_bytes),
      lines_are_equal_(sectors_are_equal_ && parameters.l1.line_bytes == parameters.l2.line_bytes),
      line_bytes_(
          std::min({shape_of(parameters.l1).line_bytes, shape_of(parameters.l2).line_bytes, shape_of(parameters.translation).line_bytes})),
      translations_(shape_of(parameters.translation)),
      l2_(shape_of(parameters.l2)) {}

fabric::tag_array& memory_hierarchy::l1_of(unsigned sm) {
  while (sm >= l1_.size()) l1_.emplace_back(shape_of(params_.l1));
  return l1_[sm];
}

cycle_t memory_hierarchy::read(const request& r) {
  cycle_t valid = r.arrival;
  fabric::tag_array& l1 = l1_of(r.sm);
  if (const auto answer = read_line(r, l1)) return *answer;
  const std::uint64_t first = l1.sector_of(r.address), bytes = r.address - first + r.bytes;
  for (std::uint64_t offset = 0; offset < bytes; offset += params_.l1.sector_bytes)
    valid = std::max(valid, read_sector(r, l1, first + offset));
  return valid;
}

/// All sectors of an access at once, if they lie in one line and are at the same level; what they count and leave behind is the same as
/// sector by sector.
std::optional<cycle_t> memory_hierarchy::read_line(const request& r, fabric::tag_array& l1) {
  if (!sectors_are_equal_ || !is_in_line(r, line_bytes_)) return std::nullopt;
  const std::uint64_t in_l1 = l1.sectors_of(r.address, r.bytes);
  const std::uint64_t in_l2 = lines_are_equal_ ? in_l1 : l2_.sectors_of(r.address, r.bytes);
  const unsigned sectors = count_of(in_l1);
  if (!r.bypass_l1) {
    const fabric::tag_array::present there = l1.find_sectors(r.address, in_l1);
    if (there.sectors == in_l1) {
      l1_counters_.hits += sectors;
      l1_bytes_ += std::uint64_t{sectors} * params_.l1.sector_bytes;
      return std::max(r.arrival + params_.l1_hit_cycles, there.arrival);
    }
    if (there.sectors != 0) return std::nullopt;
  }
  const fabric::tag_array::present there = l2_.find_sectors(r.address, in_l2);
  if (there.sectors != 0 && there.sectors != in_l2) return std::nullopt;
  const cycle_t translated = translate(r.address, r.arrival, sectors);
  cycle_t valid = translated + params_.l2_miss_cycles;
  traffic_.read_from_l2 += std::uint64_t{sectors} * params_.l1.sector_bytes;
  if (there.sectors != 0) {
    l2_counters_.hits += sectors;
    l2_bytes_ += std::uint64_t{sectors} * params_.l1.sector_bytes;
    valid = std::max(translated + params_.l2_hit_cycles, there.arrival);
  } else {
    l2_counters_.misses += sectors;
    dram_bytes_ += std::uint64_t{sectors} * params_.l2.sector_bytes;
    traffic_.read_from_dram += std::uint64_t{sectors} * params_.l2.sector_bytes;
    l2_.fill_sectors(r.address, in_l2, valid);
  }
  if (r.bypass_l1) return valid;
  l1_counters_.misses += sectors;
  l1.fill_sectors(r.address, in_l1, valid);
  return valid;
}

cycle_t memory_hierarchy::read_sector(const request& r, fabric::tag_array& l1, std::uint64_t address) {
  if (r.bypass_l1) return read_l2(address, translate(address, r.arrival));
  if (const auto there = l1.find(address)) {
    ++l1_counters_.hits;
    l1_bytes_ += params_.l1.sector_bytes;
    return std::max(r.arrival + params_.l1_hit_cycles, *there);
  }
  ++l1_counters_.misses;
  const cycle_t valid = read_l2(address, translate(address, r.arrival));
  l1.fill(address, valid);
  return valid;
}

/// The cycle in which the access would have come, had its translation been there; asked for so many times.
cycle_t memory_hierarchy::translate(std::uint64_t address, cycle_t arrival, unsigned times) {
  if (const auto there = translations_.find(address)) {
    translation_counters_.hits += times;
    return std::max(arrival, *there);
  }
  ++translation_counters_.misses;
  translation_counters_.hits += times - 1;
  const cycle_t translated = arrival + params_.translation.miss_cycles;
  translations_.fill(address, translated);
  return translated;
}

cycle_t memory_hierarchy::read_l2(std::uint64_t address, cycle_t translated) {
  traffic_.read_from_l2 += params_.l1.sector_bytes;
  if (const auto there = l2_.find(address)) {
    ++l2_counters_.hits;
    l2_bytes_ += params_.l1.sector_bytes;
    return std::max(translated + params_.l2_hit_cycles, *there);
  }
  ++l2_counters_.misses;
  dram_bytes_ += params_.l2.sector_bytes;
  traffic_.read_from_dram += params_.l2.sector_bytes;
  const cycle_t valid = translated + params_.l2_miss_cycles;
  l2_.fill(address, valid);
  return valid;
}

cycle_t memory_hierarchy::write(const request& r) {
  if (const auto answer = write_line(r)) return *answer;
  cycle_t acknowledged = r.arrival;
  const std::uint64_t end = r.address + r.bytes, first = l2_.sector_of(r.address);
  for (std::uint64_t offset = 0; offset < end - first; offset += params_.l2.sector_bytes) {  // the last may end with the address space
    const std::uint64_t sector = first + offset;
    const cycle_t taken = translate(sector, r.arrival) + params_.l2_hit_cycles;
    const bool there = l2_.find(sector).has_value();
    ++(there ? l2_counters_.hits : l2_counters_.misses);
    const std::uint64_t bytes = std::min<std::uint64_t>(end - sector, params_.l2.sector_bytes) - (std::max(r.address, sector) - sector);
    (there ? l2_bytes_ : dram_bytes_) += bytes;
    if (!there) traffic_.written_anew += bytes;
    if (!there) l2_.fill(sector, taken);
    acknowledged = std::max(acknowledged, taken);
  }
  return acknowledged;
}

/// As read_line().
std::optional<cycle_t> memory_hierarchy::write_line(const request& r) {
  if (!is_in_line(r, line_bytes_)) return std::nullopt;
  const std::uint64_t wanted = l2_.sectors_of(r.address, r.bytes);
  const std::uint64_t there = l2_.find_sectors(r.address, wanted).sectors;
  if (there != 0 && there != wanted) return std::nullopt;
  const unsigned sectors = count_of(wanted);
  const cycle_t taken = translate(r.address, r.arrival, sectors) + params_.l2_hit_cycles;
  (there != 0 ? l2_counters_.hits : l2_counters_.misses) += sectors;
  (there != 0 ? l2_bytes_ : dram_bytes_) += r.bytes;
  if (there == 0) traffic_.written_anew += r.bytes;
  if (there == 0) l2_.fill_sectors(r.address, wanted, taken);
  return taken;
}

void memory_hierarchy::invalidate_l1() {
  for (fabric::tag_array& l1 : l1_) l1.clear();
}

void memory_hierarchy::reset() { *this = memory_hierarchy(params_); }

void memory_hierarchy::collect(fabric::statistics_sink& sink) const {
  sink.count("l1_hits", l1_counters_.hits, "sectors", "Sectors that the L1 cache of the SM had");
  sink.count("l1_misses", l1_counters_.misses, "sectors", "Sectors that it had to ask for");
  sink.count("translation_hits", translation_counters_.hits, "accesses", "Addresses whose translation was kept");
  sink.count("translation_misses", translation_counters_.misses, "accesses", "Addresses whose translation had to be looked up");
  sink.count("l2_hits", l2_counters_.hits, "sectors", "Sectors that the L2 cache had");
  sink.count("l2_misses", l2_counters_.misses, "sectors", "Sectors read from DRAM, or written without being there");
  sink.bytes("l1_bytes", l1_bytes_, "Bytes of the sectors that the L1 cache had");
  sink.bytes("l2_bytes", l2_bytes_, "Bytes that were read from sectors of the L2 cache, or written to those that it had");
  sink.bytes("dram_bytes", dram_bytes_, "Bytes of the sectors read from DRAM, and bytes written to sectors that the L2 cache did not have");
}

}  // namespace tc::memory
