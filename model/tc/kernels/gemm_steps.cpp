// SPDX-License-Identifier: Apache-2.0
#include "gemm_steps.hpp"

#include <algorithm>
#include <array>

#include <tc/kernels/kernel_text.hpp>

namespace tc::kernels {

/// Walks the path with the lanes' addresses of a warp.
class gemm_steps::warp_steps final : public trace::made_steps {
 public:
  warp_steps(const gemm_steps& of, warp_place place, std::uint64_t line) : of_(of), line_(line) {
    for (const linear_address& address : of.addresses_) lanes_.push_back(addresses_of(address, 0, place).by_lane());
    enter();
  }

  bool next(trace::step& s) override {
    while (next_ == end_) {
      if (++pass_ >= of_.path_.size()) {
        pass_ = of_.path_.size() - 1;
        return false;
      }
      enter();
    }
    const path_instruction& instruction = *next_++;
    const block_visit& pass = of_.path_[pass_];
    const bool executes = !instruction.is_guarded || pass.predicate == instruction.executes_if;
    s.code_index = instruction.code_index;
    s.pc = instruction.pc;
    s.mask = executes ? trace::all_lanes : 0;
    s.line = ++line_;
    if (executes && instruction.address != no_address)
      s.addresses.set_all(lanes_[instruction.address], instruction.offset + instruction.advance_per_tile * pass.tile);
    else
      s.addresses.clear();
    return true;
  }

 private:
  void enter() {
    const path_block& block = of_.blocks_[of_.path_[pass_].block];
    next_ = block.data();
    end_ = next_ + block.size();
  }

  const gemm_steps& of_;
  std::uint64_t line_;
  std::size_t pass_ = 0;
  const path_instruction *next_ = nullptr, *end_ = nullptr;
  std::vector<std::array<std::uint64_t, trace::warp_lanes>> lanes_;  ///< by address
};

gemm_steps::gemm_steps(const kernel_code& code, const layout& lines, trace::trace_builder& trace)
    : lines_(lines), blocks_(code.blocks.size()), path_(code.path) {
  for (unsigned y = 0; y < lines.grid_y; ++y)
    for (unsigned x = 0; x < lines.grid_x; ++x) trace.add_cta(x, y, 0, lines.warps);
  add_code(code, trace);
}

/// Instructions come into the trace's table in the order in which the first warp executes them, as from a text.
void gemm_steps::add_code(const kernel_code& code, trace::trace_builder& trace) {
  std::vector<std::uint64_t> visits(code.blocks.size());
  for (const block_visit& pass : path_) {
    ++visits[pass.block];
    steps_ += code.blocks[pass.block].instructions.size();
  }
  std::vector<std::uint32_t> first_pcs;
  std::uint32_t pc = 0;
  for (const code_block& block : code.blocks) {
    first_pcs.push_back(pc);
    pc += static_cast<std::uint32_t>(block.instructions.size()) * trace::instruction_bytes;
  }
  const std::uint64_t all_warps = std::uint64_t{lines_.grid_x} * lines_.grid_y * lines_.warps;
  std::uint64_t line = lines_.header_lines + 2;
  for (const block_visit& pass : path_) {
    path_block& block = blocks_[pass.block];
    if (!block.empty()) {
      line += block.size();
      continue;
    }
    pc = first_pcs[pass.block];
    for (const kernel_instruction& instruction : code.blocks[pass.block].instructions) {
      path_instruction& made = block.emplace_back();
      made.code_index = trace.add_code(text_of(instruction), ++line, visits[pass.block] * all_warps);
      made.pc = pc;
      made.is_guarded = instruction.code.guard.index != isa::true_predicate;
      made.executes_if = !instruction.code.guard.inverted;
      if (instruction.memory.base != nullptr) {
        made.address = number_of(instruction.memory.base);
        made.offset = instruction.memory.offset;
        made.advance_per_tile = instruction.memory.advance_per_tile;
      }
      pc += trace::instruction_bytes;
    }
  }
}

std::uint8_t gemm_steps::number_of(const linear_address* address) {
  const auto found = std::find(known_.begin(), known_.end(), address);
  const auto number = static_cast<std::uint8_t>(found - known_.begin());
  if (found == known_.end()) {
    known_.push_back(address);
    addresses_.push_back(*address);
  }
  return number;
}

std::unique_ptr<trace::made_steps> gemm_steps::play(const trace::cta_entry& cta, unsigned warp) const {
  const std::uint64_t lines_of_warp = 1 + steps_, lines_of_cta = 1 + lines_.warps * lines_of_warp;
  const std::uint64_t number = cta.x + std::uint64_t{lines_.grid_x} * cta.y;
  const std::uint64_t line = lines_.header_lines + number * lines_of_cta + 1 + warp * lines_of_warp + 1;
  return std::make_unique<warp_steps>(*this, warp_place{cta.x, cta.y, warp}, line);
}

}  // namespace tc::kernels
