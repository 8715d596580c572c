// SPDX-License-Identifier: Apache-2.0
#include "built_in_files.hpp"

#include <algorithm>
#include <cstddef>
#include <system_error>

namespace tc::config {

namespace {

constexpr std::string_view suffix = ".json";

struct split_name {
  std::string_view folder, stem;
};

split_name split(std::string_view name) {
  if (name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix) name.remove_suffix(suffix.size());
  const std::size_t slash = name.find('/');
  return slash == std::string_view::npos ? split_name{{}, name} : split_name{name.substr(0, slash), name.substr(slash + 1)};
}

}  // namespace

const built_in_file* find_built_in(std::string_view name) {
  const split_name wanted = split(name);
  const auto& all = built_in_files();
  const auto found = std::find_if(all.begin(), all.end(), [&](const built_in_file& file) {
    const split_name has = split(file.name);
    return has.stem == wanted.stem && (wanted.folder.empty() || wanted.folder == has.folder);
  });
  return found == all.end() ? nullptr : &*found;
}

bool is_file(const std::filesystem::path& path) {
  std::error_code unknown;
  const std::filesystem::file_status status = std::filesystem::status(path, unknown);
  return exists(status) && !is_directory(status);
}

bool is_folder(const std::filesystem::path& path) {
  std::error_code unknown;
  return std::filesystem::is_directory(path, unknown);
}

bool may_be_there(const std::filesystem::path& path) {
  std::error_code unknown;
  return std::filesystem::status(path, unknown).type() != std::filesystem::file_type::not_found;
}

std::string source_of(const built_in_file& file) { return std::string("built-in ").append(file.name); }

built_in_kind kind_of(const built_in_file& file) {
  const std::string_view folder = split(file.name).folder;
  if (folder == "products") return built_in_kind::product;
  if (folder == "variants") return built_in_kind::variant;
  if (folder == "energy") return built_in_kind::energy;
  return folder == "sweeps" ? built_in_kind::sweep : built_in_kind::machine;
}

std::vector<std::string> built_in_names(built_in_kind kind) {
  std::vector<std::string> names;
  for (const built_in_file& file : built_in_files())
    if (kind_of(file) == kind) names.emplace_back(split(file.name).stem);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace tc::config
