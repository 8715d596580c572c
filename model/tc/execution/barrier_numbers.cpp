// SPDX-License-Identifier: Apache-2.0
#include "barrier_numbers.hpp"

#include <tc/execution/program.hpp>
#include <tc/execution/warp_state.hpp>
#include <tc/isa/barrier_arrival.hpp>

namespace tc::execution {

barrier_numbers barrier_numbers_of(const warp_state& warp, const operation& op, std::uint32_t mask) {
  const isa::instruction& code = *op.code;
  const isa::barrier_operands operands = isa::barrier_operands_of(code);
  barrier_numbers numbers;
  for (unsigned s = 0; s < code.source_count; ++s) {
    const isa::operand* const source = &code.sources[s];
    if (source != operands.number && source != operands.threads) continue;
    warp::lane_vector store;
    (source == operands.number ? numbers.barrier : numbers.threads) = warp.word(op, s, store)[static_cast<unsigned>(__builtin_ctz(mask))];
  }
  const bool is_packed = operands.threads != nullptr && operands.number != nullptr && operands.number->what == isa::operand::kind::reg &&
                         operands.threads->what == isa::operand::kind::reg;
  if (is_packed) {
    numbers.barrier &= 0xfU;
    numbers.threads >>= 16U;
  }
  return numbers;
}

}  // namespace tc::execution
