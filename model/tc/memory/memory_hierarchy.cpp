// SPDX-License-Identifier: Apache-2.0
#include "memory_hierarchy.hpp"

#include <algorithm>
#include <utility>

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
  fabric::tag_array& l1 = l1_of(r.sm);
  if (!r.goes_on) served_ = {};
  const bool is_in_last = served_.l1_sector == l1.sector_of(r.address);
  const cycle_t valid = is_in_last ? read_again(r, l1) : read_new(r, l1);
  served_.l1_sector = l1.sector_of(r.address + (r.bytes - 1));
  return valid;
}

/// A part of an access that begins in the last sector of the part before it: that has been counted, and takes as long as any other.
cycle_t memory_hierarchy::read_again(const request& r, fabric::tag_array& l1) {
  const counters before = counted_;
  const std::uint64_t sector = l1.sector_of(r.address);
  const cycle_t valid = read_sector(r, l1, sector);
  counted_ = before;
  const std::uint64_t here = sector + params_.l1.sector_bytes - r.address;
  if (r.bytes <= here) return valid;
  request rest = r;
  rest.address += here;
  rest.bytes -= here;
  return std::max(valid, read_new(rest, l1));
}

cycle_t memory_hierarchy::read_new(const request& r, fabric::tag_array& l1) {
  cycle_t valid = r.arrival;
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
      counted_.l1.hits += sectors;
      counted_.l1_bytes += std::uint64_t{sectors} * params_.l1.sector_bytes;
      return std::max(r.arrival + params_.l1_hit_cycles, there.arrival);
    }
    if (there.sectors != 0) return std::nullopt;
  }
  const fabric::tag_array::present there = l2_.find_sectors(r.address, in_l2);
  if (there.sectors != 0 && there.sectors != in_l2) return std::nullopt;
  const cycle_t translated = translate(r.address, r.arrival);
  cycle_t valid = translated + params_.l2_miss_cycles;
  const std::uint64_t bytes = std::uint64_t{sectors} * params_.l1.sector_bytes;
  counted_.traffic.read_from_l2 += bytes;
  served_.l2_sector = l2_.sector_of(r.address + (r.bytes - 1));
  served_.in_l2 = there.sectors != 0;
  if (there.sectors != 0) {
    counted_.l2.hits += sectors;
    counted_.l2_bytes += bytes;
    valid = std::max(translated + params_.l2_hit_cycles, there.arrival);
  } else {
    counted_.l2.misses += sectors;
    counted_.dram_bytes += bytes;
    counted_.traffic.read_from_dram += bytes;
    l2_.fill_sectors(r.address, in_l2, valid);
  }
  (r.bypass_l1 ? counted_.l1_bypassed : counted_.l1.misses) += sectors;
  if (r.bypass_l1) return valid;
  l1.fill_sectors(r.address, in_l1, valid);
  return valid;
}

cycle_t memory_hierarchy::read_sector(const request& r, fabric::tag_array& l1, std::uint64_t address) {
  if (r.bypass_l1) {
    ++counted_.l1_bypassed;
    return read_l2(address, translate(address, r.arrival));
  }
  if (const auto there = l1.find(address)) {
    ++counted_.l1.hits;
    counted_.l1_bytes += params_.l1.sector_bytes;
    return std::max(r.arrival + params_.l1_hit_cycles, *there);
  }
  ++counted_.l1.misses;
  const cycle_t valid = read_l2(address, translate(address, r.arrival));
  l1.fill(address, valid);
  return valid;
}

/// The cycle in which the access would have come, had its translation been there. An access to a line asks once for each page.
cycle_t memory_hierarchy::translate(std::uint64_t address, cycle_t arrival) {
  const std::uint64_t page = translations_.sector_of(address);
  const bool is_counted = std::exchange(served_.page, page) == page;
  if (const auto there = translations_.find(address)) {
    counted_.translation.hits += is_counted ? 0 : 1;
    return std::max(arrival, *there);
  }
  ++counted_.translation.misses;
  const cycle_t translated = arrival + params_.translation.miss_cycles;
  translations_.fill(address, translated);
  return translated;
}

/// A sector of an L1 cache, which may be a part of one of the L2 cache, or several.
cycle_t memory_hierarchy::read_l2(std::uint64_t address, cycle_t translated) {
  const std::uint64_t piece = std::min(params_.l1.sector_bytes, params_.l2.sector_bytes);
  cycle_t valid = translated;
  for (std::uint64_t offset = 0; offset < params_.l1.sector_bytes; offset += piece)
    valid = std::max(valid, read_l2_sector(address + offset, piece, translated));
  return valid;
}

