// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tc/accounting/run_result.hpp>
#include <tc/accounting/run_summary.hpp>
#include <tc/config/machine.hpp>

namespace tcsim {

/// A run for people: each kernel's result and time, tensor-core utilisation, energy if the machine has it, where the warps' cycles went,
/// warnings.
std::string report_of(const tc::accounting::run_result& result, const tc::accounting::run_summary& summary,
                      const tc::config::machine& machine);

/// The same run from the units' side: what became of the issue slots, and how busy each kind of unit was.
std::string unit_report_of(const tc::accounting::run_summary& summary);

}  // namespace tcsim
