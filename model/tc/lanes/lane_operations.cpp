// SPDX-License-Identifier: Apache-2.0
#include "lane_operations.hpp"

#include <stdexcept>
#include <string>

#include <tc/isa/special_register.hpp>
#include <tc/lanes/lane_operands.hpp>
#include <tc/lanes/lane_rows.hpp>

namespace tc::lanes {

namespace {

/// By opcode: what it computes; null for those that the model does not compute here.
using lane_table = std::array<lane_row, isa::max_opcodes>;

lane_table make_table() {
  lane_table table{};
  for (const auto& rows :
       {arithmetic_lane_operations(), bit_lane_operations(), float_lane_operations(), conversion_lane_operations(),
        comparison_lane_operations(), double_lane_operations(), packed_lane_operations(), special_function_lane_operations()})
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

bool has_lane_operation(isa::opcode op) { return row_of(op).operation != nullptr; }

lane_operation find_lane_operation(const isa::instruction& code) {
  const lane_row& row = row_of(code.op);
  return row.operation != nullptr && row.form(code) ? row.operation : nullptr;
}

bool computes_lanes(const isa::instruction& code) { return find_lane_operation(code) != nullptr; }

void execute_lanes(const isa::instruction& code, const std::array<lane_source, isa::instruction::max_sources>& sources,
                   lane_result& result) {
  const lane_operation operation = row_of(code.op).operation;
  if (operation == nullptr) throw std::logic_error("no lane operation computes " + code.text);
  operation(lane_operands(code, sources), result);
}

namespace {

/// Threads of a block are numbered with x fastest, and dealt to warps in that order (CUDA C++ Programming Guide, thread hierarchy).
std::uint32_t thread_id(const warp::warp_context& warp, unsigned dimension, unsigned lane) {
  const std::uint32_t thread = warp.warp_in_cta * warp::lanes_per_warp + lane;
  const auto [x, y, z] = warp.block;
  switch (dimension) {
    case 0:
      return thread % x;
    case 1:
      return thread / x % y;
    default:
      return thread / x / y % z;
  }
}

template <class Value>
void fill(warp::lane_vector& lanes, Value value) {
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) lanes[lane] = value(lane);
}

}  // namespace

bool read_special_register(std::uint8_t special_register, const warp::warp_context& warp, std::uint64_t clock, warp::lane_vector& low,
                           warp::lane_vector& high) {
  using reg = isa::special_register;
  const auto which = static_cast<reg>(special_register);
  high = warp::lane_vector{};
  switch (which) {
    case reg::zero:
      low = warp::lane_vector{};
      return true;
    case reg::tid_x:
    case reg::tid_y:
    case reg::tid_z:
      fill(low, [&](unsigned lane) { return thread_id(warp, static_cast<unsigned>(which) - static_cast<unsigned>(reg::tid_x), lane); });
      return true;
    case reg::ctaid_x:
    case reg::ctaid_y:
    case reg::ctaid_z:
      low = warp::broadcast(warp.cta_id[static_cast<unsigned>(which) - static_cast<unsigned>(reg::ctaid_x)]);
      return true;
    case reg::lane_id:
      fill(low, [](unsigned lane) { return lane; });
      return true;
    case reg::clock_low:
      low = warp::broadcast(static_cast<std::uint32_t>(clock));
      high = warp::broadcast(static_cast<std::uint32_t>(clock >> 32U));
      return true;
    case reg::clock_high:
      low = warp::broadcast(static_cast<std::uint32_t>(clock >> 32U));
      return true;
    case reg::lane_mask_eq:
      fill(low, [](unsigned lane) { return 1U << lane; });
      return true;
    case reg::lane_mask_lt:
      fill(low, [](unsigned lane) { return (1U << lane) - 1; });
      return true;
    case reg::lane_mask_le:
      fill(low, [](unsigned lane) { return (1U << lane) | ((1U << lane) - 1); });
      return true;
    case reg::lane_mask_gt:
      fill(low, [](unsigned lane) { return ~((1U << lane) | ((1U << lane) - 1)); });
      return true;
    case reg::lane_mask_ge:
      fill(low, [](unsigned lane) { return ~((1U << lane) - 1); });
      return true;
    case reg::cluster_cta_id:
      low = warp::broadcast(warp.cluster_rank);
      return true;
    default:
      return false;
  }
}

}  // namespace tc::lanes
