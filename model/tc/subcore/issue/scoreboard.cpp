// SPDX-License-Identifier: Apache-2.0
#include "scoreboard.hpp"

#include <algorithm>

#include <systemc>

namespace tc::subcore {

scoreboard::scoreboard(const links::operand_timing& operands, unsigned warp_slots)
    : operands_(operands), results_(warp_slots), reads_(operands.operands_wait ? warp_slots : 0) {}

void scoreboard::clear(unsigned warp_slot) {
  results_[warp_slot] = {};
  if (operands_.operands_wait) reads_[warp_slot] = {};
}

cycle_t scoreboard::earliest_issue(const isa::instruction& code, unsigned warp_slot) const {
  const warp_results& results = results_[warp_slot];
  const cycle_t ahead = operands_.earliest_read(code);
  cycle_t earliest = 0;
  const auto wait_for = [&](cycle_t cycle, cycle_t after_issue) {
    if (cycle == links::unknown_cycle)
      earliest = links::unknown_cycle;
    else if (cycle > after_issue && earliest != links::unknown_cycle)
      earliest = std::max(earliest, cycle - after_issue);
  };
  const auto wait_for_readers = [&](unsigned reg) {
    if (!operands_.operands_wait) return;
    const register_reads& reads = reads_[warp_slot][reg];
    wait_for(reads.readers > 0 ? links::unknown_cycle : reads.last, 0);
  };
  for (const isa::register_use& use : code.reads) {
    if (!links::has_position(use.file)) continue;
    for (unsigned i = 0; i < use.count; ++i) wait_for(results[position(use) + i].visible, ahead);
  }
  for (const isa::register_use& use : code.writes) {
    if (!links::has_position(use.file)) continue;
    for (unsigned i = 0; i < use.count; ++i) {
      wait_for(results[position(use) + i].visible, ahead);
      wait_for_readers(position(use) + i);
    }
  }
  if (const isa::wgmma_operation* const operation = isa::wgmma_of(code))
    for (const std::uint8_t reg : operation->accumulators) {
      wait_for(results[links::register_position(isa::register_file::vector, reg)].visible, ahead);
      wait_for_readers(links::register_position(isa::register_file::vector, reg));
    }
  // The guard decides at issue whether lanes execute.
  if (code.guard.index != isa::true_predicate) wait_for(results[links::register_position(code.guard.file, code.guard.index)].visible, 0);
  return earliest;
}

cycle_t scoreboard::reads_early(const isa::instruction& code, unsigned warp_slot, cycle_t issue, const isa::register_use*& use) const {
  const warp_results& results = results_[warp_slot];
  const cycle_t read_cycle = issue + operands_.earliest_read(code);
  for (const isa::register_use& read : code.reads) {
    if (!links::has_position(read.file)) continue;
    const register_result *early = results.data() + position(read), *const end = early + read.count;
    while (early != end && early->visible <= read_cycle) ++early;
    if (early == end) continue;
    use = &read;
    return early->visible == links::unknown_cycle ? links::unknown_cycle : early->visible - read_cycle;
  }
  return 0;
}

/// Registers outside the banks are read at dispatch, which is known when the instruction retires.
bool scoreboard::holds_until_retired(const links::warp_instruction& instruction, const isa::register_use& use) {
  return use.file != isa::register_file::vector || !instruction.operands_read_known;
}

void scoreboard::issued(const links::warp_instruction& instruction) {
  const std::uint32_t slot = instruction.warp->slot;
  const cycle_t result = instruction.result_known() ? instruction.promised_result : links::unknown_cycle;
  for (const isa::register_use& use : instruction.code().writes) {
    if (!links::has_position(use.file)) continue;
    std::fill_n(results_[slot].begin() + position(use), use.count, register_result{result, instruction.id});
  }
  if (!operands_.operands_wait) return;
  for (const isa::register_use& use : instruction.code().reads) {
    if (!links::has_position(use.file)) continue;
    for (unsigned i = 0; i < use.count; ++i) {
      register_reads& reads = reads_[slot][position(use) + i];
      if (holds_until_retired(instruction, use))
        ++reads.readers;
      else
        reads.last = std::max(reads.last, instruction.operands_read);
    }
  }
}

void scoreboard::settle_results(const links::warp_instruction& instruction) {
  warp_results& results = results_[instruction.warp->slot];
  for (const isa::register_use& use : instruction.code().writes) {
    if (!links::has_position(use.file)) continue;
    const unsigned first = position(use);
    for (unsigned i = first; i < first + use.count; ++i)
      if (results[i].writer == instruction.id) results[i].visible = instruction.result;
  }
}

void scoreboard::retired(const links::warp_instruction& instruction) {
  if (instruction.result != instruction.promised_result) settle_results(instruction);
  if (!operands_.operands_wait) return;
  for (const isa::register_use& use : instruction.code().reads) {
    if (!links::has_position(use.file) || !holds_until_retired(instruction, use)) continue;
    for (unsigned i = 0; i < use.count; ++i) {
      register_reads& reads = reads_[instruction.warp->slot][position(use) + i];
      sc_assert(reads.readers > 0);
      --reads.readers;
      reads.last = std::max(reads.last, instruction.dispatch);
    }
  }
}

}  // namespace tc::subcore
