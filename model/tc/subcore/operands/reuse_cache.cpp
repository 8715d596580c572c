// SPDX-License-Identifier: Apache-2.0
#include "reuse_cache.hpp"

#include <algorithm>

namespace tc::subcore {

reuse_cache::reuse_cache(const config::reuse_cache_parameters& parameters, unsigned banks)
    : slots_(parameters.enabled ? parameters.slots : 0), banks_(banks), tags_(slots_ * banks), values_(slots_ * banks) {}

void reuse_cache::reset() {
  changes_.clear();
  all_changes_ = 0;
  std::fill(tags_.begin(), tags_.end(), tag{});
  entries_ = 0;
}

void reuse_cache::switch_to(unsigned warp_slot) {
  for (tag& entry : tags_)
    if (entry.valid && entry.warp_slot != warp_slot) drop(entry);
}

void reuse_cache::forget(unsigned warp_slot) {
  for (tag& entry : tags_)
    if (entry.valid && entry.warp_slot == warp_slot) drop(entry);
}

void reuse_cache::written(unsigned warp_slot, unsigned index) {
  for (tag& entry : tags_)
    if (entry.valid && entry.warp_slot == warp_slot && entry.index == index) drop(entry);
}

void reuse_cache::replace(tag& entry, const tag& next) {
  const bool is_same = entry.warp_slot == next.warp_slot && entry.index == next.index;
  if (entry.valid && !(next.valid && is_same)) note_change(entry.warp_slot);
  if (next.valid && !(entry.valid && is_same)) note_change(next.warp_slot);
  entries_ = entries_ - (entry.valid ? 1 : 0) + (next.valid ? 1 : 0);
  entry = next;
}

void reuse_cache::note_change(unsigned warp_slot) {
  if (warp_slot >= changes_.size()) changes_.resize(warp_slot + 1);
  ++changes_[warp_slot];
  ++all_changes_;
}

}  // namespace tc::subcore
