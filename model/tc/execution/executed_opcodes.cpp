// SPDX-License-Identifier: Apache-2.0
#include "executed_opcodes.hpp"

#include <string>

#include <tc/execution/program.hpp>
#include <tc/execution/warpgroup_product.hpp>
#include <tc/isa/opcode.hpp>
#include <tc/lanes/lane_operations.hpp>

namespace tc::execution {

namespace {

/// The usual form of an opcode, as far as what executes it depends on that.
bool has_step(const isa::opcode_info& row) {
  isa::instruction code;
  code.op = row.op;
  code.text = std::string(row.mnemonic) + ".RESULT";
  listings::program_instruction listed;
  listed.flow = row.role == isa::issue_role::exits ? listings::control_flow::exit : listings::control_flow::branch;
  listed.target = 0;
  return find_step(code, listed) != nullptr;
}

}  // namespace

bool executes(std::string_view mnemonic, isa::architecture arch) {
  if (is_warpgroup_opcode(mnemonic)) return arch == isa::architecture::sm_90;
  const isa::opcode_info* const row = isa::find_opcode(mnemonic);
  if (row == nullptr || !row->architectures.contains(arch)) return false;
  const bool is_asynchronous = mnemonic.front() >= 'a' && mnemonic.front() <= 'z';
  if (is_asynchronous) return false;
  return lanes::has_lane_operation(row->op) || isa::is_mma(row->op) || row->memory.action == isa::memory_action::atomic || has_step(*row);
}

}  // namespace tc::execution
