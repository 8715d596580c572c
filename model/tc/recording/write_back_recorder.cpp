// SPDX-License-Identifier: Apache-2.0
#include "write_back_recorder.hpp"

#include <algorithm>

#include <tc/recording/record_types.hpp>

namespace tc::recording {

namespace {

/// Vector registers that an instruction writes.
std::uint64_t written_registers_of(const links::warp_instruction& instruction) {
  const isa::instruction& code = instruction.code();
  std::uint64_t registers = 0;
  for (unsigned d = 0; instruction.step.mask != 0 && d < code.destination_count; ++d)
    if (code.destinations[d].is_register(isa::register_file::vector) && code.destinations[d].index != isa::zero_register)
      registers += code.destinations[d].count;
  return registers;
}

}  // namespace

write_back_recorder::write_back_recorder(fabric::recorder& records, const fabric::clock_domain& clock, const std::string& write_back)
    : records_(records), clock_(clock), stream_(records.add_stream(write_back, write_back_type)) {}

void write_back_recorder::visible(const links::warp_instruction& instruction) {
  if (arrived_.empty()) return;
  const cycle_t cycle = instruction.result;
  const auto found = arrived_.find(instruction.record);
  if (found == arrived_.end()) return;
  const cycle_t begin = std::max(std::min(found->second, cycle == 0 ? 0 : cycle - 1), clock_.cycle());
  arrived_.erase(found);
  records_.span(stream_, begin, std::max(begin, cycle), {std::uint64_t{instruction.warp->slot}, written_registers_of(instruction)},
                instruction.record);
}

}  // namespace tc::recording
