#include <algorithm>

#include <systemc>

#include <tc/subcore/allocate_stage.hpp>

namespace tc::subcore {

void allocate_stage::demand::read(const operand_read& what) {
  sc_assert(read_count_ < max_reads);
  reads_[read_count_++] = what;
}

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
bool allocate_stage::allocate(cycle_t now) {
  demand& needs = allocate_.needs;
  bool complete = true;
  for (unsigned bank = 0; bank < params_.banks; ++bank) {
    unsigned missing = 0;
    for (unsigned r = 0; r < needs.read_count_; ++r)
      if (needs.reads_[r].bank == bank) missing += needs.reads_[r].registers;
    const cycle_t end = now + std::max<cycle_t>(params_.window_cycles, missing);
    for (cycle_t t = now; missing > 0 && t < end; ++t)
      for (unsigned r = 0; missing > 0 && r < needs.read_count_; ++r)
        while (needs.reads_[r].bank == bank && reserve(needs.reads_[r], t)) --missing;
    complete = complete && missing == 0;
  }
  if (!complete || (needs.has_result && writes_.taken(now) > 0)) return false;
  keep_latches(now + params_.window_cycles - 1);
  return true;
}

/// Takes a port in cycle `t` for one register, if there is one and the register can be read then.
bool allocate_stage::reserve(operand_read& read, cycle_t t) {
  if (read.registers == 0 || reads_[read.bank].taken(t) >= params_.read_ports || t < read.earliest + lost_cycles_) return false;
  if (read.slot < operand_slots && t <= latched_until(read.slot, read.bank)) return false;
  reads_[read.bank].take(t);
  --read.registers;
  return true;
}

void allocate_stage::keep_latches(cycle_t cycle) {
  for (unsigned slot = 0; slot < operand_slots; ++slot)
    for (unsigned bank = 0; bank < params_.banks; ++bank)
      if ((allocate_.needs.latches_[slot] >> bank & 1u) != 0) latched_until(slot, bank) = cycle;
}

}  // namespace tc::subcore