cycle_t memory_hierarchy::read_l2_sector(std::uint64_t address, std::uint64_t bytes, cycle_t translated) {
  const std::uint64_t sector = l2_.sector_of(address);
  const bool is_new = served_.l2_sector != sector;
  const auto there = l2_.find(address);
  counted_.traffic.read_from_l2 += bytes;
  if (count_l2(sector, there.has_value())) {
    counted_.l2_bytes += bytes;
  } else if (is_new) {
    counted_.dram_bytes += params_.l2.sector_bytes;
    counted_.traffic.read_from_dram += params_.l2.sector_bytes;
  }
  if (there) return std::max(translated + params_.l2_hit_cycles, *there);
  const cycle_t valid = translated + params_.l2_miss_cycles;
  l2_.fill(address, valid);
  return valid;
}

/// Counts a sector, unless the access has been there before. Returns whether it was in the L2 cache when the access came.
bool memory_hierarchy::count_l2(std::uint64_t sector, bool is_there) {
  if (std::exchange(served_.l2_sector, sector) == sector) return served_.in_l2;
  served_.in_l2 = is_there;
  ++(is_there ? counted_.l2.hits : counted_.l2.misses);
  return is_there;
}

cycle_t memory_hierarchy::write(const request& r) {
  if (!r.goes_on) served_ = {};
  counted_.l2_bytes_written += r.bytes;
  if (const auto answer = write_line(r)) return *answer;
  cycle_t acknowledged = r.arrival;
  const std::uint64_t end = r.address + r.bytes, first = l2_.sector_of(r.address);
  for (std::uint64_t offset = 0; offset < end - first; offset += params_.l2.sector_bytes) {  // the last may end with the address space
    const std::uint64_t sector = first + offset;
    const cycle_t taken = translate(sector, r.arrival) + params_.l2_hit_cycles;
    const bool there = l2_.find(sector).has_value();
    const bool was_there = count_l2(sector, there);
    const std::uint64_t bytes = std::min<std::uint64_t>(end - sector, params_.l2.sector_bytes) - (std::max(r.address, sector) - sector);
    (was_there ? counted_.l2_bytes : counted_.dram_bytes) += bytes;
    if (!was_there) counted_.traffic.written_anew += bytes;
    if (!there) l2_.fill(sector, taken);
    acknowledged = std::max(acknowledged, taken);
  }
  return acknowledged;
}

/// As read_line().
std::optional<cycle_t> memory_hierarchy::write_line(const request& r) {
  if (!is_in_line(r, line_bytes_) || served_.l2_sector == l2_.sector_of(r.address)) return std::nullopt;
  const std::uint64_t wanted = l2_.sectors_of(r.address, r.bytes);
  const std::uint64_t there = l2_.find_sectors(r.address, wanted).sectors;
  if (there != 0 && there != wanted) return std::nullopt;
  const unsigned sectors = count_of(wanted);
  const cycle_t taken = translate(r.address, r.arrival) + params_.l2_hit_cycles;
  served_.l2_sector = l2_.sector_of(r.address + (r.bytes - 1));
  served_.in_l2 = there != 0;
  (there != 0 ? counted_.l2.hits : counted_.l2.misses) += sectors;
  (there != 0 ? counted_.l2_bytes : counted_.dram_bytes) += r.bytes;
  if (there == 0) counted_.traffic.written_anew += r.bytes;
  if (there == 0) l2_.fill_sectors(r.address, wanted, taken);
  return taken;
}

void memory_hierarchy::invalidate_l1() {
  for (fabric::tag_array& l1 : l1_) l1.clear();
}

void memory_hierarchy::reset() { *this = memory_hierarchy(params_); }

void memory_hierarchy::collect(fabric::statistics_sink& sink) const {
  const counters& c = counted_;
  sink.count("l1_hits", c.l1.hits, "sectors", "Sectors that the L1 cache of the SM had");
  sink.count("l1_misses", c.l1.misses, "sectors", "Sectors that it had to ask for");
  sink.count("l1_bypassed", c.l1_bypassed, "sectors", "Sectors that were read past it");
  sink.count("translation_hits", c.translation.hits, "accesses", "Lines whose address translation was kept");
  sink.count("translation_misses", c.translation.misses, "accesses", "Lines whose address translation had to be looked up");
  sink.count("l2_hits", c.l2.hits, "sectors", "Sectors that the L2 cache had");
  sink.count("l2_misses", c.l2.misses, "sectors", "Sectors read from DRAM, or written without being there");
  sink.bytes("l1_bytes", c.l1_bytes, "Bytes of the sectors that the L1 cache had");
  sink.bytes("l2_bytes", c.l2_bytes, "Bytes that were read from sectors of the L2 cache, or written to those that it had");
  sink.bytes("dram_bytes", c.dram_bytes,
             "Bytes of the sectors read from DRAM, and bytes written to sectors that the L2 cache did not have");
  sink.bytes("l2_bytes_read", c.traffic.read_from_l2, "Bytes that the L2 cache handed to SMs, those that it had to fetch too");
  sink.bytes("l2_bytes_written", c.l2_bytes_written, "Bytes that SMs wrote to the L2 cache");
  sink.bytes("dram_bytes_read", c.traffic.read_from_dram, "Bytes of the sectors that the L2 cache fetched from DRAM");
}

}  // namespace tc::memory
