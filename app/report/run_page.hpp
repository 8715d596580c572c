// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <boost/json.hpp>

namespace tcsim {

/// The report of a run: a page that says what its statistics say. `file` is what they are called.
std::string run_page(const boost::json::object& statistics, const std::string& file);

/// What the page shows: `tcsim`, `file`, `run` (the statistics, without what it has no use for), `causes`, and in `differs` the built-in
/// configuration that the run's is called after, or null, and the parameters that differ from it, as [path, built in, of the run].
boost::json::object run_data(const boost::json::object& statistics, const std::string& file);

}  // namespace tcsim
