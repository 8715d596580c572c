// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <boost/json.hpp>

namespace tcsim {

/// The number at a path in the statistics of a run, such as `stalls.wait_mask` or `kernels.0.cycles`: an integer or a real one; true and
/// false are 1 and 0. Nothing if there is none: a counter that a machine does not have.
std::optional<boost::json::value> measured(const boost::json::object& statistics, std::string_view path);

}  // namespace tcsim
