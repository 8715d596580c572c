// SPDX-License-Identifier: Apache-2.0
#include "configuration.hpp"

#include <iostream>
#include <iterator>

#include <tc/config/json_document.hpp>
#include <tc/config/machine_loader.hpp>
#include <tc/config/presets.hpp>

#include "exit_status.hpp"

namespace tcsim {

namespace {

tc::config::machine configuration_from_stdin(const std::vector<std::string>& assignments) {
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  const auto document = tc::config::json_document::parse(text, "stdin");
  const auto* const members = document.root().if_object();
  if (members != nullptr && members->contains("include"))
    throw usage_error("stdin: a configuration from stdin includes no others; `tcsim config show` prints one with all it includes");
  return tc::config::make_machine({document}, assignments);
}

}  // namespace

tc::config::machine load_configuration(const std::string& file_or_name, const std::vector<std::string>& assignments,
                                       const std::filesystem::path& folder) {
  if (file_or_name == "-") return configuration_from_stdin(assignments);
  try {
    return tc::config::load_configuration(file_or_name, assignments, folder);
  } catch (const tc::config::unknown_configuration& error) {
    throw usage_error(error.what());
  }
}

}  // namespace tcsim
