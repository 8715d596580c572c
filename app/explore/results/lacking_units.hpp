// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json.hpp>

namespace tcsim {

/// Takes out of a summary of statistics the counts of what the machine does not have: 0 would say that it was there and not used.
/// `configuration` is the machine's.
void remove_lacking_units(boost::json::object& summary, const boost::json::object& configuration);

}  // namespace tcsim
