// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tc/accounting/run_result.hpp>
#include <tc/config/machine.hpp>
#include <tc/device/run_options.hpp>
#include <tc/trace/trace.hpp>

namespace tc::silicon {

/// The recordings that stand beside the project, $TCSIM_SHARED or ../shared; empty if they are not there.
std::filesystem::path shared_folder();

/// A machine of configs/, changed by assignments "path=value".
config::machine machine_of(const std::string& name, const std::vector<std::string>& assignments = {});

/// Options of a run with a preset's own timing.
device::run_options preset_options();

/// Runs a trace. SystemC elaborates once in a process, so this is done once in a test.
accounting::run_result run(const trace::trace& trace, const config::machine& machine, const device::run_options& options);

/// A trace of one CTA made from the instructions of its warps, one a line.
trace::trace make_trace(const std::string& arch, const std::vector<std::vector<std::string>>& warps);

/// The text of a recorded trace without its control codes: the scoreboard alone decides.
std::string without_control_codes(const std::filesystem::path& file);

}  // namespace tc::silicon
