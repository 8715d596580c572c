// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tc/config/json_document.hpp>
#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// An assignment of a value to one parameter. A table gets a new entry where it has none; a list keeps its length.
class parameter_override {
 public:
  /// `path=value` of the command line, such as `tensor.threadgroups[1].units=4` or `latency[HMMA.1688]=14`: the text after `--set`. The
  /// value is JSON; for a string or an enumeration a bare word will do. Throws config_error unless it is a path, '=' and a value, in UTF-8.
  explicit parameter_override(std::string_view assignment);
  /// An assignment in a file: the path stands at `path_position`, and `value` is the value, with its places. Throws config_error for a
  /// malformed path.
  parameter_override(std::string path, text_position path_position, json_document value);

  /// As member_path() writes it, however the assignment spells it.
  const std::string& path() const { return path_; }
  /// The keys and indices of the path.
  const std::vector<std::string>& keys() const { return keys_; }
  /// How messages name it: `--set path=value`, or the file.
  const std::string& source() const { return source_; }
  /// Where the value is in a file; line 0 on the command line.
  text_position position() const { return document_ ? document_->position_of(document_->path()) : text_position{}; }

  /// Sets the parameter in `root`. Throws config_error under the rules of parameter_reader, or if there is no such parameter.
  template <class Record>
  void apply(Record& root) const {
    apply(type_of<Record>(), &root);
  }
  void apply(const parameter_type& type, void* root) const;

 private:
  void require_beginning(const parameter_type& type, const void* root) const;
  void descend(const parameter_type& type, void* target, std::size_t depth, const std::string& path) const;
  void descend_optional(const optional_form& form, void* target, std::size_t depth, const std::string& path) const;
  void descend_record(const record_form& form, void* target, std::size_t depth, const std::string& path) const;
  /// The value as a document for a parameter of this type.
  json_document document(const parameter_type& type, const std::string& path) const;

  void split();
  config_error located(const config_error& error) const;
  static std::size_t list_index(const std::string& key, std::size_t size, const std::string& path);
  [[noreturn]] static void fail_no_member(const std::string& key, const std::string& path);

  std::string source_;
  std::string path_;
  std::vector<std::string> keys_;
  std::string value_;                      ///< of the command line
  std::optional<json_document> document_;  ///< the value in a file
  text_position path_position_{};
};

}  // namespace tc::config
