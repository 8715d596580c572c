// SPDX-License-Identifier: Apache-2.0
#include "column_allocator.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tc::tmem {

const char* describe(allocation_mistake mistake) {
  switch (mistake) {
    case allocation_mistake::none:
      return "";
    case allocation_mistake::bad_size:
      return "columns are allocated in powers of two from 32 to those of tensor memory";
    case allocation_mistake::growing:
      return "an allocation must not be larger than the one before";
    case allocation_mistake::relinquished:
      return "the CTA has relinquished the permit to allocate";
    case allocation_mistake::not_allocated:
      return "no allocation of the CTA has returned these columns, or they have been deallocated";
    case allocation_mistake::not_returned:
      return "the CTA ends without having deallocated its columns";
  }
  return "";
}

column_allocator::column_allocator(unsigned columns) : taken_(columns / slot_columns) {}

allocation_mistake column_allocator::mistake_in(cta_id cta, unsigned columns) const {
  const bool is_power = columns != 0 && (columns & (columns - 1)) == 0;
  if (!is_power || columns < slot_columns || columns > taken_.size() * slot_columns) return allocation_mistake::bad_size;
  const auto found = owners_.find(cta);
  if (found == owners_.end()) return allocation_mistake::none;
  if (found->second.relinquished) return allocation_mistake::relinquished;
  if (found->second.last_columns && columns > *found->second.last_columns) return allocation_mistake::growing;
  return allocation_mistake::none;
}

column_allocator::allocation column_allocator::allocate(cta_id cta, unsigned columns) {
  if (const allocation_mistake mistake = mistake_in(cta, columns); mistake != allocation_mistake::none) return {mistake};
  owners_[cta].last_columns = columns;
  const std::optional<unsigned> first = take(cta, columns);
  if (!first) waiting_.push_back({cta, columns});
  return {allocation_mistake::none, first};
}

/// The lowest aligned free run.
std::optional<unsigned> column_allocator::take(cta_id cta, unsigned columns) {
  const auto slots = static_cast<std::ptrdiff_t>(columns / slot_columns);
  const auto all = static_cast<std::ptrdiff_t>(taken_.size());
  for (std::ptrdiff_t slot = 0; slot + slots <= all; slot += slots) {
    if (std::find(taken_.begin() + slot, taken_.begin() + slot + slots, true) != taken_.begin() + slot + slots) continue;
    const unsigned first = static_cast<unsigned>(slot) * slot_columns;
    set(first, columns, true);
    owners_[cta].allocations.push_back({cta, first, columns});
    return first;
  }
  return {};
}

void column_allocator::set(unsigned first, unsigned columns, bool taken) {
  std::fill_n(taken_.begin() + first / slot_columns, columns / slot_columns, taken);
}

column_allocator::release column_allocator::deallocate(cta_id cta, unsigned first, unsigned columns) {
  const auto found = owners_.find(cta);
  if (found == owners_.end()) return {allocation_mistake::not_allocated};
  std::vector<grant>& allocations = found->second.allocations;
  const auto named = std::find_if(allocations.begin(), allocations.end(),
                                  [&](const grant& other) { return other.first == first && other.columns == columns; });
  if (named == allocations.end()) return {allocation_mistake::not_allocated};
  allocations.erase(named);
  set(first, columns, false);
  return {allocation_mistake::none, grant_waiting()};
}

std::vector<column_allocator::grant> column_allocator::grant_waiting() {
  std::vector<grant> granted;
  std::vector<request> left;
  for (const request& next : waiting_) {
    if (const std::optional<unsigned> first = take(next.cta, next.columns); first)
      granted.push_back({next.cta, *first, next.columns});
    else
      left.push_back(next);
  }
  waiting_ = std::move(left);
  return granted;
}

void column_allocator::relinquish(cta_id cta) { owners_[cta].relinquished = true; }

column_allocator::release column_allocator::end(cta_id cta) {
  waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(), [&](const request& other) { return other.cta == cta; }), waiting_.end());
  const auto found = owners_.find(cta);
  if (found == owners_.end()) return {};
  const std::vector<grant> left = found->second.allocations;
  owners_.erase(found);
  if (left.empty()) return {};
  for (const grant& columns : left) set(columns.first, columns.columns, false);
  return {allocation_mistake::not_returned, grant_waiting()};
}

unsigned column_allocator::free_columns() const {
  return static_cast<unsigned>(std::count(taken_.begin(), taken_.end(), false)) * slot_columns;
}

}  // namespace tc::tmem
