// SPDX-License-Identifier: Apache-2.0
#include "configuration_files.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tc/config/spelling.hpp>

namespace tc::config {

namespace {

namespace fs = std::filesystem;

constexpr const char* include_key = "include";
constexpr std::size_t most_documents = 1000;  ///< files that include others twice each double their number with every step

/// A file of the user's, or a built-in one.
struct file_place {
  fs::path path;                            ///< of a built-in one, within configs/
  const built_in_file* built_in = nullptr;  ///< null: a file of the user's

  std::string name() const { return built_in == nullptr ? path.string() : source_of(*built_in); }
  /// The same for all names of a file.
  std::string identity() const { return built_in == nullptr ? fs::weakly_canonical(path).string() : name(); }

  json_document load() const { return built_in == nullptr ? json_document::load(path) : json_document::parse(built_in->text, name()); }
};

/// Loads files depth first.
class include_loader {
 public:
  std::vector<json_document> load(const file_place& file) {
    visit(file);
    return std::move(documents_);
  }

 private:
  void visit(const file_place& file) {
    auto document = file.load();
    open_.push_back(file.identity());
    for (const auto& name : included(document)) {
      const file_place included_file = find(name, file, document);
      if (std::find(open_.begin(), open_.end(), included_file.identity()) != open_.end())
        fail(document, fmt::format("\"{}\" includes itself, directly or through other files", included_file.name()));
      if (documents_.size() + open_.size() > most_documents)
        fail(document,
             fmt::format("more than {} files would be read, those that are included several times counted each time", most_documents));
      visit(included_file);
    }
    open_.pop_back();
    documents_.push_back(std::move(document));
  }

  static file_place find(const std::string& name, const file_place& from, const json_document& document) {
    const fs::path beside = (from.path.parent_path() / name).lexically_normal();
    // A file called turing.json that includes "turing.json" means the built-in one.
    const bool is_user_file = from.built_in == nullptr && is_file(beside) && file_place{beside}.identity() != from.identity();
    if (is_user_file) return {beside};
    const built_in_file* found = from.built_in == nullptr ? nullptr : find_built_in(beside.string());
    if (found == nullptr) found = find_built_in(fs::path(name).lexically_normal().string());
    if (found != nullptr) return {fs::path(found->name), found};
    if (from.built_in == nullptr && may_be_there(beside)) return {beside};
    const std::string nearest = nearest_name(fs::path(name).stem().string(), built_in_names(built_in_kind::machine));
    fail(document, fmt::format(R"(there is no file "{}", nor a built-in configuration of the name "{}"{})", beside.string(), name,
                               nearest.empty() ? "" : fmt::format(R"(; did you mean "{}.json"?)", nearest)));
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

  std::vector<std::string> open_;  ///< the files on the way from the first to the present one
  std::vector<json_document> documents_;
};

}  // namespace

std::vector<json_document> load_with_includes(const fs::path& file) { return include_loader().load({file}); }

std::vector<json_document> load_with_includes(const built_in_file& file) { return include_loader().load({fs::path(file.name), &file}); }

}  // namespace tc::config
