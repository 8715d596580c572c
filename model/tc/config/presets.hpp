// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tc/config/json_document.hpp>
#include <tc/config/machine.hpp>

namespace tc::config {

/// Neither a file nor a built-in configuration has the name that was given. what() says which there are.
class unknown_configuration final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A machine from a file, or from a built-in configuration if there is no such file, with assignments `path=value` applied. A relative name
/// of a file is taken from `folder`. Throws config_error for what is wrong in them, or unknown_configuration.
machine load_configuration(const std::string& file_or_preset, const std::vector<std::string>& assignments = {},
                           const std::filesystem::path& folder = {});

/// Names of the built-in configurations, in alphabetical order. They are part of the library, so that programs need no files.
std::vector<std::string> preset_names();

/// Names of products, such as "t4" and "h100", which load_configuration() takes too: a built-in configuration of their die with the SMs,
/// the clock and the L2 cache of the product. In alphabetical order.
std::vector<std::string> product_names();

bool is_preset(std::string_view name);

/// A built-in configuration and all it includes, in the order they are to be read. Throws config_error; `name` must be a preset.
std::vector<json_document> load_preset(std::string_view name);

/// A machine as its built-in configuration describes it.
machine make_preset(std::string_view name);

/// True if everything that decides about cycles is as in the preset of the same name: all but name, architectures, clock, SMs, energy,
/// bandwidths of the part, arithmetic and the hazard policy itself. Control codes separate dependent instructions only by the latencies
/// they were compiled for.
bool has_preset_timing(const machine& machine);

/// Whether the control codes of all code that a machine runs were made for its latencies: it has the timing of a preset, and lists no other
/// architectures than that. Then control codes alone keep a consumer behind its producer, as on silicon.
bool control_codes_fit(const machine& machine);

/// The architectures whose compiled control codes fit the latencies of the preset of the same name: those that it lists. Of a machine that
/// is named like no preset, those that it lists itself.
std::vector<std::string> architectures_of_timing(const machine& machine);

}  // namespace tc::config
