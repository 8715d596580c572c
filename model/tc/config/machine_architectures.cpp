// SPDX-License-Identifier: Apache-2.0
#include "machine_architectures.hpp"

#include <algorithm>
#include <string>

namespace tc::config {

bool runs_code_of(const machine& machine, isa::architecture arch) {
  return std::any_of(machine.architectures.begin(), machine.architectures.end(),
                     [arch](const std::string& name) { return isa::find_architecture(name) == arch; });
}

}  // namespace tc::config
