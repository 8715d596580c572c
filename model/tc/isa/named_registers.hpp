// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include <tc/isa/instruction.hpp>

namespace tc::isa {

/// Calls visit(first, count) for all runs of vector registers that an instruction names: those that it writes, those that it reads, and
/// the accumulators of warpgroup operations, which are in neither list because the instruction goes on without them.
template <typename Visitor>
void visit_vector_registers(const instruction& i, Visitor visit) {
  for (const register_use_list* uses : {&i.writes, &i.reads})
    for (const register_use& use : *uses)
      if (use.file == register_file::vector) visit(unsigned{use.index}, unsigned{use.count});
  const auto* const wgmma = i.asynchronous ? std::get_if<wgmma_operation>(i.asynchronous.get()) : nullptr;
  if (wgmma == nullptr) return;
  for (const std::uint8_t index : wgmma->accumulators) visit(unsigned{index}, 1U);
}

}  // namespace tc::isa
