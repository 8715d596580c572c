// SPDX-License-Identifier: Apache-2.0
#include "accelsim_code.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/named_registers.hpp>

namespace tc::importers {

const imported_code& accelsim_code::find(const accelsim_instruction& line, bool has_immediate) {
  key_.assign(1, has_immediate ? '#' : ' ').append(line.code);
  const auto known = kept_.find(key_);
  if (known != kept_.end()) return known->second;
  if (kept_.size() == most_kept) kept_.clear();
  return kept_.emplace(key_, import(line, has_immediate)).first->second;
}

imported_code accelsim_code::import(const accelsim_instruction& line, bool has_immediate) const {
  imported_code code;
  try {
    recorded_operands recorded{line.opcode, line.destinations, line.sources, has_immediate};
    const isa::instruction decoded = decode(recorded, code.text);
    code.access = trace::access_of(decoded);
    code.is_barrier = isa::role_of(decoded.op) == isa::issue_role::arrives_at_barrier;
    const std::string shared = shared_memory_opcode(decoded);
    recorded.opcode = shared;
    if (!shared.empty()) code.on_shared = instruction_text(recorded, arch_);
  } catch (const isa::syntax_error& error) {
    code = {"NOP", fmt::format("{}: {}", line.opcode, error.what()), {}, {}, false};
  }
  return code;
}

isa::instruction accelsim_code::decode(const recorded_operands& recorded, std::string& text) const {
  text = instruction_text(recorded, arch_);
  if (!recorded.has_immediate) return checked(text);
  try {
    return checked(text);
  } catch (const isa::syntax_error&) {
    recorded_operands side_by_side = recorded;
    side_by_side.has_immediate = false;
    text = instruction_text(side_by_side, arch_);
    return checked(text);
  }
}

isa::instruction accelsim_code::checked(const std::string& text) const {
  isa::instruction decoded = isa::parse_operation(text, arch_);
  isa::visit_vector_registers(decoded, [&](unsigned first, unsigned count) {
    if (first + count > registers_) throw isa::syntax_error(1, fmt::format("a register beyond the kernel's {}", registers_));
  });
  return decoded;
}

}  // namespace tc::importers
