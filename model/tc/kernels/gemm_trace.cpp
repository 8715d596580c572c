// SPDX-License-Identifier: Apache-2.0
#include "gemm_trace.hpp"

#include <memory>
#include <utility>

#include <tc/kernels/gemm_steps.hpp>
#include <tc/trace/step.hpp>

namespace tc::kernels {

gemm_trace::gemm_trace(const gemm_plan& plan, const gemm_program& program, const gemm_matrices& matrices)
    : gemm_text(plan.grid_x(), plan.grid_y(), plan.warps()), plan_(plan), program_(program), matrices_(matrices) {
  std::uint32_t pc = 0;
  for (const code_block& block : program.code().blocks) {
    first_pcs_.push_back(pc);
    pc += static_cast<std::uint32_t>(block.instructions.size()) * trace::instruction_bytes;
    auto& texts = texts_.emplace_back();
    for (const kernel_instruction& instruction : block.instructions) texts.push_back(text_of(instruction));
  }
}

trace::trace gemm_trace::finished(trace::trace_builder trace, std::size_t header_lines) const {
  auto steps = std::make_unique<gemm_steps>(program_.code(), gemm_steps::layout{header_lines, grid_x(), grid_y(), warps()}, trace);
  return std::move(trace).finish(std::move(steps));
}

void gemm_trace::append_header(header_lines& header) const {
  append_launch(header, isa::name(plan_.arch), kernel_name(plan_.problem), plan_.registers.count, plan_.shared_bytes);
  append_memory(header, plan_.problem, plan_.memory, program_.parameter_offset(), matrices_);
}

void gemm_trace::list_warp(listing_target& target, warp_place place) const {
  const kernel_code& code = program_.code();
  for (const block_visit& pass : code.path) {
    std::uint32_t pc = first_pcs_[pass.block];
    const auto& instructions = code.blocks[pass.block].instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i, pc += trace::instruction_bytes) {
      const memory_operand& memory = instructions[i].memory;
      const std::string& text = texts_[pass.block][i];
      if (!pass.executes(instructions[i].code))
        target.add(pc, text, 0, {});
      else if (memory.base == nullptr)
        target.add(pc, text, std::nullopt, {});
      else
        target.add(pc, text, std::nullopt, addresses_of(*memory.base, memory.offset + memory.advance_per_tile * pass.tile, place));
    }
  }
}

}  // namespace tc::kernels
