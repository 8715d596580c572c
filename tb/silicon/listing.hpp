// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/accounting/run_result.hpp>
#include <tc/config/machine.hpp>
#include <tc/trace/trace.hpp>

namespace tc::silicon {

/// The instructions of one warp, with control codes or without.
using listing = std::vector<std::string>;

/// A kernel that runs each listing in a CTA of its own, so that with enough SMs none disturbs another. All warps of CTA i run listing i. A
/// CTA has 64 registers for each thread and 8 KiB of shared memory.
trace::trace kernel_of(const std::string& arch, const std::vector<listing>& ctas, unsigned warps = 1);

/// Runs it without data, with the timing of the preset.
accounting::run_result run_listings(const std::string& arch, const std::vector<listing>& ctas, const config::machine& machine,
                                    unsigned warps = 1);

/// Cycles between the first and the last clock read of a CTA, the largest of its warps.
std::vector<fabric::cycle_t> clock_differences(const accounting::run_result& result);

/// The instructions of a trace file of one warp.
listing listing_of(const std::string& trace_folder);

/// Control codes and reuse flags taken out.
listing without_control(const listing& code);
listing without_reuse(const listing& code);

/// Rows of a file of tb/silicon/data, each by its columns; the first line, of headings, left out.
std::vector<std::vector<std::string>> rows_of(const std::string& file);

/// Numbers between spaces.
std::vector<fabric::cycle_t> numbers_in(const std::string& text);

/// Cycles from one instruction to the next in a long row of one warp that repeats the given ones, without control codes. An instruction
/// that reads what it writes gives its latency; several that are independent of each other, the interval at which they start.
double cycles_per_instruction(const std::string& machine, const std::string& arch, const listing& instructions);

}  // namespace tc::silicon
