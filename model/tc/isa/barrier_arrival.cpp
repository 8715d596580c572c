// SPDX-License-Identifier: Apache-2.0
#include "barrier_arrival.hpp"

#include <tc/isa/warp_lanes.hpp>

namespace tc::isa {
namespace {}  // namespace

bool barrier_operands::have_registers() const {
  return (number != nullptr && number->what == operand::kind::reg) || (threads != nullptr && threads->what == operand::kind::reg);
}

barrier_operands barrier_operands_of(const instruction& bar) {
  barrier_operands found;
  for (unsigned n = 0; n < bar.source_count; ++n) {
    const operand& source = bar.sources[n];
    if (source.is_predicate()) continue;
    (found.number == nullptr ? found.number : found.threads) = &source;
  }
  return found;
}

barrier_arrival arrival_of(const instruction& bar) {
  const barrier_operands operands = barrier_operands_of(bar);
  barrier_arrival arrival;
  if (operands.number != nullptr) arrival.barrier = operands.number->value;
  if (operands.threads != nullptr) arrival.warps = operands.threads->value / lanes_per_warp;
  arrival.waits = !bar.mods.arrives_only;
  return arrival;
}

}  // namespace tc::isa
