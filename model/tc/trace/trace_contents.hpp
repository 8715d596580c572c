// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tc/trace/code_table.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/step.hpp>
#include <tc/trace/step_source.hpp>

namespace tc::trace {

/// A CTA of a trace. Its warps are numbered from 0 in the order of the trace.
struct cta_entry {
  std::uint32_t x = 0, y = 0, z = 0;  ///< place in the grid
  std::uint32_t first_warp = 0;       ///< position of its first warp among all warps of the trace
  std::uint32_t warp_count = 0;       ///< warps that the trace holds, at most kernel_header::warps_per_cta()
};

/// Place of a CTA in a grid, x fastest.
inline std::uint64_t linear_index(const cta_entry& cta, const dim3& grid) {
  return cta.x + std::uint64_t{grid.x} * (cta.y + std::uint64_t{grid.y} * cta.z);
}

/// What a number in the packed steps stands for. Of a trace that is read as text, it is the place in the code table.
struct step_form {
  const isa::instruction* code = nullptr;
  std::uint32_t code_index = 0;
  bool is_checked_at_a_glance = false;  ///< of steps that others have packed: see instruction_check.hpp
};

/// A trace that has been found correct: the kernel and its distinct instructions in memory, the steps packed in a file, or made.
struct trace_contents {
  std::string name;  ///< of the file, for messages
  kernel_header header;
  code_table code;
  std::vector<step_form> forms;
  std::unique_ptr<step_source> steps;
  std::unique_ptr<const step_maker> maker;  ///< makes the steps, and there are no packed ones; null: they are packed
  std::vector<cta_entry> ctas;              ///< in linear order, x fastest
  std::vector<std::uint64_t> warp_extents;  ///< where each warp begins among the packed steps, and the end of the last one
  std::uint64_t instructions = 0;           ///< steps of all warps
};

}  // namespace tc::trace
