#include "gemm_trace.hpp"

#include <iterator>

#include <fmt/format.h>

#include <tc/trace/step.hpp>

namespace tc::kernels {

gemm_trace::gemm_trace(const gemm_plan& plan, const gemm_program& program, const gemm_matrices& matrices)
    : gemm_text(plan.grid_x(), plan.grid_y(), plan.warps()), plan_(plan), program_(program), matrices_(matrices) {
  std::uint32_t pc = 0;
  for (const code_block& block : program.code().blocks) {
    auto& lines = code_.emplace_back();
    for (const kernel_instruction& instruction : block.instructions) {
      lines.push_back(fmt::format("/*{:04x}*/ [{}] {}", pc, isa::text_of(*instruction.code.control), instruction.code.text));
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
