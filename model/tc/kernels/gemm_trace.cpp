#include "gemm_trace.hpp"

#include <iterator>

#include <fmt/format.h>

#include <tc/trace/step.hpp>

namespace tc::kernels {
namespace {

/// "[B01----:R-:W5:-:S08]".
std::string control_text(const isa::control_code& control) {
  std::string text = "[B";
  for (unsigned b = 0; b < isa::control_code::barriers; ++b) text += (control.wait_mask >> b & 1) != 0 ? static_cast<char>('0' + b) : '-';
  const auto name = [](std::uint8_t barrier) {
    return barrier == isa::control_code::no_barrier ? std::string("-") : std::to_string(barrier);
  };
  return text + fmt::format(":R{}:W{}:{}:S{:02}]", name(control.read_barrier), name(control.write_barrier), control.yield ? 'Y' : '-',
                            control.stall_cycles);
}

}  // namespace

gemm_trace::gemm_trace(const gemm_plan& plan, const gemm_program& program, const gemm_matrices& matrices)
    : gemm_text(plan.grid_x(), plan.grid_y(), plan.warps()), plan_(plan), program_(program), matrices_(matrices) {
  std::uint32_t pc = 0;
  for (const code_block& block : program.code().blocks) {
    auto& lines = code_.emplace_back();
    for (const kernel_instruction& instruction : block.instructions) {
      lines.push_back(fmt::format("/*{:04x}*/ {} {}", pc, control_text(*instruction.code.control), instruction.code.text));
      pc += trace::instruction_bytes;
    }
  }
}

void gemm_trace::append_header(std::string& text) const {
  fmt::format_to(std::back_inserter(text), "tcsim-trace 1\narch {}\nkernel {}\ngrid {} {} 1\nblock {} 1 1\nregisters {}\nshared {}\n",
                 isa::name(plan_.arch), kernel_name(plan_.problem), plan_.grid_x(), plan_.grid_y(), plan_.threads, plan_.registers.count,
                 plan_.shared_bytes);
  append_memory(text, plan_.problem, plan_.memory, program_.parameter_offset(), matrices_);
}

void gemm_trace::append_warp(std::string& text, warp_place place) const {
  for (const block_visit& pass : program_.code().path) append_pass(text, pass, place);
}

void gemm_trace::append_pass(std::string& text, const block_visit& pass, warp_place place) const {
  const auto& instructions = program_.code().blocks[pass.block].instructions;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const memory_operand& memory = instructions[i].memory;
    text += code_[pass.block][i];
    if (!pass.executes(instructions[i].code))
      text += " mask 00000000";
    else if (memory.base != nullptr)
      text += address_list(*memory.base, memory.offset + memory.advance_per_tile * pass.tile, place);
    text += '\n';
  }
}

}  // namespace tc::kernels
