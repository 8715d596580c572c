// SPDX-License-Identifier: Apache-2.0
#include "shared_access_picture.hpp"

#include <tc/observe/record_attributes.hpp>

namespace tc::observe {

void shared_access_picture::write(const fabric::record_event& event) {
  if (event.what != fabric::record_event::edge::begin) return;
  const std::pair numbers{attribute_number(event, "wavefronts"), attribute_number(event, "conflicts")};
  ++accesses_[{std::string(attribute_text(event, "kind")), numbers}];
}

boost::json::array shared_access_picture::json() const {
  boost::json::array list;
  for (const auto& [what, accesses] : accesses_)
    list.push_back({{"kind", what.first}, {"wavefronts", what.second.first}, {"conflicts", what.second.second}, {"accesses", accesses}});
  return list;
}

}  // namespace tc::observe
