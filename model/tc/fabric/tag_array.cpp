// SPDX-License-Identifier: Apache-2.0
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

void tag_array::clear() {
  std::fill(sets_.begin(), sets_.end(), set{});
  lines_.clear();
  rehash(smallest_bucket_bits);
  latest_ = {};
}

}  // namespace tc::fabric
