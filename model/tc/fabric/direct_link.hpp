#pragma once

namespace tc::fabric {

/// Whether the sockets of a link are bound to each other with nothing between them, no monitor and no recorder: then nobody sees what goes
/// over it but the two modules. From the end of elaboration on.
template <class Initiator, class Target>
bool is_direct(Initiator& initiator, Target& target) {
  auto& initiators = target.get_base_port();
  for (int i = 0; i < initiators.size(); ++i)
    if (initiators[i] == &initiator.get_base_interface()) return true;
  return false;
}

}  // namespace tc::fabric
