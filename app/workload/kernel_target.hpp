// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/config/machine.hpp>

namespace tcsim {

/// The machine that runs a kernel, and the one whose compiler made its code: as a rule the same. Both must outlive it.
struct kernel_target {
  kernel_target(const tc::config::machine& machine) : runs(machine), made_for(machine) {}
  kernel_target(const tc::config::machine& running, const tc::config::machine& code) : runs(running), made_for(code) {}

  bool is_one_machine() const { return &runs == &made_for; }

  const tc::config::machine& runs;
  const tc::config::machine& made_for;
};

}  // namespace tcsim
