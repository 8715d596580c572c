// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <boost/json.hpp>

#include "result_store.hpp"

namespace tcsim {

/// What the report of a sweep shows, as its scripts read it (sweep/columns.js):
///
///     tcsim                              version that writes the report
///     sweep                              name, description, base, fixed_code, source
///     notes                              what readers should know of the results, for people
///     axes, metrics, pareto              of the plan
///     points                             by column: number, run (index in `runs`), axes and metrics (a list of values for each); of
///                                        repeated ones also least, most and varied (for each metric, and in `varied` a list for each
///                                        point), status and message
///     runs                               workload, status (null: not run), message, seconds, warnings, command (to repeat it),
///     configuration
///                                        (index in `configurations`)
///     paths, base_values                 parameters in which any configuration differs from the base, and their values there
///     configurations                     [index in `paths`, value] for each difference
///     causes                             key and text of what can become of a cycle, "issued" first
///     stalls, issue_slots                for each run, the cycles of warps and the issue slots by cause; null where there are none
boost::json::object sweep_data(const result_store& results);

/// The report of a sweep: a page with a table of its points, charts, a Pareto front, comparisons, and what failed. Points that have not
/// been run are in it too.
std::string sweep_page(const result_store& results);

}  // namespace tcsim
