#include "configuration.hpp"

#include <fmt/format.h>

#include <tc/config/machine_loader.hpp>
#include <tc/config/spelling.hpp>

#include "exit_status.hpp"
#include "presets.hpp"

namespace tcsim {

tc::config::machine load_configuration(const std::string& file_or_name, const std::vector<std::string>& assignments,
                                       const std::filesystem::path& folder) {
  using tc::config::machine;
  if (const auto file = folder / file_or_name; std::filesystem::exists(file)) return tc::config::load_machine(file, assignments);
  if (is_preset(file_or_name)) return tc::config::make_machine(load_preset(file_or_name), assignments);
  const std::string nearest = tc::config::nearest_name(file_or_name, preset_names());
  throw usage_error(fmt::format("{}: there is no such file, nor a built-in configuration of this name{}; built in: {}", file_or_name,
                                nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest), tc::config::joined(preset_names())));
}

}  // namespace tcsim
