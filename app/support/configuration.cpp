// SPDX-License-Identifier: Apache-2.0
#include "configuration.hpp"

#include <iostream>
#include <iterator>

#include <tc/config/built_in_files.hpp>
#include <tc/config/configuration_files.hpp>
#include <tc/config/json_document.hpp>
#include <tc/config/machine_loader.hpp>
#include <tc/config/presets.hpp>
#include <tc/subcore/issue/warp_policy.hpp>
#include <tc/subcore/operands/operand_fetch_policies.hpp>

#include "exit_status.hpp"
#include "input_files.hpp"

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

/// What the model makes by name, it must know. A program of its own may know more.
tc::config::machine with_known_policies(tc::config::machine loaded) {
  tc::subcore::require_warp_policy(loaded.sm.sub_core.issue.policy);
  tc::subcore::require_operand_fetch_policy(loaded.sm.sub_core.operand_fetch.policy);
  return loaded;
}

/// A configuration's file and those that it includes. What is wrong in them is found when they are loaded.
void note_configuration(const std::filesystem::path& file) {
  note_input(file);
  if (!tc::config::is_file(file)) return;
  for (const tc::config::json_document& document : tc::config::load_with_includes(file)) note_input(document.source());
}

}  // namespace

tc::config::machine load_configuration(const std::string& file_or_name, const std::vector<std::string>& assignments,
                                       const std::filesystem::path& folder) {
  if (file_or_name == "-") return with_known_policies(configuration_from_stdin(assignments));
  try {
    note_configuration(folder / file_or_name);
    return with_known_policies(tc::config::load_configuration(file_or_name, assignments, folder));
  } catch (const tc::config::unknown_configuration& error) {
    throw usage_error(error.what());
  }
}

}  // namespace tcsim
