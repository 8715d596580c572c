// SPDX-License-Identifier: Apache-2.0
#include "cause_list.hpp"

#include <tc/links/stall_cause.hpp>

namespace tcsim {

boost::json::array cause_list() {
  boost::json::array list;
  for (const auto& cause : tc::links::stall_cause_table) list.push_back({{"key", cause.key}, {"text", cause.text}});
  return list;
}

}  // namespace tcsim
