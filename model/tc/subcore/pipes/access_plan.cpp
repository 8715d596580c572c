// SPDX-License-Identifier: Apache-2.0
#include "access_plan.hpp"

#include <algorithm>

namespace tc::subcore {

namespace {

constexpr std::uint8_t nobody = 0xff;

/// The elements from `first` on, `count` of them.
std::uint32_t elements_from(unsigned first, unsigned count) {
  return (count >= warp::lanes_per_warp ? 0xffffffffU : (1U << count) - 1) << first;
}

bool is_single(const access_elements& elements) {
  std::uint64_t first = 0;
  bool found = false;
  for (unsigned e = 0; e < warp::lanes_per_warp; ++e) {
    if (!elements.has(e)) continue;
    if (found && elements.address[e] != first) return false;
    first = elements.address[e];
    found = true;
  }
  return found;
}

/// Logarithm of a power of two.
unsigned log2_of(unsigned power) {
  unsigned exponent = 0;
  while (power >> exponent > 1) ++exponent;
  return exponent;
}

}  // namespace

void access_plan::split_by_banks(const access_elements& elements, unsigned banks, unsigned bank_width_bytes) {
  const unsigned unit = std::max(elements.bytes, bank_width_bytes);
  const unsigned columns = std::max(1U, banks * bank_width_bytes / unit);
  is_single_element_ = is_single(elements);
  const unsigned phase = std::min(warp::lanes_per_warp, is_single_element_ ? 2 * columns : columns);
  groups_ = conflicts_ = 0;
  conflict_groups_ = 0;
  for (unsigned first = 0; first < warp::lanes_per_warp; first += phase)
    add_phase(elements, elements.mask & elements_from(first, phase), log2_of(unit), columns);
  make_runs(elements);
  has_exact_groups_ = has_exact_groups_ && elements.bytes <= banks * bank_width_bytes;
}

/// Gives the elements of one phase their wavefronts. Elements in one unit (as many words as an element has) share it; the n-th different
/// unit of a column (the banks of a unit) comes into the n-th wavefront.
void access_plan::add_phase(const access_elements& elements, std::uint32_t phase, unsigned unit_shift, unsigned columns) {
  if (phase == 0) return;
  constexpr unsigned buckets = 64;
  const std::uint64_t last_column = columns - 1;
  std::array<std::uint8_t, buckets> last;                     // element seen last in a bucket of columns
  std::array<std::uint8_t, warp::lanes_per_warp> previous{};  // the one before it in the same bucket
  std::array<std::uint64_t, warp::lanes_per_warp> unit_of{};
  last.fill(nobody);
  unsigned wavefronts = 1;
  for (unsigned e = 0; e < warp::lanes_per_warp; ++e) {
    if ((phase >> e & 1U) == 0) continue;
    const std::uint64_t unit = elements.address[e] >> unit_shift;
    unsigned wavefront = 0;
    std::uint8_t& newest = last[unit & last_column & (buckets - 1)];
    for (std::uint8_t other = newest; other != nobody; other = previous[other]) {
      const unsigned others = group_[other] - groups_;
      if (unit_of[other] == unit) {
        wavefront = others;
        break;
      }
      if (((unit_of[other] ^ unit) & last_column) == 0) wavefront = std::max(wavefront, others + 1);
    }
    unit_of[e] = unit;
    previous[e] = newest;
    newest = static_cast<std::uint8_t>(e);
    group_[e] = static_cast<std::uint16_t>(groups_ + wavefront);
    wavefronts = std::max(wavefronts, wavefront + 1);
  }
  conflict_groups_ |= elements_from(groups_, wavefronts) & ~(1U << groups_);
  conflicts_ += wavefronts - 1;
  groups_ += wavefronts;
}

void access_plan::split_by_lines(const access_elements& elements, unsigned line_bytes) {
  is_single_element_ = false;
  conflicts_ = 0;
  conflict_groups_ = 0;
  std::array<std::uint64_t, warp::lanes_per_warp> lines{};
  groups_ = 0;
  const unsigned line_shift = log2_of(line_bytes);
  for (unsigned e = 0; e < warp::lanes_per_warp; ++e) {
    if (!elements.has(e)) continue;
    const std::uint64_t line = elements.address[e] >> line_shift;
    unsigned group = 0;
    while (group < groups_ && lines[group] != line) ++group;
    if (group == groups_) lines[groups_++] = line;
    group_[e] = static_cast<std::uint16_t>(group);
  }
  make_runs(elements);
}

unsigned access_plan::bytes_behind(const access_run& run) const {
  unsigned bytes = 0;
  for (const access_run* next = &run + 1; next != end() && next->group == run.group; ++next) bytes += next->length;
  return bytes;
}

/// Joins the elements of each group that touch or overlap.
void access_plan::make_runs(const access_elements& elements) {
  std::array<std::uint8_t, warp::lanes_per_warp> order{};
  unsigned count = 0;
  for (unsigned e = 0; e < warp::lanes_per_warp; ++e)
    if (elements.has(e)) order[count++] = static_cast<std::uint8_t>(e);
  const auto before = [&](std::uint8_t a, std::uint8_t b) {
    return group_[a] != group_[b] ? group_[a] < group_[b] : elements.address[a] < elements.address[b];
  };
  if (!std::is_sorted(order.begin(), order.begin() + count, before)) std::sort(order.begin(), order.begin() + count, before);

  run_count_ = 0;
  begin_address_ = ~std::uint64_t{0};
  end_address_ = 0;
  has_exact_groups_ = true;
  is_in_order_ = count == warp::lanes_per_warp;
  unsigned used = 0;  // bytes of the buffer
  for (unsigned i = 0; i < count; ++i) {
    const unsigned e = order[i];
    const std::uint64_t address = elements.address[e];
    const bool joins = run_count_ != 0 && runs_[run_count_ - 1].group == group_[e] &&
                       address <= runs_[run_count_ - 1].address + runs_[run_count_ - 1].length;
    if (!joins) runs_[run_count_++] = {address, static_cast<std::uint16_t>(used), 0, group_[e]};
    access_run& run = runs_[run_count_ - 1];
    const auto inside = static_cast<unsigned>(address - run.address);
    run.length = static_cast<std::uint16_t>(std::max<unsigned>(run.length, inside + elements.bytes));
    offset_[e] = static_cast<std::uint16_t>(run.offset + inside);
    used = run.offset + run.length;
    begin_address_ = std::min(begin_address_, address);
    end_address_ = std::max(end_address_, address + elements.bytes);
    has_exact_groups_ = has_exact_groups_ && address % elements.bytes == 0;
    is_in_order_ = is_in_order_ && offset_[e] == e * elements.bytes;
  }
  bytes_ = used;
}

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
