// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <boost/json.hpp>

#include <tc/accounting/run_result.hpp>
#include <tc/config/machine.hpp>

namespace tc::accounting {

/// What the statistics of a run say besides its result.
struct document_context {
  std::string version;                 ///< of tcsim
  double host_seconds = 0;             ///< that the run took
  std::string host_instruction_set{};  ///< that the arithmetic used; empty: unknown
};

/// The statistics of a run as JSON. All but the key `host` is the same for every run of the same traces on the same machine. Collects the
/// statistics of the object tree: call it while the machine exists.
///
///     tcsim, config, trace, [kernels], status, cycles, time_us, instructions, expect, clock_reads, warps, stalls, issue_slots, [warnings],
///     [beyond_the_model], utilisation, [energy], units, host
///
/// Nothing is left out of the accounts: `started` + `instructions` + the sum of `stalls` is `last_issue` + 1 for each of the warps, the
/// causes of `issue_slots` and `issued` make up its `slots`, and `busy_cycles` + `idle_cycles` is `cycles` for each unit of `utilisation`.
/// Of an execution unit, `idle` says what became of the issue slots of its sub-core in the idle cycles, and adds up to them.
///
/// `beyond_the_model` has an entry for each kernel and memory from which the kernel drew more in its time than the part has
/// (excess_traffic).
///
/// `energy` is there if the configuration has it: `total_nj`, in nanojoules, and its parts `by_event` and by object path, `units`.
///
/// `kernels`, and a key `kernel` in what belongs to one of them, are there if the run has several kernels; `trace` is then the first.
boost::json::object statistics_document(const run_result& result, const config::machine& machine, const document_context& context);

}  // namespace tc::accounting
