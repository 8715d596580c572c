// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tc/config/json_document.hpp>
#include <tc/config/machine.hpp>

namespace tc::config {

/// make_parameters() and load_parameters() of a machine, compiled once: a compiler takes seconds over so many parameters.
machine make_machine(const std::vector<json_document>& documents, const std::vector<std::string>& assignments = {});
machine load_machine(const std::filesystem::path& file, const std::vector<std::string>& assignments = {});

}  // namespace tc::config
