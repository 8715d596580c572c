// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <tc/accounting/run_result.hpp>
#include <tc/accounting/run_summary.hpp>
#include <tc/config/machine.hpp>

#include "exit_status.hpp"

namespace tcsim {

/// A run for people: each kernel's result, time, and what it drew beyond the part's bandwidths, tensor-core utilisation, energy if the
/// machine has it, where the warps' cycles went, warnings.
std::string report_of(const tc::accounting::run_result& result, const tc::accounting::run_summary& summary,
                      const tc::config::machine& machine);

/// For a table of several kernels: a line for each that drew more in its time than the part has, below a headline; nothing if there are
/// none.
std::string excess_report_of(const tc::accounting::run_result& result, const tc::config::machine& machine);

/// The same run from the units' side: what became of the issue slots, and how busy each kind of unit was.
std::string unit_report_of(const tc::accounting::run_summary& summary);

/// Whether there is something to tell of a run: it finished, or was interrupted.
bool has_summary(const tc::accounting::run_result& result);

/// Addresses that are not what the registers of their instructions make, and warnings: the first of each, below headlines; nothing if
/// there are none.
std::string finding_report_of(const tc::accounting::run_result& result);

/// For a table of several kernels: all of them, a line each, to stderr.
void print_findings(const tc::accounting::run_result& result);

/// What the tables of products say of a result that was compared: how many bytes differ, how many are undefined, and how many addresses
/// are not what the registers make.
std::string product_verdict(std::uint64_t mismatches, std::uint64_t undefined, std::uint64_t wrong_addresses);

/// Of a run that finished: whether its results or addresses are wrong or, if it is strict, there is a warning or an undefined result.
exit_status verdict_on(const tc::accounting::run_result& result, bool strict);

}  // namespace tcsim
