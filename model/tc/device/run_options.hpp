// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include <systemc>

#include <tc/config/machine.hpp>
#include <tc/config/sub_core_parameters.hpp>
#include <tc/fabric/clocked.hpp>
#include <tc/links/link_binder.hpp>
#include <tc/links/unit_makers.hpp>

namespace tc::device {

/// A program's own units, by the names under which a configuration asks for them (units.dot_products and so on). "model" is the model's
/// own, and no name for others.
struct unit_registry {
  std::map<std::string, links::dot_product_maker> dot_products{};
  std::map<std::string, links::register_bank_maker> register_bank{};
  std::map<std::string, links::tensor_memory_maker> tensor_memory{};
  std::map<std::string, links::global_memory_maker> global_memory{};

  /// The makers that a configuration names. Throws run_error, with the key and the names there are, for one that is not registered.
  links::unit_makers choose(const config::unit_parameters& names) const;
};

/// The time of a cycle, in SystemC's resolution: 1 / clock_mhz, rounded.
sc_core::sc_time clock_period(double clock_mhz);

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
