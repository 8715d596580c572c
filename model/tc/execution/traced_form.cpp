// SPDX-License-Identifier: Apache-2.0
#include "traced_form.hpp"

#include <array>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <tc/execution/barrier_numbers.hpp>
#include <tc/execution/program.hpp>
#include <tc/execution/warp_state.hpp>
#include <tc/execution/warpgroup_values.hpp>
#include <tc/isa/barrier_arrival.hpp>
#include <tc/isa/element_type.hpp>
#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/number_text.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::execution {

namespace {

/// "{R24, R25, R26, R27}".
std::string register_list(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) text += fmt::format("{}R{}", i == 0 ? "" : ", ", first + i);
  return text + "}";
}

/// "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {R24, ...}, 0x4000004000000c40, 0x4000004000000040, 0, 1, 1, 0, 0".
std::string product_text(const warp_state& warp, const operation& op) {
  const warpgroup_operands& operands = op.warpgroup->operands();
  const isa::mma_operation& mma = operands.matrices.mma;
  const unsigned accumulators = mma.n * isa::bits(mma.d) / 64U;
  const auto descriptor = [&warp](unsigned index) {
    const auto& uniform = warp.registers().uniform;
    return std::uint64_t{uniform[index + 1]} << 32U | uniform[index];
  };
  const bool in_registers = operands.matrices.a_in_registers;
  const std::string a = in_registers ? register_list(operands.a, 4) : fmt::format("{:#x}", descriptor(operands.descriptors));
  const auto transposed = [](isa::matrix_major major) { return major == isa::matrix_major::mn ? 1 : 0; };
  std::string text =
      fmt::format("wgmma.mma_async.sync.aligned.m{}n{}k{}.{}.{}.{} {}, {}, {:#x}, {}", mma.m, mma.n, mma.k, isa::name(mma.d),
                  isa::name(mma.a), isa::name(mma.b), register_list(operands.d, accumulators), a, descriptor(operands.descriptors + 2U),
                  warpgroup_values(warp, op).accumulate && operands.c != isa::zero_register ? 1 : 0);
  if (mma.d != isa::element_type::s32) text += ", 1, 1";  // signs, which integers do not have
  if (isa::bits(mma.a) == 16) {
    if (!in_registers) text += fmt::format(", {}", transposed(operands.matrices.a_major));
    text += fmt::format(", {}", transposed(operands.matrices.b_major));
  }
  return text;
}

/// The control code of an instruction on one of the lines that stand for it: the first waits, the last stalls.
std::string control_text(const isa::instruction& code, bool is_first, bool is_last) {
  if (!code.control) return {};
  isa::control_code control = *code.control;
  if (!is_first) control.wait_mask = 0;
  if (!is_last) {
    control.stall_cycles = 1;
    control.read_barrier = control.write_barrier = isa::control_code::no_barrier;
  }
  return fmt::format("[{}] ", isa::text_of(control));
}

}  // namespace

std::string behind_pc(const std::string& line) {
  const std::string end = "*/ ";
  return line.substr(line.find(end) + end.size());
}

traced_form form_of(const program& code, const operation& op) {
  if (op.warpgroup != nullptr || code.listed(op).line.empty()) return traced_form::ptx;
  const bool is_barrier = isa::role_of(op.code->op) == isa::issue_role::arrives_at_barrier;
  return is_barrier && isa::barrier_operands_of(*op.code).have_registers() ? traced_form::numbers : traced_form::fixed;
}

std::string numbered_line(const warp_state& warp, const operation& op, std::uint32_t mask) {
  const std::string& line = warp.code().listed(op).line;
  const barrier_numbers numbers = barrier_numbers_of(warp, op, mask != 0 ? mask : warp.active());
  const std::size_t begin = line.rfind(op.code->text), first = line.find_first_of(" \t", begin);
  std::size_t behind = line.find(',', first);
  std::string text = fmt::format(" {:#x}", numbers.barrier);
  if (isa::barrier_operands_of(*op.code).threads != nullptr) {
    text += fmt::format(", {:#x}", numbers.threads);
    behind = line.find(',', behind + 1);
  }
  std::string result = line.substr(0, first) + text + (behind == std::string::npos ? "" : line.substr(behind));
  try {
    isa::parse_instruction(result, warp.code().kernel().arch);
  } catch (const isa::syntax_error& error) {
    warp.fail(op, fmt::format("as its registers are, it is '{}': {}", result, error.what()));
  }
  return result;
}

std::string ptx_lines(const warp_state& warp, const operation& op) {
  std::vector<std::string> lines;
  const isa::instruction& code = *op.code;
  const auto begins = [&code](const char* with) { return code.text.rfind(with, 0) == 0; };
  if (begins("WARPGROUP.ARRIVE")) lines.emplace_back("wgmma.fence.sync.aligned");
  if (begins("WARPGROUP.DEPBAR")) {
    const std::size_t last = code.text.rfind(' ');
    lines.push_back(fmt::format("wgmma.wait_group.sync.aligned {}", isa::parse_unsigned(code.text.substr(last + 1)).value_or(0)));
  }
  if (op.warpgroup != nullptr) lines.push_back(product_text(warp, op));
  if (op.warpgroup != nullptr && code.text.find("gsb") != std::string::npos) lines.emplace_back("wgmma.commit_group.sync.aligned");
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += fmt::format("/*{:04x}*/ {}{}\n", code.pc, control_text(code, i == 0, i + 1 == lines.size()), lines[i]);
  return text;
}

const isa::memory_reference* traced_operand(const isa::instruction& code) {
  const bool is_copy = isa::info(code.op).memory.action == isa::memory_action::copy;
  const isa::memory_reference* found = nullptr;
  for (unsigned s = 0; s < code.source_count && (found == nullptr || is_copy); ++s)
    if (code.sources[s].what == isa::operand::kind::memory) found = &code.sources[s].memory;
  return found;
}

trace::address_list traced_addresses(const warp_state& warp, const operation& op, std::uint32_t mask) {
  const trace::memory_access& access = warp.code().listed(op).access;
  const isa::memory_reference* const operand = traced_operand(*op.code);
  trace::address_list addresses;
  if (access.space == isa::memory_space::none || mask == 0 || operand == nullptr) return addresses;
  std::array<std::uint64_t, warp::lanes_per_warp> computed{};
  warp.addresses(*operand, computed);
  const bool is_window = access.space == isa::memory_space::shared || access.space == isa::memory_space::local;
  trace::for_each_lane(access.every_lane ? trace::all_lanes : mask,
                       [&](unsigned lane) { addresses.set(lane, is_window ? computed[lane] & 0xffffffffU : computed[lane]); });
  return addresses;
}

}  // namespace tc::execution
