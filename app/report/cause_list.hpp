// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json.hpp>

namespace tcsim {

/// What pages call the causes of stalls: [{"key", "text"}], in the order of the enumeration, `issued` first.
boost::json::array cause_list();

}  // namespace tcsim
