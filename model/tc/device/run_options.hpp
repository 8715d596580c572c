// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <systemc>

#include <tc/config/sub_core_parameters.hpp>
#include <tc/device/unit_registry.hpp>
#include <tc/fabric/clocked.hpp>
#include <tc/links/link_binder.hpp>

namespace tc::device {

/// How a run is done, besides what the machine is.
struct run_options {
  bool data = true;  ///< false: timing alone; nothing is computed and no expectation is checked. Never with traces without data
  bool timing_of_preset = false;  ///< all timing parameters are those of a preset, for hazard_policy::automatic
  bool monitors = false;          ///< check every link
  /// Nothing but the machine looks at SystemC's time while it runs: no other module, unit or process, and nothing that sc_trace writes.
  /// Then most edges cost no step of SystemC.
  bool is_alone = false;
  bool record = false;                          ///< records of what happens leave the machine: gpu::recorder()
  std::optional<fabric::cycle_t> max_cycles{};  ///< stop before this cycle; absent: run until the end
  links::link_binder* binder = nullptr;         ///< binds all links; null: directly. Must outlive the machine
  unit_registry units{};                        ///< makers of the units that the configuration may name
  std::optional<sc_core::sc_time> period{};     ///< simulation time of a cycle; absent: 1 ns
};

/// Whether the scoreboard holds back instructions that have a control code. Other instructions always wait for it.
constexpr bool uses_interlock(config::hazard_policy policy, bool timing_of_preset) {
  return policy == config::hazard_policy::interlock || (policy == config::hazard_policy::automatic && !timing_of_preset);
}

}  // namespace tc::device
