// SPDX-License-Identifier: Apache-2.0
#include "allocate_stage.hpp"

#include <algorithm>

#include <systemc>

namespace tc::subcore {

void allocate_stage::demand::read(const operand_read& what) {
  sc_assert(read_count_ < max_reads);
  reads_[read_count_++] = what;
}

void allocate_stage::reset() {
  std::fill(latched_until_.begin(), latched_until_.end(), 0);
  control_ = allocate_ = {};
  next_ = lost_cycles_ = 0;
  stands_still_ = false;
}

/// Brings them up to this cycle and through it, or to where nobody is in them any more.
void allocate_stage::pass(cycle_t cycle) {
  for (; next_ <= cycle && is_occupied(); ++next_) {
    stands_still_ = allocate_.occupied && !allocate(next_);
    if (stands_still_) {
      ++lost_cycles_;
      if (told_ != nullptr) tell_standstill(next_);
      continue;
    }
    allocate_ = control_;
    control_.occupied = false;
  }
}

void allocate_stage::enter(const demand& needs) {
  sc_assert(!control_.occupied);
  sc_assert(std::all_of(needs.reads_.begin(), needs.reads_.begin() + needs.read_count_,
                        [this](const operand_read& read) { return read.bank < ports_.banks(); }));
  control_.occupied = true;
  control_.needs = needs;
}

/// Reserves what it can; true when nothing is missing. What is reserved stays reserved.
bool allocate_stage::allocate(cycle_t now) {
  ports_.pass_to(now);
  demand& needs = allocate_.needs;
  bool complete = true;
  for (unsigned bank = 0; bank < ports_.banks(); ++bank) {
    unsigned missing = 0;
    for (unsigned r = 0; r < needs.read_count_; ++r)
      if (needs.reads_[r].bank == bank) missing += needs.reads_[r].registers;
    const cycle_t end = now + std::max<cycle_t>(window_cycles_, missing);
    for (cycle_t t = now; missing > 0 && t < end; ++t)
      for (unsigned r = 0; missing > 0 && r < needs.read_count_; ++r)
        while (needs.reads_[r].bank == bank && reserve(needs.reads_[r], t)) --missing;
    complete = complete && missing == 0;
  }
  if (!complete || (needs.has_result && !ports_.can_write(now))) return false;
  sc_assert(std::all_of(needs.reads_.begin(), needs.reads_.begin() + needs.read_count_,
                        [](const operand_read& read) { return read.registers == 0; }));
  keep_latches(now + window_cycles_ - 1);
  return true;
}

/// Takes a port in cycle `t` for one register, if there is one and the register can be read then.
bool allocate_stage::reserve(operand_read& read, cycle_t t) {
  if (read.registers == 0 || !ports_.can_read(read.bank, t) || t < read.earliest + lost_cycles_) return false;
  if (read.slot < operand_slots && t <= latched_until(read.slot, read.bank)) return false;
  ports_.take_read(read.bank, t);
  if (told_ != nullptr) told_->port_granted(allocate_.needs.reader, {read.bank, read.index, 1}, t, t + 1);
  read.index = static_cast<std::uint8_t>(read.index + ports_.banks());
  --read.registers;
  return true;
}

/// Who stands still for the write port misses no read port.
void allocate_stage::tell_standstill(cycle_t cycle) {
  const demand& needs = allocate_.needs;
  told_->stands_still(needs.reader, cycle);
  for (unsigned bank = 0; bank < ports_.banks(); ++bank)
    if (std::any_of(needs.reads_.begin(), needs.reads_.begin() + needs.read_count_,
                    [bank](const operand_read& read) { return read.bank == bank && read.registers != 0; }))
      told_->port_missed(needs.reader, bank, cycle);
}

void allocate_stage::keep_latches(cycle_t cycle) {
  for (unsigned slot = 0; slot < operand_slots; ++slot)
    for (unsigned bank = 0; bank < ports_.banks(); ++bank)
      if ((allocate_.needs.latches_[slot] >> bank & 1u) != 0) latched_until(slot, bank) = cycle;
}

}  // namespace tc::subcore
