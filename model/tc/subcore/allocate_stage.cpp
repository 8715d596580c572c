#include <algorithm>

#include <tc/subcore/allocate_stage.hpp>

namespace tc::subcore {

void allocate_stage::advance(cycle_t cycle) {
  for (; next_ <= cycle && (control_.occupied || allocate_.occupied); ++next_) {
    stands_still_ = allocate_.occupied && !allocate(next_);
    if (stands_still_) {
      ++lost_cycles_;
      continue;
    }
    allocate_ = control_;
    control_.occupied = false;
  }
  if (next_ > cycle) return;
  next_ = cycle + 1;
  stands_still_ = false;
}

void allocate_stage::enter(const demand& needs) {
  control_.occupied = true;
  control_.needs = needs;
}

/// Reserves what it can; true when nothing is missing. What is reserved stays reserved.
bool allocate_stage::allocate(cycle_t cycle) {
  bool complete = true;
  for (unsigned bank = 0; bank < params_.banks; ++bank) {
    std::uint8_t& missing = allocate_.needs.reads[bank];
    const cycle_t end = cycle + std::max<cycle_t>(params_.window_cycles, missing);
    for (cycle_t t = cycle; missing > 0 && t < end; ++t)
      for (; missing > 0 && reads_[bank].taken(t) < params_.read_ports; --missing) reads_[bank].take(t);
    complete = complete && missing == 0;
  }
  return complete && !(allocate_.needs.has_result && writes_.taken(cycle) > 0);
}

}  // namespace tc::subcore
