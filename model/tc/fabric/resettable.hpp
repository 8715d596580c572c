// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

namespace tc::fabric {

/// A module that can be brought back to the state after its construction, statistics included, while nothing is in flight. Time goes on:
/// what it knows of cycles is forgotten. reset_all() finds it, also a unit of a user's own.
class resettable {
 public:
  virtual void reset() = 0;

 protected:
  ~resettable() = default;
};

/// Resets the modules below one in the hierarchy, parents before their children.
inline void reset_all(const sc_core::sc_object& top) {
  for (sc_core::sc_object* const child : top.get_child_objects()) {
    if (auto* const found = dynamic_cast<resettable*>(child)) found->reset();
    reset_all(*child);
  }
}

}  // namespace tc::fabric
