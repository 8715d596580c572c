#include "access_plans.hpp"

#include <algorithm>

namespace tc::subcore {

namespace {

constexpr std::uint32_t every_element = 0xffffffff;

std::uint64_t lowest_address(const access_elements& elements) {
  if (elements.mask == every_element) return *std::min_element(elements.address.begin(), elements.address.end());
  std::uint64_t lowest = ~std::uint64_t{0};
  for (unsigned e = 0; e < lanes_per_warp; ++e)
    if (elements.has(e)) lowest = std::min(lowest, elements.address[e]);
  return lowest;
}

/// The elements with addresses relative to a base.
access_elements relative_to(std::uint64_t base, const access_elements& elements) {
  access_elements relative = elements;
  for (std::uint64_t& address : relative.address) address -= base;
  if (elements.mask != every_element)
    for (unsigned e = 0; e < lanes_per_warp; ++e)
      if (!elements.has(e)) relative.address[e] = 0;
  return relative;
}

/// Tells apart what patterns differ in: where they begin, and their strides.
unsigned hash_of(const access_elements& pattern) {
  std::uint64_t sum = pattern.mask;
  for (const unsigned e : {0U, 1U, 2U, 4U, 8U, 16U, 31U}) sum = sum * 31 + pattern.address[e];
  return static_cast<unsigned>((sum * 31 + pattern.bytes) * 0x9e3779b97f4a7c15ULL >> 32U);
}

bool is_same(const access_elements& a, const access_elements& b) {
  return a.mask == b.mask && a.bytes == b.bytes && a.address == b.address;
}

}  // namespace

access_plans access_plans::by_banks(unsigned banks, unsigned bank_width_bytes) { return {banks, banks * bank_width_bytes}; }

access_plans access_plans::by_lines(unsigned line_bytes) { return {0, line_bytes}; }

access_plans::access_plans(unsigned banks, unsigned row_bytes) : banks_(banks), row_bytes_(row_bytes) {}

based_plan access_plans::of(const access_elements& elements) {
  // The largest element does not pass a row of this many bytes, in memories of few banks too.
  const std::uint64_t row = std::max<std::uint64_t>(row_bytes_, access_plan::max_bytes / lanes_per_warp);
  const std::uint64_t base = lowest_address(elements) & ~(row - 1);
  const access_elements pattern = relative_to(base, elements);
  std::shared_ptr<const planned>& place = kept_[hash_of(pattern) % places];
  if (place == nullptr || !is_same(place->pattern, pattern)) place = make(pattern);
  return {base, {place, &place->plan}};
}

std::shared_ptr<const access_plans::planned> access_plans::make(const access_elements& pattern) const {
  auto made = std::make_shared<planned>();
  made->pattern = pattern;
  if (banks_ == 0)
    made->plan.split_by_lines(pattern, static_cast<unsigned>(row_bytes_));
  else
    made->plan.split_by_banks(pattern, banks_, static_cast<unsigned>(row_bytes_) / banks_);
  return made;
}

}  // namespace tc::subcore
