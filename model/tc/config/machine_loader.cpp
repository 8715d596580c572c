// SPDX-License-Identifier: Apache-2.0
#include "machine_loader.hpp"

#include <tc/config/parameter_loader.hpp>

namespace tc::config {

machine make_machine(const std::vector<json_document>& documents, const std::vector<std::string>& assignments) {
  return make_parameters<machine>(documents, assignments);
}

machine load_machine(const std::filesystem::path& file, const std::vector<std::string>& assignments) {
  return load_parameters<machine>(file, assignments);
}

}  // namespace tc::config
