// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tc/config/machine.hpp>
#include <tc/config/machine_loader.hpp>
#include <tc/isa/architecture.hpp>

namespace tc::kernels::test {

/// The machine of a configuration that comes with tcsim.
inline config::machine machine_of(const std::string& name) {
  return config::load_machine(std::string(TC_SOURCE_DIR "/configs/") + name + ".json", {});
}

/// The first architecture that it runs.
inline isa::architecture architecture_of(const config::machine& machine) { return *isa::find_architecture(machine.architectures.at(0)); }

}  // namespace tc::kernels::test
