// SPDX-License-Identifier: Apache-2.0
#include "lane_operations.hpp"

#include <stdexcept>
#include <string>

#include <tc/lanes/lane_operands.hpp>
#include <tc/lanes/lane_rows.hpp>

namespace tc::lanes {

namespace {

/// By opcode: what it computes; null for those that the model does not compute here.
using lane_table = std::array<lane_row, isa::max_opcodes>;

lane_table make_table() {
  lane_table table{};
  for (const auto& rows : {arithmetic_lane_operations(), bit_lane_operations(), float_lane_operations(), conversion_lane_operations()})
    for (const lane_row& row : rows) table[static_cast<std::size_t>(row.op)] = row;
  return table;
}

lane_row& row_of(isa::opcode op) {
  static lane_table table = make_table();
  return table[static_cast<std::size_t>(op)];
}

/// Whether instructions of a unit come to execute_lanes(): not those that end at issue, nor those of the tensor and load-store units.
bool is_lane_unit(isa::execution_unit unit) {
  switch (unit) {
    case isa::execution_unit::fp32:
    case isa::execution_unit::integer:
    case isa::execution_unit::half:
    case isa::execution_unit::fp64:
    case isa::execution_unit::special_function:
    case isa::execution_unit::uniform:
      return true;
    default:
      return false;
  }
}

}  // namespace

void add_lane_operation(isa::opcode op, lane_operation operation, lane_form form) {
  const isa::opcode_info& row = isa::info(op);
  const auto refuse = [&row](const std::string& reason) {
    throw std::invalid_argument("lane operation of " + (row.mnemonic.empty() ? "an opcode" : std::string(row.mnemonic)) + ": " + reason);
  };
  if (row.mnemonic.empty()) refuse("the opcode has no row; add it with isa::add_opcode()");
  if (!is_lane_unit(row.unit) || row.sources == isa::source_kind::special_register) refuse("its unit does not compute lane by lane");
  if (operation == nullptr || form == nullptr) refuse("the function, or the form that it computes, is missing");
  if (row_of(op).operation != nullptr) refuse("there is one");
  row_of(op) = {op, operation, form};
}

bool computes_lanes(const isa::instruction& code) {
  const lane_row& row = row_of(code.op);
  return row.operation != nullptr && row.form(code);
}

void execute_lanes(const isa::instruction& code, const std::array<lane_source, isa::instruction::max_sources>& sources,
                   lane_result& result) {
  const lane_operation operation = row_of(code.op).operation;
  if (operation == nullptr) throw std::logic_error("no lane operation computes " + code.text);
  operation(lane_operands(code, sources), result);
}

}  // namespace tc::lanes
