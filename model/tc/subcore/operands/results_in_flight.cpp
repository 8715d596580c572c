// SPDX-License-Identifier: Apache-2.0
#include "results_in_flight.hpp"

#include <algorithm>

namespace tc::subcore {

void results_in_flight::add(const links::warp_instruction& instruction, cycle_t readable) {
  for (const isa::register_use& write : instruction.code().writes) {
    if (write.file != isa::register_file::vector) continue;
    ring_[next_++ % entries] = {readable, instruction.warp->slot, write.index, write.count};
    latest_ = std::max(latest_, readable);
  }
}

cycle_t results_in_flight::readable(std::uint32_t warp_slot, unsigned index) const {
  for (std::size_t age = 1; age <= entries && age <= next_; ++age) {
    const entry& written = ring_[(next_ - age) % entries];
    if (written.warp_slot == warp_slot && index >= written.first && index - written.first < written.count) return written.readable;
  }
  return 0;
}

}  // namespace tc::subcore
