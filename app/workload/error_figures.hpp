// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json.hpp>

#include <tc/study/error_statistics.hpp>

namespace tcsim {

/// How far results are from the exact ones, for programs: numbers of results, and of each measure the maximum, mean, root mean square and
/// bias; without the histogram.
boost::json::object figures_json(const tc::study::error_statistics& errors);

}  // namespace tcsim
