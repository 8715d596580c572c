// SPDX-License-Identifier: Apache-2.0
#include "bypass.hpp"

namespace tc::isa {

namespace {

bool has_bypass(execution_unit unit) {
  return unit == execution_unit::integer || unit == execution_unit::fp32 || unit == execution_unit::fp64;
}

}  // namespace

execution_unit bypass_of(opcode op) { return op == opcode::viadd ? execution_unit::fp32 : unit_of(op); }

bool changes_bypass(execution_unit producer, const instruction& consumer, const register_use& read) {
  if (!has_bypass(producer)) return false;
  if (info(consumer.op).memory.action != memory_action::none) return read.slot == slot_a;
  const execution_unit own = bypass_of(consumer.op);
  return has_bypass(own) && own != producer;
}

}  // namespace tc::isa
