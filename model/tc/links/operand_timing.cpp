// SPDX-License-Identifier: Apache-2.0
#include "operand_timing.hpp"

#include <tc/isa/bypass.hpp>

namespace tc::links {

namespace {

/// MUFU.RCP64H, RSQ64H: of an f64 they read one register.
bool takes_upper_half(const isa::instruction& code) {
  return code.mods.function == isa::special_function::reciprocal_64 || code.mods.function == isa::special_function::reciprocal_root_64;
}

}  // namespace

cycle_t late_operands::cycles(const isa::instruction& code, std::uint8_t slot, unsigned count, unsigned number) const {
  constexpr unsigned pair = 2;
  const isa::opcode_info& row = isa::info(code.op);
  if (row.widths == isa::width_rule::multiply_add) return slot == isa::slot_c && count == pair && number == 1 ? wide_addend_cycles : 0;
  if (row.memory.action == isa::memory_action::store) return slot == isa::slot_a ? 0 : store_data_cycles;
  return row.unit == isa::execution_unit::special_function && (count == pair || takes_upper_half(code)) ? double_conversion_cycles : 0;
}

std::int64_t operand_timing::read_offset(isa::execution_unit producer, const isa::instruction& code, const isa::register_use& use,
                                         unsigned number) const {
  const bool is_bypassed = producer != isa::execution_unit::none;
  if (is_guard(code, use)) return is_bypassed ? -static_cast<std::int64_t>(guard_lead_cycles) : 0;
  cycle_t read = earliest_read(code);
  if (is_bypassed && use.file == isa::register_file::vector) read += late.cycles(code, use.slot, use.count, number);
  return static_cast<std::int64_t>(read) - static_cast<std::int64_t>(isa::changes_bypass(producer, code, use) ? other_pipe_cycles : 0);
}

}  // namespace tc::links
