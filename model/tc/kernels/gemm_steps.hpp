// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <tc/kernels/gemm_address.hpp>
#include <tc/kernels/gemm_code.hpp>
#include <tc/trace/step.hpp>
#include <tc/trace/trace_builder.hpp>

namespace tc::kernels {

/// Makes the steps of a kernel of which every warp takes the same path through its code. What differs between passes, and between warps,
/// are addresses, and they are linear: an instruction is decoded once, and an address of a step is that of its lane and a sum of constants.
class gemm_steps final : public trace::step_maker {
 public:
  /// How the kernel's text counts lines: so many before the first CTA; then a line for each CTA, for each warp, and for each instruction.
  struct layout {
    std::uint64_t header_lines = 0;
    unsigned grid_x = 0, grid_y = 0, warps = 0;
  };

  /// Adds CTAs and instructions to the trace, which the steps belong to. Everything else is copied.
  gemm_steps(const kernel_code& code, const layout& lines, trace::trace_builder& trace);

  std::unique_ptr<trace::made_steps> play(const trace::cta_entry& cta, unsigned warp) const override;

 private:
  class warp_steps;

  static constexpr std::uint8_t no_address = 0xff;

  /// An instruction on a warp's path.
  struct path_instruction {
    std::uint32_t code_index = 0, pc = 0;
    std::uint8_t address = no_address;  ///< which of the addresses it uses
    bool is_guarded = false, executes_if = true;
    std::uint64_t offset = 0, advance_per_tile = 0;
  };
  using path_block = std::vector<path_instruction>;

  void add_code(const kernel_code& code, trace::trace_builder& trace);
  std::uint8_t number_of(const linear_address* address);

  layout lines_;
  std::vector<path_block> blocks_;
  std::vector<block_visit> path_;
  std::uint64_t steps_ = 0;  ///< of a warp
  std::vector<const linear_address*> known_;
  std::vector<linear_address> addresses_;
};

}  // namespace tc::kernels
