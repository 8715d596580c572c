// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>

namespace tc::config {

/// Calls `visit` with the descriptor (`name`, `pointer`) of each member of a record that is described with BOOST_DESCRIBE_STRUCT, inherited
/// ones first, in the order of declaration.
template <class Record, class Visit>
void for_each_member(Visit&& visit) {
  using namespace boost::describe;
  boost::mp11::mp_for_each<describe_members<Record, mod_any_access | mod_inherited>>(visit);
}

}  // namespace tc::config
