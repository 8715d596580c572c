// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <tc/config/config_error.hpp>
#include <tc/config/json_document.hpp>
#include <tc/config/parameter_override.hpp>
#include <tc/config/parameter_reader.hpp>
#include <tc/config/validation.hpp>

namespace tc::config {

/// A file and all it includes, in the order they are to be read: what a file includes comes before it, so that the file overrides it. A
/// file may begin with `"include": "other.json"`, or a list of files; their paths are relative to the including file. Throws config_error
/// for an unreadable or malformed file, for files that include each other, and for more than a thousand of them.
std::vector<json_document> load_with_includes(const std::filesystem::path& file);

/// Where each parameter was set last, so that a rule broken by values that each are fine can name the place.
class parameter_origins {
 public:
  void add(const json_document& document);
  void add(const parameter_override& assignment);

  /// The error with the source and place that set its parameter, or the record around it.
  config_error locate(const config_error& error) const;

 private:
  struct origin {
    std::string source;
    text_position position;
  };

  void forget_below(const std::string& path);

  std::map<std::string, origin> origins_;
};

/// Parameters from documents, then assignments (the texts after `--set`), each over its predecessors and all over the defaults; then
/// validated. Throws config_error.
template <class Record>
Record make_parameters(const std::vector<json_document>& documents, const std::vector<std::string>& assignments = {}) {
  Record parameters{};
  parameter_origins origins;
  for (const auto& document : documents) {
    parameter_reader(document).read(parameters);
    origins.add(document);
  }
  for (const auto& assignment : assignments) {
    const parameter_override change(assignment);
    change.apply(parameters);
    origins.add(change);
  }
  try {
    validate_tree(parameters);
  } catch (const config_error& error) {
    throw origins.locate(error);
  }
  return parameters;
}

/// The same from a file and all it includes.
template <class Record>
Record load_parameters(const std::filesystem::path& file, const std::vector<std::string>& assignments = {}) {
  return make_parameters<Record>(load_with_includes(file), assignments);
}

}  // namespace tc::config
