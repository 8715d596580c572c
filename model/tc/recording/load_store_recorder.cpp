// SPDX-License-Identifier: Apache-2.0
#include "load_store_recorder.hpp"

#include <tc/recording/record_types.hpp>

namespace tc::recording {

namespace {

/// Index of the kind of an access in shared_access_kinds.
std::uint64_t kind_of(const isa::instruction& code) {
  switch (isa::info(code.op).memory.action) {
    case isa::memory_action::load:
      return 0;
    case isa::memory_action::store:
      return 1;
    default:
      return 2;
  }
}

}  // namespace

load_store_recorder::load_store_recorder(fabric::recorder& records, const std::string& load_store)
    : queue_(records, load_store, queued_type), shared_(records, load_store, shared_access_type) {}

void load_store_recorder::queued(const links::warp_instruction& instruction, cycle_t cycle) {
  queue_.enters(instruction.record, cycle, {std::uint64_t{instruction.warp->slot}}, instruction.record);
}

void load_store_recorder::left(const links::warp_instruction& instruction, cycle_t cycle) { queue_.leaves(instruction.record, cycle); }

void load_store_recorder::shared_access_begins(const links::warp_instruction& instruction, unsigned wavefronts, unsigned conflicts,
                                               cycle_t cycle) {
  shared_.enters(instruction.record, cycle,
                 {kind_of(instruction.code()), std::uint64_t{instruction.warp->slot}, std::uint64_t{wavefronts}, std::uint64_t{conflicts}},
                 instruction.record);
}

void load_store_recorder::shared_access_ends(const links::warp_instruction& instruction, cycle_t cycle) {
  shared_.leaves(instruction.record, cycle);
}

}  // namespace tc::recording
