// SPDX-License-Identifier: Apache-2.0
#include "parameter_loader.hpp"

#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tc/config/parameter_path.hpp>
#include <tc/config/parameter_reader.hpp>
#include <tc/config/validation.hpp>

namespace tc::config {

namespace {

/// The path without its last key or index; empty for one that has no other.
std::string parent_of(const std::string& path) {
  const auto end = path.find_last_of(".[");
  return end == std::string::npos ? std::string() : path.substr(0, end);
}

}  // namespace

void parameter_origins::add(const json_document& document) {
  for (const auto& [path, position] : document.positions()) {
    constexpr std::string_view first = "[0]";
    const bool starts_list = path.size() > first.size() && path.compare(path.size() - first.size(), first.size(), first) == 0;
    if (starts_list) forget_below(path.substr(0, path.size() - first.size()));  // a list replaces the one before it
    origins_[path] = {document.source(), position};
  }
}

void parameter_origins::add(const parameter_override& assignment) {
  forget_below(assignment.path());
  origins_[assignment.path()] = {assignment.source(), assignment.position()};
}

void parameter_origins::forget_below(const std::string& path) {
  for (const char separator : {'.', '['}) {
    const auto begin = origins_.lower_bound(path + separator);
    const auto end = origins_.lower_bound(path + static_cast<char>(separator + 1));
    origins_.erase(begin, end);
  }
}

config_error parameter_origins::locate(const config_error& error) const {
  for (std::string path = error.path(); !path.empty(); path = parent_of(path)) {
    const auto found = origins_.find(path);
    if (found != origins_.end()) return {found->second.source, found->second.position, error.path(), error.message()};
  }
  return error;
}

void set_parameters(const parameter_type& type, void* parameters, const std::vector<json_document>& documents,
                    const std::vector<std::string>& assignments) {
  parameter_origins origins;
  for (const auto& document : documents) {
    parameter_reader(document).read(type, parameters);
    origins.add(document);
  }
  for (const auto& assignment : assignments) {
    const parameter_override change(assignment);
    change.apply(type, parameters);
    origins.add(change);
  }
  try {
    validate_tree(type, parameters, "");
  } catch (const config_error& error) {
    const config_error located = origins.locate(error);
    if (!located.source().empty() || documents.empty()) throw located;
    const json_document& last = documents.back();  // nothing has set it: the file that was asked for ought to
    throw config_error(last.source(), last.position_of(last.path()), error.path(), error.message());
  }
}

}  // namespace tc::config
