// SPDX-License-Identifier: Apache-2.0
#include "parameter_loader.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tc/config/parameter_path.hpp>

namespace tc::config {

namespace {

constexpr const char* include_key = "include";
constexpr std::size_t most_documents = 1000;  ///< files that include others twice each double their number with every step

/// Loads files depth first.
class include_loader {
 public:
  std::vector<json_document> load(const std::filesystem::path& file) {
    visit(file);
    return std::move(documents_);
  }

 private:
  void visit(const std::filesystem::path& file) {
    auto document = json_document::load(file);
    open_.push_back(canonical(file));
    for (const auto& name : included(document)) {
      const auto included_file = (file.parent_path() / name).lexically_normal();
      if (std::find(open_.begin(), open_.end(), canonical(included_file)) != open_.end())
        fail(document, fmt::format("\"{}\" includes itself, directly or through other files", included_file.string()));
      if (!std::filesystem::exists(included_file)) fail(document, fmt::format("there is no file \"{}\"", included_file.string()));
      if (documents_.size() + open_.size() > most_documents)
        fail(document,
             fmt::format("more than {} files would be read, those that are included several times counted each time", most_documents));
      visit(included_file);
    }
    open_.pop_back();
    documents_.push_back(std::move(document));
  }

  /// Takes the include key off the document.
  static std::vector<std::string> included(json_document& document) {
    const auto* members = document.root().if_object();
    if (members == nullptr || !members->contains(include_key)) return {};
    if (members->begin()->key() != include_key) fail(document, "must be the first key, as the rest of the file overrides what it includes");
    std::vector<std::string> names;
    const auto value = document.take(include_key);
    const auto add = [&](const boost::json::value& name) {
      if (!name.is_string()) fail(document, "expected a file name or a list of file names");
      names.emplace_back(name.get_string().data(), name.get_string().size());
    };
    if (const auto* list = value.if_array()) {
      for (const auto& name : *list) add(name);
    } else {
      add(value);
    }
    return names;
  }

  [[noreturn]] static void fail(const json_document& document, const std::string& message) {
    throw config_error(document.source(), document.position_of(include_key), include_key, message);
  }

  static std::filesystem::path canonical(const std::filesystem::path& file) { return std::filesystem::weakly_canonical(file); }

  std::vector<std::filesystem::path> open_;  ///< the files on the way from the first to the present one
  std::vector<json_document> documents_;
};

/// The path without its last key or index; empty for one that has no other.
std::string parent_of(const std::string& path) {
  const auto end = path.find_last_of(".[");
  return end == std::string::npos ? std::string() : path.substr(0, end);
}

}  // namespace

std::vector<json_document> load_with_includes(const std::filesystem::path& file) { return include_loader().load(file); }

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

}  // namespace tc::config
