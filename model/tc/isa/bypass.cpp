// SPDX-License-Identifier: Apache-2.0
#include "bypass.hpp"

namespace tc::isa {

namespace {

bool has_bypass(execution_unit unit) {
  return unit == execution_unit::integer || unit == execution_unit::fp32 || unit == execution_unit::fp64;
}

}  // namespace

bool changes_bypass(execution_unit producer, const instruction& consumer, const register_use& read) {
  if (!has_bypass(producer)) return false;
  const opcode_info& row = info(consumer.op);
  if (row.memory.action != memory_action::none) return read.slot == slot_a;
  return has_bypass(row.unit) && row.unit != producer;
}

}  // namespace tc::isa
