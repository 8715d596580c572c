// SPDX-License-Identifier: Apache-2.0
#include "machine_writer.hpp"

#include <algorithm>
#include <utility>

#include <tc/isa/control_code.hpp>
#include <tc/isa/register_use.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::kernels {
namespace {

constexpr unsigned round_up(unsigned value, unsigned multiple) { return (value + multiple - 1) / multiple * multiple; }

/// Every field of a control code but the wait mask, and the wait mask alone.
std::string without_wait_mask(const std::string& control) { return "[B------" + control.substr(control.find(':')); }
std::string wait_mask_alone(const std::string& control) { return control.substr(0, control.find(':')) + ":R-:W-:-:S01]"; }

}  // namespace

std::string register_text(unsigned index) { return index == isa::zero_register ? "RZ" : "R" + std::to_string(index); }

machine_writer::machine_writer(const wmma_instruction& instruction, const trace::kernel_header& header)
    : instruction_(instruction),
      arch_(header.arch),
      first_scratch_(std::min(round_up(header.registers, 8), round_up(trace::kernel_header::max_registers - scratch_registers, 8) - 8)),
      next_scratch_(first_scratch_) {
  if (instruction.control.empty()) return;
  isa::parse_control(std::string_view(instruction.control).substr(1, instruction.control.size() - 2), 2);
  expansion_.instructions.push_back({wait_mask_alone(instruction.control) + " NOP", {}});
}

void machine_writer::add(const std::string& text, const trace::address_list& addresses) {
  expansion_.instructions.push_back({instruction_.guard + text, addresses});
}

unsigned machine_writer::take_scratch(unsigned count) {
  const unsigned first = round_up(next_scratch_, count);
  next_scratch_ = first + count;
  for (const std::vector<unsigned>& registers : instruction_.named) {
    for (const unsigned index : registers) {
      const bool is_taken = first <= index && index < next_scratch_;
      if (is_taken) throw isa::syntax_error(1, "the instruction needs scratch registers and names one of them, " + register_text(index));
    }
  }
  return first;
}

trace::expansion machine_writer::finish() {
  if (!instruction_.control.empty()) add_settled_end();
  expansion_.first_scratch = first_scratch_;
  expansion_.scratch_count = next_scratch_ - first_scratch_;
  return std::move(expansion_);
}

/// The scoreboard lets these moves go when the registers are settled; then the counters of the control code are free at once.
void machine_writer::add_settled_end() {
  std::vector<unsigned> registers = instruction_.registers(isa::fragment::d);
  if (instruction_.action == wmma_action::load) registers = instruction_.registers(instruction_.which);
  for (const unsigned index : registers) add("MOV " + register_text(index) + ", " + register_text(index));
  expansion_.instructions.push_back({without_wait_mask(instruction_.control) + " NOP", {}});
}

}  // namespace tc::kernels
