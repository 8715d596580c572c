// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include <tc/config/machine.hpp>
#include <tc/device/gpu.hpp>
#include <tc/parallel/share_result.hpp>

#include "workload.hpp"

namespace tcsim {

/// Where a kernel's memory may begin if that of the kernel before it ends at `end`: so far apart that no kernel of a run finds translations
/// of addresses that another one has brought.
constexpr std::uint64_t region_behind(std::uint64_t end) {
  constexpr std::uint64_t region_bytes = std::uint64_t{1} << 26;
  return (end + region_bytes - 1) / region_bytes * region_bytes;
}

/// How kernels are run on a machine.
tc::device::run_options run_options_for(const tc::config::machine& machine, bool data, std::optional<std::uint64_t> max_cycles = {});

/// "--max-cycles 4444 ended the run; the last cycle in which anything happened is 4203": a clock that nothing asks for stands still.
std::string cycle_limit_text(std::string_view limit, std::uint64_t max_cycles, std::uint64_t last);

/// Runs the machine. An access outside the memory that a trace describes is a mistake of the trace, found late: throws usage_error, which
/// names the traces. `pauses` as in gpu::run().
tc::accounting::run_result run_to_end(tc::device::gpu& gpu, tc::device::run_pauses* pauses = nullptr);

/// The same of some SMs; see tc::parallel::run_share().
tc::parallel::share_result share_to_end(tc::device::gpu& gpu, const tc::device::sm_share& share, tc::device::run_pauses* pauses = nullptr);

/// Figures of a run that finished; called while the machine exists.
using figures_of_run = std::function<boost::json::object(const tc::accounting::run_result&)>;

/// Runs kernels on a machine and says what came of it: the statistics, and in them the figures as the object `workload`. Once in a process.
workload_outcome simulate(const std::vector<tc::device::kernel_source>& kernels, const tc::config::machine& machine,
                          const tc::device::run_options& options, const figures_of_run& figures);

}  // namespace tcsim
