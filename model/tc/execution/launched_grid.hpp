// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/config/machine.hpp>
#include <tc/execution/cta_state.hpp>
#include <tc/execution/execution_counts.hpp>
#include <tc/execution/memory_spaces.hpp>
#include <tc/execution/module_symbols.hpp>
#include <tc/execution/program.hpp>
#include <tc/launches/launch.hpp>
#include <tc/listings/sass_listing.hpp>
#include <tc/warp/kernel_constants.hpp>

namespace tc::execution {

/// A launch that is executed: its code with the constants of the launch, its memory, and what its CTAs have in common.
class launched_grid {
 public:
  /// All of them must outlive it. Throws trace::trace_error for what launch and code contradict each other in, or what the machine has no
  /// room for; study::vector_error for contents that cannot be read.
  /// `is_timed`: see grid_setting.
  launched_grid(const launches::launch& launch, const listings::sass_kernel& kernel, const config::machine& machine,
                execution_observer* observer, bool is_timed);
  launched_grid(const launched_grid&) = delete;

  const grid_setting& setting() const { return setting_; }
  const program& code() const { return code_; }
  const warp::constant_memory& constants() const { return constants_; }
  /// CTAs that the machine holds at a time.
  unsigned resident_ctas() const { return resident_; }

  global_memory memory;
  execution_counts counts;

 private:
  void fill_memory(const launches::launch& launch, const listings::sass_kernel& kernel);

  const module_symbols symbols_;
  const warp::constant_memory constants_;
  const program code_;
  const grid_setting setting_;
  unsigned resident_;
};

}  // namespace tc::execution
