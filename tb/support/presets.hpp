#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tc/config/json_document.hpp>
#include <tc/config/machine.hpp>

namespace tcsim {

/// Names of the built-in configurations, in alphabetical order.
std::vector<std::string> preset_names();

bool is_preset(std::string_view name);

/// A built-in configuration and all it includes, in the order they are to be read. Throws config_error; `name` must be a preset.
std::vector<tc::config::json_document> load_preset(std::string_view name);

/// A machine as its built-in configuration describes it.
tc::config::machine make_preset(std::string_view name);

/// True if everything that decides about cycles is as in the preset of the same name: all but name, architectures, clock, SMs, energy,
/// arithmetic and the hazard policy itself. Control codes separate dependent instructions only by the latencies they were compiled for.
bool has_preset_timing(const tc::config::machine& machine);

}  // namespace tcsim
