// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <tc/config/machine.hpp>
#include <tc/execution/execution_counts.hpp>
#include <tc/execution/execution_observer.hpp>
#include <tc/execution/memory_spaces.hpp>
#include <tc/launches/launch.hpp>
#include <tc/listings/sass_listing.hpp>

namespace tc::execution {

struct grid_setting;

/// How far an execution may go.
struct execution_limits {
  std::uint64_t cta_instructions = 100'000'000;  ///< of the warps of a CTA together
};

/// What is left behind a launch.
struct execution_result {
  global_memory memory;
  execution_counts counts;
  std::vector<std::string> refused;  ///< instructions of the kernel that are not executed, and to which no warp came
};

/// Told how many CTAs have ended; what it throws ends the execution.
using execution_listener = std::function<void(std::uint64_t ended)>;

/// Executes a launch without time, with the arithmetic of a machine's tensor cores and as many CTAs resident as the machine has. Within a
/// CTA each warp goes on until it waits for others, or until it has executed some thousand instructions, so that a wait for what another
/// warp stores ends; CTAs begin in order, and one that does not end makes place for the next. `observer`, if there
/// is one, is told of each instruction. Throws kernel_fault for what the kernel does
/// wrong, trace::trace_error for what launch and code contradict each other in, study::vector_error for contents that cannot be read.
execution_result execute(const launches::launch& launch, const listings::sass_kernel& kernel, const config::machine& machine,
                         const execution_limits& limits = {}, const execution_listener& listener = {},
                         execution_observer* observer = nullptr);

/// Executes the CTAs of a grid, in order, up to `resident` at a time. Throws as above.
void run_grid(const grid_setting& setting, unsigned resident, const execution_limits& limits, const execution_listener& listener);

}  // namespace tc::execution
