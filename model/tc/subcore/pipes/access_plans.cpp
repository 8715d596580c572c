// SPDX-License-Identifier: Apache-2.0
#include "access_plans.hpp"

#include <algorithm>

namespace tc::subcore {

namespace {

constexpr std::uint32_t every_element = 0xffffffff;

std::uint64_t lowest_address(const access_elements& elements) {
  if (elements.mask == every_element) return *std::min_element(elements.address.begin(), elements.address.end());
  std::uint64_t lowest = ~std::uint64_t{0};
  for (unsigned e = 0; e < warp::lanes_per_warp; ++e)
    if (elements.has(e)) lowest = std::min(lowest, elements.address[e]);
  return lowest;
}

/// The elements with addresses relative to a base.
access_elements relative_to(std::uint64_t base, const access_elements& elements) {
  access_elements relative = elements;
  for (std::uint64_t& address : relative.address) address -= base;
  if (elements.mask != every_element)
    for (unsigned e = 0; e < warp::lanes_per_warp; ++e)
      if (!elements.has(e)) relative.address[e] = 0;
  return relative;
}

unsigned first_element(const access_elements& elements) { return static_cast<unsigned>(__builtin_ctz(elements.mask)); }

/// Tells apart what patterns differ in: where their first element begins in its row, and their strides. The same at every base.
unsigned hash_of(const access_elements& elements, std::uint64_t row) {
  const std::uint64_t first = elements.address[first_element(elements)];
  std::uint64_t sum = elements.mask * 31 + (first & (row - 1));
  for (const unsigned e : {1U, 2U, 4U, 8U, 16U, 31U}) sum = sum * 31 + (elements.has(e) ? elements.address[e] - first : 0);
  return static_cast<unsigned>((sum * 31 + elements.bytes) * 0x9e3779b97f4a7c15ULL >> 32U);
}

/// Whether the elements are those of a pattern at a base.
bool is_same(const access_elements& pattern, std::uint64_t base, const access_elements& elements) {
  if (pattern.mask != elements.mask || pattern.bytes != elements.bytes) return false;
  std::uint64_t different = 0;  // of all elements, without a branch for each
  if (elements.mask == every_element) {
    for (unsigned e = 0; e < warp::lanes_per_warp; ++e) different |= (elements.address[e] - pattern.address[e]) ^ base;
  } else {
    for (unsigned e = 0; e < warp::lanes_per_warp; ++e)
      different |= elements.has(e) ? (elements.address[e] - pattern.address[e]) ^ base : 0;
  }
  return different == 0;
}

}  // namespace

access_plans access_plans::by_banks(unsigned banks, unsigned bank_width_bytes) { return {banks, banks * bank_width_bytes}; }

access_plans access_plans::by_lines(unsigned line_bytes) { return {0, line_bytes}; }

access_plans::access_plans(unsigned banks, unsigned row_bytes) : banks_(banks), row_bytes_(row_bytes) {}

based_plan access_plans::of(const access_elements& elements) {
  // The largest element does not pass a row of this many bytes, in memories of few banks too.
  const std::uint64_t row = std::max<std::uint64_t>(row_bytes_, access_plan::max_bytes / warp::lanes_per_warp);
  boost::intrusive_ptr<const kept_plan>& place = kept_[hash_of(elements, row) % places];
  if (place != nullptr) {
    const unsigned first = first_element(elements);
    const std::uint64_t base = elements.address[first] - place->pattern.address[first];
    if ((base & (row - 1)) == 0 && is_same(place->pattern, base, elements)) return {base, place};
  }
  const std::uint64_t base = lowest_address(elements) & ~(row - 1);
  place = make(relative_to(base, elements));
  return {base, place};
}

boost::intrusive_ptr<const kept_plan> access_plans::make(const access_elements& pattern) const {
  boost::intrusive_ptr<kept_plan> made(new kept_plan);
  made->pattern = pattern;
  if (banks_ == 0)
    made->plan.split_by_lines(pattern, static_cast<unsigned>(row_bytes_));
  else
    made->plan.split_by_banks(pattern, banks_, static_cast<unsigned>(row_bytes_) / banks_);
  return made;
}

}  // namespace tc::subcore
