#include "scoreboard.hpp"

#include <algorithm>

namespace tc::subcore {

scoreboard::scoreboard(const operand_timing& operands, unsigned warp_slots) : operands_(operands), warps_(warp_slots) {}

void scoreboard::clear(unsigned warp_slot) { warps_[warp_slot] = {}; }

cycle_t scoreboard::earliest_issue(const isa::instruction& code, unsigned warp_slot) const {
  const warp_times& times = warps_[warp_slot];
  const cycle_t ahead = operands_.earliest_read(code);
  cycle_t earliest = 0;
  const auto wait_for = [&](cycle_t cycle, cycle_t after_issue) {
    if (cycle == unknown_cycle)
      earliest = unknown_cycle;
    else if (cycle > after_issue && earliest != unknown_cycle)
      earliest = std::max(earliest, cycle - after_issue);
  };
  for (const isa::register_use& use : code.reads) {
    if (!has_position(use.file)) continue;
    for (unsigned i = 0; i < use.count; ++i) wait_for(times[position(use) + i].result, ahead);
  }
  for (const isa::register_use& use : code.writes) {
    if (!has_position(use.file)) continue;
    for (unsigned i = 0; i < use.count; ++i) {
      wait_for(times[position(use) + i].result, ahead);
      if (!operands_.operands_wait) continue;
      wait_for(times[position(use) + i].readers > 0 ? unknown_cycle : times[position(use) + i].read, 0);
    }
  }
  if (const isa::wgmma_operation* const operation = isa::wgmma_of(code))
    for (const std::uint8_t reg : operation->accumulators)
      wait_for(times[register_position(isa::register_file::vector, reg)].result, ahead);
  // The guard decides at issue whether lanes execute.
  if (code.guard.index != isa::true_predicate) wait_for(times[register_position(code.guard.file, code.guard.index)].result, 0);
  return earliest;
}

cycle_t scoreboard::reads_early(const isa::instruction& code, unsigned warp_slot, cycle_t issue, const isa::register_use*& use) const {
  const warp_times& times = warps_[warp_slot];
  const cycle_t read_cycle = issue + operands_.earliest_read(code);
  for (const isa::register_use& read : code.reads) {
    if (!has_position(read.file)) continue;
    for (unsigned i = 0; i < read.count; ++i) {
      const cycle_t result = times[position(read) + i].result;
      if (result <= read_cycle) continue;
      use = &read;
      return result == unknown_cycle ? unknown_cycle : result - read_cycle;
    }
  }
  return 0;
}

/// Registers outside the banks are read at dispatch, which is known when the instruction retires.
bool scoreboard::holds_until_retired(const warp_instruction& instruction, const isa::register_use& use) {
  return use.file != isa::register_file::vector || !instruction.operands_read_known;
}

void scoreboard::issued(const warp_instruction& instruction) {
  warp_times& times = warps_[instruction.warp->slot];
  const cycle_t result = instruction.result_known ? instruction.result : unknown_cycle;
  for (const isa::register_use& use : instruction.code().writes)
    if (has_position(use.file))
      for (unsigned i = 0; i < use.count; ++i) {
        times[position(use) + i].result = result;
        times[position(use) + i].writer = instruction.id;
      }
  if (!operands_.operands_wait) return;
  for (const isa::register_use& use : instruction.code().reads) {
    if (!has_position(use.file)) continue;
    for (unsigned i = 0; i < use.count; ++i) {
      register_times& time = times[position(use) + i];
      if (holds_until_retired(instruction, use))
        ++time.readers;
      else
        time.read = std::max(time.read, instruction.operands_read);
    }
  }
}

void scoreboard::retired(const warp_instruction& instruction) {
  warp_times& times = warps_[instruction.warp->slot];
  for (const isa::register_use& use : instruction.code().writes)
    if (has_position(use.file))
      for (unsigned i = 0; i < use.count; ++i) {
        register_times& time = times[position(use) + i];
        if (time.writer == instruction.id) time.result = instruction.result;
      }
  if (!operands_.operands_wait) return;
  for (const isa::register_use& use : instruction.code().reads) {
    if (!has_position(use.file) || !holds_until_retired(instruction, use)) continue;
    for (unsigned i = 0; i < use.count; ++i) {
      register_times& time = times[position(use) + i];
      --time.readers;
      time.read = std::max(time.read, instruction.dispatch);
    }
  }
}

}  // namespace tc::subcore
