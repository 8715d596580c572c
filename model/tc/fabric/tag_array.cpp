#include "tag_array.hpp"

#include <algorithm>

namespace tc::fabric {

namespace {

constexpr unsigned smallest_bucket_bits = 4;

/// Logarithm of a power of two.
unsigned log2_of(std::uint64_t power) {
  unsigned exponent = 0;
  while (power >> exponent > 1) ++exponent;
  return exponent;
}

}  // namespace

tag_array::tag_array(const shape& s)
    : shape_(s), line_shift_(log2_of(s.line_bytes)), sector_shift_(log2_of(s.sector_bytes)), sets_(s.sets) {
  rehash(smallest_bucket_bits);
}

/// Puts a line where it is found by its number.
void tag_array::index(std::uint32_t added) {
  std::uint32_t& first = buckets_[bucket_of(lines_[added].number)];
  lines_[added].next = first;
  first = added;
}

void tag_array::forget(std::uint32_t removed) {
  std::uint32_t* link = &buckets_[bucket_of(lines_[removed].number)];
  while (*link != removed) link = &lines_[*link].next;
  *link = lines_[removed].next;
}

void tag_array::rehash(unsigned bucket_bits) {
  bucket_bits_ = bucket_bits;
  buckets_.assign(std::size_t{1} << bucket_bits, no_line);
  for (std::uint32_t each = 0; each < lines_.size(); ++each) index(each);
}

/// The line that was found, which is the one used last from now on.
tag_array::line& tag_array::use() {
  line& used = lines_[latest_.line];
  set& in = sets_[used.set];
  if (latest_.line == in.newest) return used;
  lines_[used.newer].older = used.older;
  if (latest_.line == in.oldest)
    in.oldest = used.newer;
  else
    lines_[used.older].newer = used.newer;
  put_first(in, latest_.line);
  return used;
}

void tag_array::put_first(set& of, std::uint32_t used) {
  lines_[used].older = of.newest;
  lines_[of.newest].newer = used;
  of.newest = used;
}

tag_array::present tag_array::find_sectors(std::uint64_t address, std::uint64_t sectors) {
  if (!is_there(number_of(address))) return {};
  const std::uint64_t there = lines_[latest_.line].sectors & sectors;
  if (there == 0) return {};
  return {there, use().arrival};
}

std::optional<cycle_t> tag_array::find(std::uint64_t address) {
  const present there = find_sectors(address, sector_bit(address));
  return there.sectors == 0 ? std::nullopt : std::optional(there.arrival);
}

/// Gives a way to the line that was not found: one that is free, or that of the line used longest ago.
void tag_array::take_way() {
  const auto number = static_cast<std::uint32_t>(latest_.number % shape_.sets);
  set& in = sets_[number];
  if (in.taken == shape_.ways) {
    forget(in.oldest);
    latest_.line = in.oldest;
    line& taken = use();
    taken.number = latest_.number;
    taken.sectors = 0;
    taken.arrival = 0;
  } else {
    if (lines_.size() == buckets_.size()) rehash(bucket_bits_ + 1);
    latest_.line = static_cast<std::uint32_t>(lines_.size());
    line& taken = lines_.emplace_back();
    taken.number = latest_.number;
    taken.set = number;
    if (in.taken++ == 0) in.newest = in.oldest = latest_.line;
    put_first(in, latest_.line);
  }
  index(latest_.line);
}

void tag_array::fill(std::uint64_t address, cycle_t arrival) { fill_sectors(address, sector_bit(address), arrival); }

void tag_array::fill_sectors(std::uint64_t address, std::uint64_t sectors, cycle_t arrival) {
  if (!is_there(number_of(address))) take_way();
  line& filled = use();
  filled.sectors |= sectors;
  filled.arrival = std::max(filled.arrival, arrival);
}

void tag_array::clear() {
  std::fill(sets_.begin(), sets_.end(), set{});
  lines_.clear();
  rehash(smallest_bucket_bits);
  latest_ = {};
}

}  // namespace tc::fabric
