#include <tc/subcore/reuse_cache.hpp>

namespace tc::subcore {

reuse_cache::reuse_cache(const config::reuse_cache_parameters& parameters, unsigned banks)
    : slots_(parameters.enabled ? parameters.slots : 0), banks_(banks), tags_(slots_ * banks), values_(slots_ * banks) {}

bool reuse_cache::holds(unsigned slot, unsigned bank, unsigned warp_slot, unsigned index) const {
  if (!has_slot(slot)) return false;
  const tag& entry = tags_[slot * banks_ + bank];
  return entry.valid && entry.warp_slot == warp_slot && entry.index == index;
}

void reuse_cache::use(unsigned slot, unsigned bank, unsigned warp_slot, unsigned index, bool reuse) {
  if (has_slot(slot)) tags_[slot * banks_ + bank] = {reuse, warp_slot, index};
}

void reuse_cache::switch_to(unsigned warp_slot) {
  for (tag& entry : tags_)
    if (entry.warp_slot != warp_slot) entry.valid = false;
}

void reuse_cache::forget(unsigned warp_slot) {
  for (tag& entry : tags_)
    if (entry.warp_slot == warp_slot) entry.valid = false;
}

void reuse_cache::written(unsigned warp_slot, unsigned index) {
  for (tag& entry : tags_)
    if (entry.valid && entry.warp_slot == warp_slot && entry.index == index) entry.valid = false;
}

}  // namespace tc::subcore
