#include "tag_array.hpp"

#include <algorithm>

namespace tc::fabric {

tag_array::line* tag_array::find_line(std::uint64_t number) {
  std::vector<line>& set = sets_[number % shape_.sets];
  const auto found = std::find_if(set.begin(), set.end(), [number](const line& l) { return l.number == number; });
  return found == set.end() ? nullptr : &*found;
}

std::optional<cycle_t> tag_array::find(std::uint64_t address) {
  line* const found = find_line(address / shape_.line_bytes);
  if (found == nullptr || (found->sectors & sector_bit(address)) == 0) return std::nullopt;
  found->last_use = ++uses_;
  return found->arrival;
}

void tag_array::fill(std::uint64_t address, cycle_t arrival) {
  const std::uint64_t number = address / shape_.line_bytes;
  line* place = find_line(number);
  if (place == nullptr) {
    std::vector<line>& set = sets_[number % shape_.sets];
    if (set.size() < shape_.ways) {
      place = &set.emplace_back();
    } else {
      place = &*std::min_element(set.begin(), set.end(), [](const line& a, const line& b) { return a.last_use < b.last_use; });
      *place = {};
    }
    place->number = number;
  }
  place->sectors |= sector_bit(address);
  place->arrival = std::max(place->arrival, arrival);
  place->last_use = ++uses_;
}

void tag_array::clear() {
  for (std::vector<line>& set : sets_) set.clear();
}

}  // namespace tc::fabric
