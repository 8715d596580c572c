// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <tc/config/config_error.hpp>
#include <tc/config/configuration_files.hpp>
#include <tc/config/json_document.hpp>
#include <tc/config/parameter_override.hpp>
#include <tc/config/parameter_type.hpp>

namespace tc::config {

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
void set_parameters(const parameter_type& type, void* parameters, const std::vector<json_document>& documents,
                    const std::vector<std::string>& assignments);
template <class Record>
Record make_parameters(const std::vector<json_document>& documents, const std::vector<std::string>& assignments = {}) {
  Record parameters{};
  set_parameters(type_of<Record>(), &parameters, documents, assignments);
  return parameters;
}

/// The same from a file and all it includes.
template <class Record>
Record load_parameters(const std::filesystem::path& file, const std::vector<std::string>& assignments = {}) {
  return make_parameters<Record>(load_with_includes(file), assignments);
}

}  // namespace tc::config
