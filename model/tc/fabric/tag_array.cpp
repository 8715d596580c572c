#include "tag_array.hpp"

#include <algorithm>

namespace tc::fabric {

namespace {

/// Logarithm of a power of two.
unsigned log2_of(std::uint64_t power) {
  unsigned exponent = 0;
  while (power >> exponent > 1) ++exponent;
  return exponent;
}

}  // namespace

tag_array::tag_array(const shape& s)
    : shape_(s), line_shift_(log2_of(s.line_bytes)), sector_shift_(log2_of(s.sector_bytes)), sets_(s.sets) {}

/// Finds out where a line is, if it is there.
void tag_array::look_for(std::uint64_t number) {
  if (latest_.number == number) return;
  latest_ = {number, static_cast<unsigned>(number % shape_.sets)};
  const std::vector<line>& lines = sets_[latest_.set].lines;
  const auto found = std::find_if(lines.begin(), lines.end(), [number](const line& each) { return each.number == number; });
  latest_.found = found != lines.end();
  latest_.way = static_cast<unsigned>(found - lines.begin());
}

/// The line that was found, which is the one used last from now on.
tag_array::line& tag_array::use() {
  set& in = sets_[latest_.set];
  line& used = in.lines[latest_.way];
  if (latest_.way == in.newest) return used;
  in.lines[used.newer].older = used.older;
  if (latest_.way == in.oldest)
    in.oldest = used.newer;
  else
    in.lines[used.older].newer = used.newer;
  put_first(in, latest_.way);
  return used;
}

void tag_array::put_first(set& of, unsigned way) {
  of.lines[way].older = of.newest;
  of.lines[of.newest].newer = way;
  of.newest = way;
}

tag_array::present tag_array::find_sectors(std::uint64_t address, std::uint64_t sectors) {
  look_for(number_of(address));
  if (!latest_.found) return {};
  const std::uint64_t there = sets_[latest_.set].lines[latest_.way].sectors & sectors;
  if (there == 0) return {};
  return {there, use().arrival};
}

std::optional<cycle_t> tag_array::find(std::uint64_t address) {
  const present there = find_sectors(address, sector_bit(address));
  return there.sectors == 0 ? std::nullopt : std::optional(there.arrival);
}

/// Gives a way to the line that was not found: one that is free, or that of the line used longest ago.
void tag_array::take_way() {
  set& in = sets_[latest_.set];
  latest_.found = true;
  if (in.lines.size() == shape_.ways) {
    latest_.way = in.oldest;
    line& taken = use();
    taken.number = latest_.number;
    taken.sectors = 0;
    taken.arrival = 0;
    return;
  }
  latest_.way = static_cast<unsigned>(in.lines.size());
  in.lines.reserve(shape_.ways);
  in.lines.emplace_back().number = latest_.number;
  put_first(in, latest_.way);
}

void tag_array::fill(std::uint64_t address, cycle_t arrival) { fill_sectors(address, sector_bit(address), arrival); }

void tag_array::fill_sectors(std::uint64_t address, std::uint64_t sectors, cycle_t arrival) {
  look_for(number_of(address));
  if (!latest_.found) take_way();
  line& filled = use();
  filled.sectors |= sectors;
  filled.arrival = std::max(filled.arrival, arrival);
}

void tag_array::clear() {
  for (set& each : sets_) each = {};
  latest_ = {};
}

}  // namespace tc::fabric
