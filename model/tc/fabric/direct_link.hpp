// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace tc::fabric {

/// The number of a link among those of the target, if its sockets are bound to each other with nothing between them, no monitor and no
/// recorder: then nobody sees what goes over it but the two modules. From the end of elaboration on.
template <class Initiator, class Target>
std::optional<unsigned> direct_link(Initiator& initiator, Target& target) {
  auto& initiators = target.get_base_port();
  for (int i = 0; i < initiators.size(); ++i)
    if (initiators[i] == &initiator.get_base_interface()) return static_cast<unsigned>(i);
  return std::nullopt;
}

template <class Initiator, class Target>
bool is_direct(Initiator& initiator, Target& target) {
  return direct_link(initiator, target).has_value();
}

}  // namespace tc::fabric
