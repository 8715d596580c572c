// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/config/machine.hpp>
#include <tc/config/parameter_list.hpp>

namespace tcsim {

using tc::config::parameter_row;

/// Whether a word that stands where a configuration or something else may stand is a configuration: a built-in one, or a file *.json.
bool names_configuration(const std::string& word);

/// Parameters of a machine that are no records, those that all words find: a word that name or meaning holds, in upper or lower case, or a
/// pattern of the name with * for any text and ? for a letter. Throws usage_error if there are none.
std::vector<parameter_row> find_parameters(const tc::config::machine& machine, const std::vector<std::string>& words);

/// Each parameter in a few lines of a terminal: name and value first, meaning, type and source below it.
std::string parameters_text(const std::vector<parameter_row>& rows);

/// The same as a JSON array, with the values as they stand in a configuration.
std::string parameters_json(const std::vector<parameter_row>& rows);

}  // namespace tcsim
