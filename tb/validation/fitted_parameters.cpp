// SPDX-License-Identifier: Apache-2.0
#include "fitted_parameters.hpp"

#include <fstream>
#include <regex>

namespace tc::validation {

namespace {

/// The parameters of one configuration. A line of it: "name": value, // comment. A comment may go on in the next line.
void add_parameters(const std::filesystem::path& file, std::vector<fitted_parameter>& parameters) {
  static const std::regex line_of_parameter(R"rx(^\s*"(\w+)":\s*([^,\s]+?),?\s*//\s*(.*)$)rx");
  static const std::regex line_of_comment(R"(^\s*//\s*(.*)$)");
  std::ifstream stream(file);
  std::vector<fitted_parameter> found;
  bool continues = false;
  for (std::string line; std::getline(stream, line);) {
    std::smatch match;
    if (std::regex_match(line, match, line_of_parameter)) {
      found.push_back({file.stem(), match[1], match[2], match[3]});
      continues = true;
    } else if (continues && std::regex_match(line, match, line_of_comment)) {
      found.back().comment += ' ' + match[1].str();
    } else {
      continues = false;
    }
  }
  for (fitted_parameter& parameter : found) {
    const bool is_fitted = parameter.comment.find("fitted") != std::string::npos;
    if (is_fitted && parameter.comment.find("carried over") == std::string::npos) parameters.push_back(std::move(parameter));
  }
}

}  // namespace

std::vector<fitted_parameter> fitted_parameters(const std::filesystem::path& configurations) {
  std::vector<fitted_parameter> parameters;
  for (const char* const machine : {"volta", "turing", "turing_geforce", "ampere", "hopper"})
    add_parameters(configurations / (std::string(machine) + ".json"), parameters);
  return parameters;
}

}  // namespace tc::validation
